import { parentOf } from "../../provider/client/uid";
import type { Holder } from "../holders";
import { valueInWords } from "../values";
import { subjectInWords } from "./issuers";

/**
 * What a person is called: `eva (okta.acme.example)`, `eva@acme.example (Google account 1042)`. A name that people choose for
 * themselves could be that of another one, so it is the verified address, or what the issuer calls them. Undefined for an identity in
 * a group, and for somebody of whom only the uid is known.
 */
export function personInWords({ uid, login, verifiedEmail }: Holder): string | undefined {
  const match = login?.["claimMatch"];
  if (uid === undefined || parentOf(uid) !== undefined || typeof match !== "object" || match === null) return undefined;
  const { issuer, subject, ...more } = match as Readonly<Record<string, unknown>>;
  // With a pattern, or further claims, it is more or less than one person.
  const isOne = typeof issuer === "string" && typeof subject === "string" && Object.values(more).every((each) => !each);
  if (!isOne) return undefined;
  const account = subjectInWords(issuer, subject, undefined);
  const [who, where] = [valueInWords(subject), valueInWords(issuer.replace(/^https:\/\//, ""))];
  if (!verifiedEmail) return account ?? `${who} (${where})`;
  return `${valueInWords(verifiedEmail)} (${account ?? `${who} at ${where}`})`;
}
