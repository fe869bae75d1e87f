import { createHash } from "node:crypto";
import { parentOf } from "../client/uid";
import { isValues } from "../schema/values";

/** Characters of a digest: 96 bits, so that nobody finds a second login with the digest of another one. */
const digestLength = 16;

/** Stands for a login without an exact issuer and without an exact subject. */
const shownByNothing = "-";

/**
 * How the identity of a role binding logs in, as far as the answer shows it, as a digest: its exact issuer and subject. State is read by more
 * people than may read identities, and each byte of it is written after every step.
 *
 * @param uid of the identity
 * @returns undefined for a person, whose uid stands for one login, and where the answer does not show the identity
 */
export function boundLogin(uid: unknown, identity: unknown): string | undefined {
  if (typeof uid !== "string" || parentOf(uid) === undefined || !isValues(identity)) return undefined;
  const { issuer, subject } = identity;
  if (!issuer && !subject) return shownByNothing;
  const text = JSON.stringify([issuer ?? "", subject ?? ""]);
  return createHash("sha256").update(text).digest("base64url").slice(0, digestLength);
}
