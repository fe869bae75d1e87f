import { createHash, randomBytes } from "node:crypto";

/** A new uid under `parent`. It is 20 random bytes at the root (""), otherwise the parent's uid and 8 more (docs/platform-api.md#uids). */
export function newUid(parent: string): string {
  return parent === "" ? randomBytes(20).toString("hex") : `${parent}/${randomBytes(8).toString("hex")}`;
}

/** A root uid derived from its meaning, so that it is the same in every emulator. */
export function stableUid(meaning: string): string {
  return createHash("sha1").update(meaning).digest("hex");
}

/** The uid one level up, "" for an object at the root. */
export function parentOf(uid: string): string {
  return uid.slice(0, Math.max(0, uid.lastIndexOf("/")));
}

/** Uid of the root group, which is the first segment. */
export function rootOf(uid: string): string {
  const slash = uid.indexOf("/");
  return slash === -1 ? uid : uid.slice(0, slash);
}

/** Every uid above this one, nearest first. */
export function ancestorsOf(uid: string): string[] {
  const parent = parentOf(uid);
  return parent === "" ? [] : [parent, ...ancestorsOf(parent)];
}

/** Whether `uid` is `root` itself or anywhere below it. */
export function isWithin(root: string, uid: string): boolean {
  return uid === root || uid.startsWith(`${root}/`);
}
