import { z } from "zod";
import { deepestJson, isTooDeep } from "../client/json-depth";
import { isValues, withSortedMembers } from "./values";
import { required } from "./inputs";

/** Members of a key that must stay private (RFC 7518 §6): `d` and what it is computed from, and the shared secret `k`. */
const privateMembers = ["d", "p", "q", "dp", "dq", "qi", "oth", "k"];

/** Most characters of a key set that is analysed: hundreds of keys. */
export const longestKeys = 100_000;

/**
 * Why the keys are not analysed, for "because"; undefined for those that are. Others are compared as text.
 */
// See docs/decisions/0038-what-is-not-analysed-counts-as-the-worst.md.
export function unanalysedKeys(text: string): string | undefined {
  if (text.length > longestKeys) return `they are longer than ${longestKeys.toLocaleString("en")} characters`;
  return isTooDeep(parsed(text)) ? `they are nested more than ${deepestJson} levels` : undefined;
}

/** A JSON Web Key Set (RFC 7517) as text: one or more public keys. Messages never quote it. */
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

/** True for text of JSON that is analysed. */
export function isAnalysedJson(text: string): boolean {
  return analysed(text) !== undefined;
}

/** The same text for every spacing and order of members. What is not analysed stays as it is. */
export function sameJson(text: string): string {
  const value = analysed(text);
  return value === undefined ? text : JSON.stringify(value, withSortedMembers);
}

/** The value of text of JSON; undefined for other text, and for what is not analysed. */
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
