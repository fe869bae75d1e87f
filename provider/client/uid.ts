import { PlatformError } from "./errors";
import { literal } from "./printable";

const segment = /^[A-Za-z0-9._-]+$/;

/** Enough for a tree of two hundred levels in an address that servers accept (RFC 9110 §4.1). */
const longest = 4_000;

/** The form of a uid, for messages. */
export const uidRule =
  "a uid is one or more segments of letters, digits, '.', '_' and '-', joined by single slashes, at most 4,000 characters";

/**
 * True for segments of `[A-Za-z0-9._-]` joined by `/`, none of them `.` or `..`, at most 4,000 characters. Wider than the form
 * that the platform assigns (docs/platform-api.md#uids), which is not promised.
 */
export function isUid(text: string): boolean {
  return text.length <= longest && text.split("/").every((part) => segment.test(part) && part !== "." && part !== "..");
}

/**
 * `uid` as the end of a path. An empty uid is never sent, because it would address the collection, and a create would make a new root
 * organisation (docs/platform-api.md#empty-uids).
 *
 * @throws PlatformError `INVALID_INPUT`
 */
export function uidPath(uid: string): string {
  if (!isUid(uid)) throw new PlatformError("INVALID_INPUT", `${literal(uid)} is not a uid: ${uidRule}. Nothing was sent.`);
  return uid;
}

/** The first segment of `uid`, which is the organisation of the object. */
export function organizationOf(uid: string): string {
  return uid.split("/", 1).join("");
}

/** The uid of the parent of `uid`; undefined for the root of an organisation. */
export function parentOf(uid: string): string | undefined {
  const end = uid.lastIndexOf("/");
  return end < 0 ? undefined : uid.slice(0, end);
}

/** True when `uid` is anywhere below `ancestor`. */
export function isBelow(uid: string, ancestor: string): boolean {
  return uid.startsWith(`${ancestor}/`);
}

/** True when `uid` is `place` or anywhere below it. */
export function isAtOrBelow(uid: string, place: string): boolean {
  return uid === place || isBelow(uid, place);
}

/** True if the two are equal or one is anywhere below the other. */
export function areInOneLine(one: string, other: string): boolean {
  return isAtOrBelow(one, other) || isAtOrBelow(other, one);
}

/** `uid` and its ancestors, nearest first; nothing for undefined. */
export function lineageOf(uid: string | undefined): string[] {
  const lineage: string[] = [];
  for (let place = uid; place !== undefined; place = parentOf(place)) lineage.push(place);
  return lineage;
}

const platformForm = /^[0-9a-f]{40}(\/|$)/;

/** True for uids whose root has the form that the platform assigns (docs/platform-api.md#uids). Other text may be a name. */
export function hasPlatformForm(uid: string): boolean {
  return platformForm.test(uid);
}
