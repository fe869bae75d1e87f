import { createHash } from "node:crypto";

/** The SHA-256 of `text` in hexadecimal: names and uids must not be readable in files that processes share. */
export function digest(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
