import { z } from "zod";
import { isLoopback } from "../client/http";
import { alternatives, literal } from "../client/printable";
import { isUid, uidRule } from "../client/uid";

/** The engine's value for an unknown value of any type. */
// See docs/contributing/engine.md#unknown-values.
export const unknownValue = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";

/** True if `value` contains an unknown value. */
export function hasUnknown(value: object): boolean {
  return JSON.stringify(value).includes(unknownValue);
}

/** An input that a resource class adds to the program's arguments in an update. Check removes it. */
// See docs/contributing/engine.md#previews.
export const updateArgument = "__isUpdate";

/**
 * The argument with the path of the resource. Check removes it. Its wire name stays that of the logical name alone, which earlier releases
 * passed: states hold it in lists of dependencies.
 */
// See docs/contributing/engine.md#order-of-calls.
export const pathArgument = "__logicalName";

/** True for a name that previews leave out. */
// See docs/contributing/engine.md#hidden-keys.
export function isHiddenName(name: string): boolean {
  return name.startsWith("__");
}

const controlCharacters = /\p{Cc}/u;

/** The message for a value of the wrong type, or for a missing one. */
export function required(wrongType: string) {
  return (issue: { input?: unknown }) => (issue.input === undefined ? "is required" : wrongType);
}

const aString = z.string({ error: required("must be a string") });

/** Any text without control characters; may be empty. */
export const plainText = aString.refine(
  (text) => !controlCharacters.test(text),
  "must not contain control characters such as line breaks or tabs",
);

/** Non-empty text without control characters. */
export const someText = plainText.refine((text) => text !== "", "must not be empty");

/** Maximum length of a description (docs/platform-api.md#names). */
const longestDescription = 512;

/** A description: one line of at most 512 characters; may be empty. */
export const descriptionText = plainText.refine((text) => lengthOf(text) <= longestDescription, {
  error: ({ input }) => `must not be longer than ${longestDescription} characters; it has ${lengthOf(String(input))}`,
});

/** Number of characters of a text. The platform counts code points. */
function lengthOf(text: string): number {
  return Array.from(text).length;
}

/** The name of a group or an identity (docs/platform-api.md#names). */
export const groupName = groupText(" (without a name, the logical name is used)");

/** A key of a tree of groups, which is the name of a group or an identity unless the program gives another. */
export const groupKey = groupText("");

function groupText(hint: string) {
  return aString
    .refine((text) => text !== "", "must not be empty")
    .refine((text) => text === "" || /^[a-z0-9 ._-]{1,}$/.test(text), {
      error: (issue) =>
        `${literal(issue.input)} may contain only lowercase letters, digits, spaces, dots, underscores and hyphens${hint}`,
    });
}

/** A uid (docs/platform-api.md#uids). */
export const uid = aString
  .refine((text) => text !== "", "must not be empty")
  .refine((text) => text === "" || isUid(text), { error: (issue) => `${literal(issue.input)} is not a uid: ${uidRule}` });

/** The issuer of OIDC tokens: https, or http to localhost, without query or fragment (OpenID Connect Discovery 1.0 §3). */
export const issuerUrl = someText.refine(
  // The message does not quote the value, which may contain a password.
  (text) => text === "" || isIssuer(text),
  "must be an https URL (http for localhost only) without user, query or fragment",
);

/** The host of a registry, with a port if it has one, without scheme and path. */
export const registryHost = someText.refine(
  (text) => text === "" || (/^[a-z0-9.-]+(:\d+)?$/.test(text) && URL.canParse(`https://${text}`)),
  "must be the host of the registry, such as registry.example.com, without https:// and without a path",
);

/** An https URL without user or fragment. */
export const httpsUrl = someText.refine(
  // The message does not quote the value, which may contain a token.
  (text) => text === "" || isHttps(text),
  "must be an https URL without user or fragment",
);

/** The name of a tag. */
export const tagName = someText.refine((text) => text === "" || /^[a-zA-Z0-9_][a-zA-Z0-9._-]{0,127}$/.test(text), {
  error: (issue) =>
    `${literal(issue.input)} may contain only letters, digits, dots, underscores and hyphens, at most 128, and must not begin with a dot or a hyphen`,
});

/** Seconds in a unit of {@link duration}. */
const secondsIn: Readonly<Record<string, number>> = { m: 60, h: 3_600, d: 86_400, w: 604_800 };

/** A positive duration: `7d`, `12h`, `30m`, `2w`, or in the platform's form, in seconds (docs/platform-api.md#json-fields). */
export const duration = someText.refine(
  (text) => text === "" || (/^(\d{1,9}(\.\d{1,9})?s|\d{1,6}[mhdw])$/.test(text) && parseFloat(text) > 0),
  { error: 'must be a number with a unit, such as "7d", "12h", "30m" or "604800s"' },
);

/** A {@link duration} in seconds with an `s`, which is the platform's form. Another text is unchanged. */
export function inSeconds(text: string): string {
  const factor = secondsIn[text.at(-1) ?? ""];
  return factor === undefined ? text : `${parseInt(text) * factor}s`;
}

/** An e-mail address, with text on both sides of its only at sign. */
export const emailAddress = someText.refine((text) => text === "" || /^[^\s@]+@[^\s@]+$/.test(text), {
  error: (issue) => `${literal(issue.input)} is not an e-mail address`,
});

/** Text of any number of lines; may be empty. */
export const multilineText = aString;

/** The number of an AWS account. */
export const awsAccount = aString.refine((text) => /^\d{12}$/.test(text), "must be the 12 digits of an AWS account");

/** An ARN or unique id of AWS that is compared exactly. Neither can contain a wildcard. */
export function awsText(instead: string) {
  return someText.refine((text) => !/[*?]/.test(text), `is compared exactly, without wildcards: write ${instead} instead`);
}

/** The name of an enum value, which is one of `names` or a newer name with the same `prefix`. */
export function enumName(prefix: string, names: readonly string[]) {
  return aString.refine((name) => name.startsWith(prefix) && /^[A-Z0-9_]+$/.test(name.slice(prefix.length)), {
    error: `must be one of ${alternatives(names)}, or a newer name that begins with ${prefix}`,
  });
}

/** A number as text, because it may exceed the numbers that JavaScript represents exactly. */
export const decimalNumber = aString.refine((text) => /^[1-9]\d*$/.test(text), 'must be a number as text, such as "1234"');

/** True or false. */
export const flag = z.boolean({ error: required("must be true or false") });

/** An integer that JSON can represent exactly. */
export const wholeNumber = z.int({ error: required("must be a whole number") });

/** An RFC 3339 time with a zone. */
export const moment = z.iso.datetime({ offset: true, error: required("must be an RFC 3339 time such as 2026-01-31T12:00:00Z") });

function isHttps(text: string): boolean {
  if (!URL.canParse(text) || /\s/.test(text)) return false;
  const { protocol, username, password, hash } = new URL(text);
  return protocol === "https:" && !username && !password && !hash;
}

function isIssuer(text: string): boolean {
  if (!URL.canParse(text) || /\s/.test(text)) return false;
  const { protocol, hostname, username, password } = new URL(text);
  if (username || password || /[?#]/.test(text)) return false;
  return protocol === "https:" || (protocol === "http:" && isLoopback(hostname));
}
