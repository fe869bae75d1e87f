import { parentOf } from "../../provider/client/uid";
import type { Holder } from "../holders";
import { nameInWords, quotedInWords, valueInWords } from "../values";

/**
 * Names a person: `eva (okta.acme.example)`, `eva@acme.example (1042 at accounts.google.com)`. People choose their display names and could
 * copy another person's, so the text uses the verified address or the subject at the issuer. If only the uid is known, the text is the uid
 * and the reason. Undefined for an identity in a group, and for a login of possibly several people.
 *
 * @param label the name that a `GroupAccess` gives the person, which does not identify anybody
 */
export function personInWords({ uid, login, verifiedEmail, isUnseen }: Holder, label?: string): string | undefined {
  // A refresh makes labels from names that others chose, so the label may not come from the program.
  const noted = label === undefined ? "" : `; labelled ${quotedInWords(label)}`;
  if (isUnseen) return `${uid} (a person who has not signed up, or is not visible${noted})`;
  const match = login?.["claimMatch"];
  if (uid === undefined || parentOf(uid) !== undefined || typeof match !== "object" || match === null) return undefined;
  const { issuer, subject, ...more } = match as Readonly<Record<string, unknown>>;
  // A login with a pattern or further claims may match several people, or none.
  const isOne = typeof issuer === "string" && typeof subject === "string" && Object.values(more).every((each) => !each);
  if (!isOne) return undefined;
  const account = valueInWords(subject);
  const where = issuer.startsWith("https://") ? valueInWords(issuer.slice("https://".length)) : quotedInWords(issuer);
  const [name, at] = verifiedEmail ? [valueInWords(verifiedEmail), `${account} at ${where}`] : [account, where];
  return `${name} (${at}${noted})`;
}

/** Names an identity. A person is named by {@link personInWords}, any other identity by its path, or by its uid if the path is unknown. */
export function holderInWords(holder: Holder): string {
  return personInWords(holder) ?? nameInWords(holder.path ?? holder.uid ?? "");
}
