import { z } from "zod";
import { isLoopback } from "../client/http";
import { literal } from "../client/printable";
import { isUid, uidRule } from "../client/uid";

/** What the engine passes for a value that is not known yet (ENGINE §3), in the place of any type. */
export const unknownValue = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";

const controlCharacters = /\p{Cc}/u;

/** The message for a value of the wrong type, or for none. */
export function required(wrongType: string) {
  return (issue: { input?: unknown }) => (issue.input === undefined ? "is required" : wrongType);
}

const aString = z.string({ error: required("must be a string") });

/** Any text without control characters; may be empty. */
export const plainText = aString.refine(
  (text) => !controlCharacters.test(text),
  "must not hold control characters such as line breaks or tabs",
);

/** Text that says something. */
export const someText = plainText.refine((text) => text !== "", "must not be empty");

/** Most characters of a description (docs/platform-api.md#descriptions). */
const longestDescription = 512;

/** A description: one line of at most 512 characters; may be empty. */
export const descriptionText = plainText.refine((text) => lengthOf(text) <= longestDescription, {
  error: ({ input }) => `must not be longer than ${longestDescription} characters; this one has ${lengthOf(String(input))}`,
});

/** Characters of a text, as the platform counts them: code points. */
function lengthOf(text: string): number {
  return Array.from(text).length;
}

/** The name of a group or an identity (docs/platform-api.md#names). */
export const groupName = aString
  .refine((text) => text !== "", "must not be empty")
  .refine((text) => text === "" || /^[a-z0-9 ._-]{1,}$/.test(text), {
    error: (issue) =>
      `${literal(issue.input)} may hold only lowercase letters, digits, spaces, dots, underscores and hyphens (without a name, the logical name is used)`,
  });

/** A uid in the shape of DESIGN §4. */
export const uid = aString
  .refine((text) => text !== "", "must not be empty")
  .refine((text) => text === "" || isUid(text), { error: (issue) => `${literal(issue.input)} is not a uid: ${uidRule}` });

/** The issuer of OIDC tokens: https, or http on this machine, with neither query nor fragment (OpenID Connect Discovery 1.0 §3). */
export const issuerUrl = someText.refine((text) => text === "" || isIssuer(text), {
  error: (issue) => `${literal(issue.input)} must be an https URL (http only for this machine) without user, query or fragment`,
});

/** The number of an AWS account. */
export const awsAccount = aString.refine((text) => /^\d{12}$/.test(text), "must be the 12 digits of an AWS account");

/** True or false. */
export const flag = z.boolean({ error: required("must be true or false") });

/** A whole number that JSON can carry exactly. */
export const wholeNumber = z.int({ error: required("must be a whole number") });

/** An RFC 3339 time with its zone. */
export const moment = z.iso.datetime({ offset: true, error: required("must be an RFC 3339 time such as 2026-01-31T12:00:00Z") });

function isIssuer(text: string): boolean {
  if (!URL.canParse(text) || /\s/.test(text)) return false;
  const { protocol, hostname, username, password } = new URL(text);
  if (username || password || /[?#]/.test(text)) return false;
  return protocol === "https:" || (protocol === "http:" && isLoopback(hostname));
}
