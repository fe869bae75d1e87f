import { PlatformError } from "./errors";
import { literal } from "./printable";
import { isUid, uidRule } from "./uid";

/**
 * `uid` as the end of a path. An empty one would address the collection, and a create would make a new root organisation
 * (docs/platform-api.md#empty-uids), so it is never sent.
 *
 * @throws PlatformError `INVALID_INPUT`
 */
export function uidPath(uid: string): string {
  if (!isUid(uid)) throw new PlatformError("INVALID_INPUT", `${literal(uid)} is not a uid: ${uidRule}. Nothing was sent.`);
  return uid;
}
