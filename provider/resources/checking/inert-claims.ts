import { list } from "../../client/printable";
import type { Fields, Shape } from "../../schema/field";
import { sharedIssuer } from "../../schema/issuer-limits";
import { describe } from "../../schema/kind";
import type { Declaring } from "../../schema/operation";
import { isValues, type Values } from "../../schema/values";
import type { Run } from "../run/run";

/** A text that the platform compares exactly with a claim of a token. */
interface ExactClaim {
  /** Dotted path of the field. */
  readonly path: string;
  readonly text: string;
  /** Dotted path of the field that takes a pattern instead; undefined if none does. */
  readonly pattern: string | undefined;
}

/**
 * Tells the user which claims no token can have, because they contain wildcards or a regular expression although the platform compares
 * exactly. Claims of this form let nobody in. The texts are not quoted, because a program may hold them as secrets.
 *
 * @param declaring `olds` has the inputs in state, of which the user was told before
 */
export function warnOfInertClaims({ kind, olds, news }: Declaring, run: Pick<Run, "notify">): void {
  const known = claimsIn(kind.fields, olds).map(({ path, text }) => `${path} ${text}`);
  const claims = claimsIn(kind.fields, news);
  const isGithub = claims.some(({ path, text }) => path === "claimMatch.issuer" && text === github);
  for (const { path, text, pattern } of claims) {
    const what = describe(kind, news);
    const other = isGithub && path === "claimMatch.subject" ? otherSpelling(text, what, run) : undefined;
    const why = known.includes(`${path} ${text}`) ? undefined : (whyInert(path, text, pattern) ?? other);
    if (why !== undefined) run.notify(`warning: ${what}: ${path} is compared exactly, and ${why}`);
  }
}

const github = "https://token.actions.githubusercontent.com";

/** The first spelling of each owner on GitHub in a run, with its resource. */
const spellings = new WeakMap<object, Map<string, { readonly owner: string; readonly where: string }>>();

/**
 * Why one of two resources can have no token. GitHub distinguishes no owners by letter case, and its tokens carry one spelling, so two
 * spellings in one run cannot both be right.
 */
function otherSpelling(text: string, what: string, run: object): string | undefined {
  const [, owner] = /^repo:([^:/@]+)(?:@\d+)?\/[^:/]+:/.exec(text) ?? [];
  if (owner === undefined) return undefined;
  const seen = spellings.get(run) ?? new Map<string, { readonly owner: string; readonly where: string }>();
  spellings.set(run, seen);
  const first = seen.get(owner.toLowerCase());
  if (first === undefined) seen.set(owner.toLowerCase(), { owner, where: what });
  if (first === undefined || first.owner === owner) return undefined;
  return `${first.where} has the same owner in another letter case. Tokens carry the name as GitHub spells it: write it so in both.`;
}

/** Why no token has the text, and the way out; undefined if a token may have it. */
function whyInert(path: string, text: string, pattern: string | undefined): string | undefined {
  if (text !== text.trim()) return "it begins or ends with white space, which no token has. Remove it.";
  const signs = text.match(/[*?]|^\^|\$$|\\\.|\.\+/g);
  if (signs !== null) {
    const found = list([...new Set(signs)].map((sign) => `\`${sign}\``));
    const instead = pattern === undefined ? "it as tokens have it" : `a regular expression (RE2) as ${pattern} instead`;
    return `its ${found} stands for itself, so no usual token matches. Write ${instead}.`;
  }
  const issuer = path.endsWith(".issuer") ? sharedIssuer(text)?.issuer : undefined;
  return issuer === undefined || issuer === text ? undefined : `the issuer of these tokens is ${issuer}. Write it so.`;
}

function claimsIn(fields: Fields, values: Values, prefix = ""): ExactClaim[] {
  return Object.entries(fields).flatMap(([name, { shape, traits }]) => {
    const [path, value] = [prefix + name, values[name]];
    const { patternIn } = traits;
    if (patternIn !== undefined) return textsIn(path, shape, value, patternIn === "" ? undefined : prefix + patternIn);
    return shape.is === "message" && isValues(value) ? claimsIn(shape.members, value, `${path}.`) : [];
  });
}

/** The text at `path`, or the texts of a map or a set there. */
function textsIn(path: string, shape: Shape, value: unknown, pattern: string | undefined): ExactClaim[] {
  if (shape.is === "text") return typeof value === "string" ? [{ path, text: value, pattern }] : [];
  if (shape.is === "set" && Array.isArray(value)) return value.flatMap((text) => textsIn(path, shape.of, text, pattern));
  if (shape.is !== "map" || !isValues(value)) return [];
  return Object.entries(value).flatMap(([name, text]) =>
    textsIn(`${path}.${name}`, shape.of, text, pattern && `${pattern}.${name}`),
  );
}
