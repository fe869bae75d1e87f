import { readPath } from "../../inventory/path";
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
    return await readPath(client, uid);
  } catch (error) {
    // The platform accepts the token and only hides the names.
    if (hasCode(error, "PERMISSION_DENIED") && error.fromPlatform) return undefined;
    throw error;
  }
}
