import { createHash } from "node:crypto";
import { parentOf } from "../client/uid";
import { isValues } from "../schema/values";

/** Characters of a digest with 96 bits, so that nobody finds a second login with the same digest. */
const digestLength = 16;

/** Stands for a login without an exact issuer and an exact subject. */
const shownByNothing = "-";

/**
 * A digest of the login of a role binding's identity, as far as the answer shows the login, which is its exact issuer and subject. A digest
 * is used because more people may read state than identities, and each byte of state is written after every step.
 *
 * @param uid of the identity
 * @returns undefined for a person, whose uid stands for one login, and if the answer does not show the identity
 */
export function boundLogin(uid: unknown, identity: unknown): string | undefined {
  if (typeof uid !== "string" || parentOf(uid) === undefined || !isValues(identity)) return undefined;
  const { issuer, subject } = identity;
  if (!issuer && !subject) return shownByNothing;
  const text = JSON.stringify([issuer ?? "", subject ?? ""]);
  return createHash("sha256").update(text).digest("base64url").slice(0, digestLength);
}
