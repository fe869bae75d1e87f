import { z } from "zod";
import { deepestJson, isTooDeep } from "../client/json-depth";
import { isValues, withSortedMembers } from "./values";
import { required } from "./inputs";

/**
 * Members of a key that must stay private (RFC 7518 §6). They are `d` and the values from which it is computed, and the shared secret `k`.
 */
const privateMembers = ["d", "p", "q", "dp", "dq", "qi", "oth", "k"];

/** Maximum number of characters of an analysed key set, which is enough for hundreds of keys. */
export const longestKeys = 100_000;

/** Why the keys are not analysed, for use after "because"; undefined for analysed keys. Other keys are compared as text. */
// See docs/decisions/0038-what-is-not-analysed-counts-as-the-worst.md.
export function unanalysedKeys(text: string): string | undefined {
  if (text.length > longestKeys) return `they are longer than ${longestKeys.toLocaleString("en")} characters`;
  return isTooDeep(parsed(text)) ? `they are nested more than ${deepestJson} levels` : undefined;
}

/** A JSON Web Key Set (RFC 7517) as text, with one or more public keys. Messages never quote it. */
export const jsonWebKeySet = z.string({ error: required("must be a JSON Web Key Set as text") }).superRefine((text, context) => {
  const problem = problemOf(text);
  if (problem !== undefined) context.addIssue({ code: "custom", message: problem });
});

function problemOf(text: string): string | undefined {
  const why = unanalysedKeys(text);
  if (why !== undefined) return `must be a JSON Web Key Set that can be analysed: ${why}`;
  const set = parsed(text);
  const keys: unknown = isValues(set) ? set["keys"] : undefined;
  if (!Array.isArray(keys)) return 'must be a JSON Web Key Set as text: {"keys":[...]}';
  if (keys.length === 0) return "must contain at least one key";
  if (!keys.every((key) => isValues(key) && typeof key["kty"] === "string")) return "must contain keys that each have a kty";
  const isPrivate = (key: Readonly<Record<string, unknown>>) =>
    key["kty"] === "oct" || privateMembers.some((name) => name in key);
  if (keys.filter(isValues).some(isPrivate)) return "must contain only public keys: this one has a private or a shared one";
  return undefined;
}

/** True for a JSON text that is analysed. */
export function isAnalysedJson(text: string): boolean {
  return analysed(text) !== undefined;
}

/** The same text for every spacing and order of members. A text that is not analysed stays unchanged. */
export function sameJson(text: string): string {
  const value = analysed(text);
  return value === undefined ? text : JSON.stringify(value, withSortedMembers);
}

/** The value of a JSON text; undefined for other texts, and for texts that are not analysed. */
function analysed(text: string): unknown {
  const value = text.length > longestKeys ? undefined : parsed(text);
  return isTooDeep(value) ? undefined : value;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
