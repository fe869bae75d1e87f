import { ancestorsOf, pathOf } from "../access/places";
import { PlatformError, platformErrorAs } from "../provider/client/errors";
import { isAtOrBelow, organizationOf } from "../provider/client/uid";
import { kinds } from "../provider/kinds/kinds";
import { uid } from "../provider/schema/inputs";
import { callerRights } from "../provider/sight/rights";
import type { ClientSource, Reader } from "../provider/sources/source";

/** The identity of the credentials in use. */
export interface Caller {
  readonly uid: string;
  /** Names from the root organisation down; absent if these credentials cannot read all of them. */
  readonly path?: string;
  /** Sorted. It may hold more, by role bindings and roles that these credentials cannot read. */
  readonly capabilities: readonly string[];
}

/** The identity as which the program calls the platform, with the capabilities of its role bindings in one place. */
export const caller: ClientSource<Caller> = {
  call: "getCaller",
  area: "iam",
  rules: () => ({ group: uid.optional() }),
  async read(asked, client, { organization } = {}) {
    const found = await client.caller();
    if (found === undefined)
      throw new PlatformError(
        "CREDENTIALS",
        "the API token does not say whose it is. Set platform:identity or PLATFORM_IDENTITY to the uid of its identity.",
      );
    const place = "group" in asked ? uid.parse(asked["group"]) : (organization ?? organizationOf(found.uid));
    const [path, rights] = await Promise.all([readPath(found.uid, client), callerRights(client)]);
    const held = [...(rights ?? [])].filter(([at]) => isAtOrBelow(place, at)).flatMap(([, capabilities]) => [...capabilities]);
    return { uid: found.uid, ...(path !== undefined && { path }), capabilities: [...new Set(held)].sort() };
  },
};

async function readPath(uid: string, reader: Reader): Promise<string | undefined> {
  const hidden = platformErrorAs(() => []);
  const [groups, identities] = await Promise.all([
    reader.list(kinds.group.collection, { uids: ancestorsOf(uid) }).catch(hidden),
    reader.list(kinds.identity.collection, { uids: [uid] }).catch(hidden),
  ]);
  const names = new Map([...groups, ...identities].map((row) => [row.uid, row.name]));
  return pathOf(uid, (each) => names.get(each));
}
