import { ancestorsOf, pathOf } from "../../access/places";
import type { PlatformClient } from "../../provider/client/client";
import { hasCode } from "../../provider/client/errors";
import { kinds } from "../../provider/kinds/kinds";

/**
 * The path of the identity `uid`, from a call that shows whether the platform accepts the token.
 *
 * @param uid undefined if it is unknown
 * @returns undefined if these credentials cannot read every name
 * @throws PlatformError if the platform does not answer, or rejects the token
 */
export async function acceptedAs(client: PlatformClient, uid: string | undefined): Promise<string | undefined> {
  try {
    if (uid === undefined) {
      await client.listSome(kinds.group.collection, {}, 1);
      return undefined;
    }
    const above = ancestorsOf(uid);
    const groups = above.length === 0 ? [] : await client.list(kinds.group.collection, { uids: above });
    const identities = await client.list(kinds.identity.collection, { uids: [uid] });
    const names = new Map([...groups, ...identities].map((row) => [row.uid, row.name]));
    return pathOf(uid, (each) => names.get(each));
  } catch (error) {
    // The platform accepts the token and only hides the names.
    if (hasCode(error, "PERMISSION_DENIED") && error.fromPlatform) return undefined;
    throw error;
  }
}
