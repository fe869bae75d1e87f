import { accessIn, accessOf, type EffectiveAccess } from "../access/effective";
import { ancestorsOf } from "../access/places";
import { PlatformError } from "../provider/client/errors";
import { uid } from "../provider/kinds/inputs";
import type { Asked, Source } from "../provider/sources/source";
import { type AccessReader, readSnapshot } from "./access-snapshot";

/** A data source that asks who the caller is, too. */
export interface AccessSource extends Omit<Source<EffectiveAccess>, "read"> {
  /**
   * Asks the platform.
   *
   * @throws PlatformError
   */
  read(asked: Asked, reader: AccessReader): Promise<EffectiveAccess>;
}

/** `getEffectiveAccess`: of an identity, or in a group. */
export const effectiveAccess: AccessSource = {
  call: "getEffectiveAccess",
  area: "iam",
  rules: () => ({ group: uid.optional(), identity: uid.optional() }),
  excludes: { group: ["identity"] },
  usage: "whose access? Pass { group } or { identity }.",
  async read(asked, reader) {
    if ("group" in asked) {
      const at = uid.parse(asked["group"]);
      const snapshot = await readSnapshot(reader, { places: [...ancestorsOf(at), at] });
      if (!snapshot.groups.has(at))
        throw unseen("group", at, snapshot.unreadable.find(({ what }) => what === "names of groups")?.reason);
      return { grants: accessIn(snapshot, at), unreadable: [...snapshot.unreadable] };
    }
    const identity = uid.parse(asked["identity"]);
    const snapshot = await readSnapshot(reader, { identity });
    if (!snapshot.identities.has(identity)) throw unseen("identity", identity);
    return { grants: accessOf(snapshot, identity), unreadable: [...snapshot.unreadable] };
  },
};

function unseen(noun: string, wanted: string, reason?: string): PlatformError {
  const why = reason === undefined ? "Check the uid, and whether this identity may read it." : reason;
  return new PlatformError("NOT_FOUND", `no ${noun} ${wanted} is visible to these credentials. ${why}`);
}
