import { unknownValue } from "../provider/schema/inputs";
import { finder, isPattern, longestText, unanalysed, wholeMatcher } from "../provider/schema/pattern";

/** The constraint of a login on one claim of a token. */
export type Constraint =
  | { readonly is: "exact"; readonly value: string }
  | { readonly is: "pattern"; readonly value: string }
  /** No constraint, so every value is accepted. */
  | { readonly is: "none" };

/**
 * How the accepted values relate to those accepted before. `other`: new values are accepted, and earlier ones may no longer be. `unclear`:
 * the set may be broader.
 */
export type Relation = "same" | "broader" | "narrower" | "other" | "unclear";

/**
 * How two constraints on one claim relate. Callers treat `narrower` as harmless, so it is returned only where it is certain, whether or not
 * the platform anchors patterns (docs/platform-api.md#patterns).
 */
export function relate(was: Constraint, is: Constraint): Relation {
  const isAnalysed = [was, is].every(isBounded);
  const [before, after] = isAnalysed ? [simplest(was), simplest(is)] : [was, is];
  if (before.is === "none" || after.is === "none") {
    if (before.is === after.is) return "same";
    return before.is === "none" ? "narrower" : "broader";
  }
  // A value that is not known yet may be anything.
  if (after.value === unknownValue || before.value === unknownValue) return "unclear";
  if (before.is === after.is && before.value === after.value) return "same";
  if (!isAnalysed) return before.is === "exact" && after.is === "exact" ? "other" : "unclear";
  if (before.is === "exact") return after.is === "pattern" && finder(after.value)(before.value) ? "broader" : "other";
  if (after.is === "exact") return wholeMatcher(before.value)(after.value) ? "narrower" : "other";
  return relatePatterns(before.value, after.value);
}

/** False for a text without analysis, which may be wider or narrower than any other. */
function isBounded(constraint: Constraint): boolean {
  if (constraint.is === "pattern") return unanalysed(constraint.value) === undefined;
  return constraint.is === "none" || constraint.value.length <= longestText;
}

/** The combined relation of several claims, or of several members. */
export function joined(relations: readonly Relation[]): Relation {
  const all = new Set(relations.filter((relation) => relation !== "same"));
  const [only = "same"] = all;
  if (all.size < 2) return only;
  return all.has("unclear") ? "unclear" : "other";
}

function relatePatterns(was: string, is: string): Relation {
  const [isWithin, holds] = [accepts(was, is), accepts(is, was)];
  if (isWithin) return holds ? "same" : "narrower";
  return holds ? "broader" : "unclear";
}

/** True only if `wide` certainly accepts every value of `narrow`, whether or not the platform anchors patterns. */
function accepts(wide: string, narrow: string): boolean {
  if (![wide, narrow].every(isPattern)) return false;
  const [all, some] = [alternativesOf(wide), alternativesOf(narrow)];
  if (some.every((each) => all.includes(each))) return true;
  // In a pattern with a bar, an anchor holds for one alternative only. After `\Q`, an anchor is text.
  if (bare(wide) !== bare(narrow) || /[|]|\\Q/.test(narrow)) return false;
  return anchorsOf(wide).every((anchor) => anchorsOf(narrow).includes(anchor));
}

/** A repeated anchor, `^*`, does not anchor. */
const anchors = { start: /^\^(?![*+?{])/, end: /(?<!\\)\$$/ };

function anchorsOf(pattern: string): string[] {
  return [...(anchors.start.test(pattern) ? ["^"] : []), ...(anchors.end.test(pattern) ? ["$"] : [])];
}

/** A pattern that matches a single text becomes this text. */
function simplest(constraint: Constraint): Constraint {
  if (constraint.is !== "pattern") return constraint;
  const text = literalOf(constraint.value);
  return text === undefined ? constraint : { is: "exact", value: text };
}

/** The only text that an anchored pattern matches; undefined if there are more. */
function literalOf(pattern: string): string | undefined {
  const inner = /^\^((?:[^\\.*+?()[\]{}|^$]|\\[^A-Za-z0-9])*)\$$/s.exec(pattern)?.[1];
  return inner?.replaceAll(/\\(.)/gs, "$1");
}

function bare(pattern: string): string {
  return pattern.replace(anchors.start, "").replace(anchors.end, "");
}

/** `a|b` as `a` and `b`. A pattern with other groups or with flags is one alternative, because the bar may be inside a group. */
function alternativesOf(pattern: string): string[] {
  const inner = /^\^\((?:\?:)?([^()[\]\\?][^()[\]\\]*)\)\$$/.exec(pattern)?.[1];
  if (inner !== undefined) return inner.split("|").map((each) => `^${each}$`);
  return /[()[\]\\]/.test(pattern) ? [pattern] : pattern.split("|");
}
