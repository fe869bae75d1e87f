import { PlatformError } from "./errors";
import { literal } from "./printable";

const segment = /^[A-Za-z0-9._-]+$/;

/** Room for a tree of two hundred levels, in an address that servers take (RFC 9110 §4.1). */
const longest = 4_000;

/** What a uid looks like, for messages. */
export const uidRule =
  "a uid is one or more segments of letters, digits, '.', '_' and '-', joined by single slashes, with none at either end, 4,000 characters at most";

/**
 * True for segments of `[A-Za-z0-9._-]` joined by `/`, none of them `.` or `..` (DESIGN §4), 4,000 characters at most. The
 * platform's hexadecimal form (API-FACTS §5) is one of these.
 */
export function isUid(text: string): boolean {
  return text.length <= longest && text.split("/").every((part) => segment.test(part) && part !== "." && part !== "..");
}

/**
 * `uid` as the tail of a path. An empty one would address the collection itself, and on create a
 * new root organisation (API-FACTS §3.4), so it never leaves here.
 *
 * @throws PlatformError `INVALID_INPUT`
 */
export function uidPath(uid: string): string {
  if (!isUid(uid)) throw new PlatformError("INVALID_INPUT", `${literal(uid)} is not a uid: ${uidRule}. Nothing was sent.`);
  return uid;
}

/** The first segment of `uid`: the organisation that the object lies in. */
export function organizationOf(uid: string): string {
  return uid.split("/", 1).join("");
}

/** The uid of the object that `uid` lies in; undefined at the root of an organisation. */
export function parentOf(uid: string): string | undefined {
  const end = uid.lastIndexOf("/");
  return end < 0 ? undefined : uid.slice(0, end);
}

/** True when `uid` lies anywhere below `ancestor`. */
export function isBelow(uid: string, ancestor: string): boolean {
  return uid.startsWith(`${ancestor}/`);
}
