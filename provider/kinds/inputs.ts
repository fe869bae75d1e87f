import { z } from "zod";
import { isLoopback } from "../client/http";
import { literal } from "../client/printable";
import { isUid, uidRule } from "../client/uid";

/** What the engine passes for a value that is not known yet (ENGINE §3), in the place of any type. */
export const unknownValue = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";

const controlCharacters = /\p{Cc}/u;

const required = (issue: { input?: unknown }) => (issue.input === undefined ? "is required" : "must be a string");

/** Any text without control characters; may be empty. */
export const plainText = z
  .string({ error: required })
  .refine((text) => !controlCharacters.test(text), "must not hold control characters such as line breaks or tabs");

/** Text that says something. */
export const someText = plainText.refine((text) => text !== "", "must not be empty");

/** A uid in the shape of DESIGN §4. */
export const uid = z
  .string({ error: required })
  .refine((text) => text !== "", "must not be empty")
  .refine((text) => text === "" || isUid(text), { error: (issue) => `${literal(issue.input)} is not a uid: ${uidRule}` });

/** The issuer of OIDC tokens: https, or http on this machine, with neither query nor fragment (OpenID Connect Discovery 1.0 §3). */
export const issuerUrl = someText.refine((text) => text === "" || isIssuer(text), {
  error: (issue) => `${literal(issue.input)} must be an https URL (http only for this machine) without user, query or fragment`,
});

function isIssuer(text: string): boolean {
  if (!URL.canParse(text) || /\s/.test(text)) return false;
  const { protocol, hostname, username, password } = new URL(text);
  if (username || password || /[?#]/.test(text)) return false;
  return protocol === "https:" || (protocol === "http:" && isLoopback(hostname));
}
