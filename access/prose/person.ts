import { parentOf } from "../../provider/client/uid";
import type { Holder } from "../holders";
import { nameInWords, quotedInWords, valueInWords } from "../values";

/**
 * What a person is called: `eva (okta.acme.example)`, `eva@acme.example (1042 at accounts.google.com)`. A name that people choose for
 * themselves could be that of another one, so it is the verified address, or what the issuer calls them; where only the uid is known,
 * that, and why. Undefined for an identity in a group, and for one that may be several people.
 *
 * @param label what a `GroupAccess` calls them, which proves nothing
 */
export function personInWords({ uid, login, verifiedEmail, isUnseen }: Holder, label?: string): string | undefined {
  // A refresh makes labels of names that others chose, so a label need not be the program's word.
  const noted = label === undefined ? "" : `; labelled ${quotedInWords(label)}`;
  if (isUnseen) return `${uid} (a person who has not signed up, or is not visible${noted})`;
  const match = login?.["claimMatch"];
  if (uid === undefined || parentOf(uid) !== undefined || typeof match !== "object" || match === null) return undefined;
  const { issuer, subject, ...more } = match as Readonly<Record<string, unknown>>;
  // With a pattern, or further claims, it is more or less than one person.
  const isOne = typeof issuer === "string" && typeof subject === "string" && Object.values(more).every((each) => !each);
  if (!isOne) return undefined;
  const account = valueInWords(subject);
  const where = issuer.startsWith("https://") ? valueInWords(issuer.slice("https://".length)) : quotedInWords(issuer);
  const [name, at] = verifiedEmail ? [valueInWords(verifiedEmail), `${account} at ${where}`] : [account, where];
  return `${name} (${at}${noted})`;
}

/** What an identity is called: a person as {@link personInWords} says, any other by path, or by uid where that is not known. */
export function holderInWords(holder: Holder): string {
  return personInWords(holder) ?? nameInWords(holder.path ?? holder.uid ?? "");
}
