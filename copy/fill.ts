import type { Shown } from "../emulator/api/collection";
import type { OriginalPlatform } from "../emulator/api/services";
import { type CopiedRows, loadRows, shownRows } from "../emulator/copy/load";
import { ApiError, Code, permissionDenied } from "../emulator/wire/errors";
import type { JsonObject } from "../emulator/wire/json";
import { kindName, kindNames, listedKinds } from "../inventory/kinds";
import type { PlatformObject } from "../inventory/objects";
import type { PlatformClient } from "../provider/client/client";
import { text } from "../provider/client/collection";
import { causeOf, hasCode } from "../provider/client/errors";
import { repo } from "../provider/kinds/repo";
import { z } from "zod";
import { hidePeople } from "./hide-people";
import { type Inexact, readOriginal } from "./read";
import { differencesOf, objectsOf } from "./shown";

/** The organisations to copy. */
export interface CopySource {
  /** A client with the credentials of the reader. The copy asks it for logins and READMEs as long as it is open. */
  readonly client: PlatformClient;
  /** Uids of root groups. */
  readonly organizations: readonly [string, ...string[]];
  /** Hides logins and addresses of people. Default: false */
  readonly hidesPeople?: boolean;
}

/** A copy in the store of an emulator. */
export interface Filled {
  /** The parts that may be missing, or that the copy shows in another way. Grows while the copy is open. */
  readonly inexact: Inexact[];
  /** The objects as the inventory reads them from the copy, people included. */
  readonly objects: PlatformObject[];
  /** The way of the copy to its platform. */
  readonly original: OriginalPlatform;
}

/**
 * Copies organisations into an empty store, and compares every object as the provider reads it.
 *
 * @throws PlatformError if a root group cannot be read
 */
export async function fillWithCopy(shown: Shown, { client, organizations, hidesPeople = false }: CopySource): Promise<Filled> {
  const { rows: sent, unreadable } = await readOriginal(client, organizations);
  const plain: CopiedRows = new Map([...sent].map(([segment, rows]) => [segment, [...rows.values()] as JsonObject[]]));
  const rows = hidesPeople ? hidePeople(plain) : plain;
  const inexact = [...unreadable, ...(hidesPeople ? [hiddenPeople] : [])];
  inexact.push(...shown.store.transaction(() => load(shown, rows)));
  const copied = shownRows(shown);
  inexact.push(...differencesOf(rows, copied));
  const held = new Set([...rows.values()].flatMap((each) => each.map(({ uid }) => uid)));
  const original = askingOf(
    client,
    !hidesPeople,
    (uid) => held.has(uid),
    (part) => inexact.push(part),
  );
  return { inexact, objects: objectsOf(copied), original };
}

const hiddenPeople: Inexact = {
  what: "logins and addresses of people",
  reason: "this copy hides them",
  kinds: [kindNames.identity, kindNames.roleBinding, kindNames.groupInvite],
};

function load({ store, settings }: Shown, rows: CopiedRows): Inexact[] {
  const kindOf = new Map([...listedKinds.values()].map((kind) => [kind.collection.segment, kind]));
  return loadRows(store, rows, settings.timestamp()).map(({ collection, uid, reason }) => {
    const kind = kindOf.get(collection);
    const what = `${kind?.collection.noun ?? collection} ${uid}`;
    return { what, reason: `the copy cannot store it: ${reason}`, ...(kind && { kinds: [kindName(kind)] }), uid };
  });
}

function askingOf(
  client: PlatformClient,
  showsPeople: boolean,
  holds: OriginalPlatform["holds"],
  note: (part: Inexact) => void,
): OriginalPlatform {
  /** An answer of the platform. Without one, the copy cannot answer as the platform would, which is noted. */
  const asked = async <Answer>(what: string, kinds: readonly string[], answer: Promise<Answer>): Promise<Answer> => {
    try {
      return await answer;
    } catch (error) {
      const reason = causeOf(error);
      note({ what, reason, kinds });
      if (hasCode(error, "PERMISSION_DENIED")) throw permissionDenied(reason);
      throw new ApiError(Code.Internal, `the platform of this copy cannot be asked: ${reason}`, "INTERNAL");
    }
  };
  return {
    holds,
    showsPeople,
    note: (what, reason) => note({ what, reason }),
    lookUpIdentity: (issuer, subject) =>
      asked(
        `uid of the identity with issuer ${issuer} and subject ${subject}`,
        [kindNames.identity],
        client.lookUpIdentity(issuer, subject),
      ),
    async readme(uid) {
      const schema = z.looseObject({ content: text });
      const answer = client.getPart(repo.collection, uid, "readme", schema);
      return (await asked(`README of repo ${uid}`, [kindNames.repo], answer)).content;
    },
  };
}
