import { z } from "zod";
import { PlatformError } from "../provider/client/errors";
import { suggest } from "../provider/client/nearest-name";
import { alternatives, literal, shortList } from "../provider/client/printable";
import { parseDocument, type Document } from "../sdk/components/document";
import { listedKinds } from "../inventory/kinds";
import type { Hidden } from "../access/snapshot";
import type { UnreadablePart } from "../inventory/objects";
import { EntryScope } from "./entry-scope";
import { driftClasses, type Finding } from "./finding";
import { Glob } from "./glob";
import { type Refused, refusalOf, refusedInWords } from "./refusal";

const text = z
  .string({ error: ({ input }) => (input === undefined ? "is required" : "must be text") })
  .min(1, { error: "must not be empty" });
const date = z
  .union([text, z.date().transform((value) => value.toISOString())], {
    error: ({ input }) => (input === undefined ? "is required" : "must be text"),
  })
  .refine(isDate, { error: "must be a date such as 2027-01-31, or a time with its zone such as 2027-01-31T18:00:00Z" });

/**
 * True for a complete time or day. A time without a zone would expire at different moments on two machines, and a day that its month does
 * not have would become one of the next month.
 */
function isDate(value: string): boolean {
  const [, day = ""] = /^(\d{4}-\d\d-\d\d)(?:T\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d))?$/.exec(value) ?? [];
  const parsed = Date.parse(day);
  return !Number.isNaN(parsed) && new Date(parsed).toISOString().startsWith(day) && !Number.isNaN(Date.parse(value));
}

const entrySchema = z.strictObject({
  object: text.optional(),
  pattern: text.optional(),
  kind: z.enum([...listedKinds.keys()] as [string, ...string[]]).optional(),
  class: z.enum(driftClasses.filter((each) => each !== "unreadable") as [string, ...string[]]).optional(),
  within: z
    .union([text, z.array(text).min(1, { error: "must not be empty" })], {
      error: "must be a group, by its path or uid, or a list of groups",
    })
    .optional(),
  owner: text,
  reason: text,
  expiry: date,
});

/** An entry of an ignore file. */
export interface IgnoreEntry extends z.output<typeof entrySchema> {
  /** File and line: `drift-ignore.yaml:3`. */
  readonly where: string;
}

/** A finding that an entry hides. */
export type IgnoredFinding = Finding & Pick<IgnoreEntry, "owner" | "reason" | "expiry">;

/** The remaining findings after an ignore file, and the hidden ones. */
export interface Ignored {
  readonly findings: Finding[];
  readonly ignored: IgnoredFinding[];
  readonly notes: string[];
}

/** Maximum number of mistakes in an error. A file that nobody has filled in yet has three for each entry. */
const mostMistakes = 10;

/**
 * The entries of an ignore file: YAML or JSON, a list or the list `ignore`.
 *
 * @param file its name, for messages
 * @throws PlatformError `INVALID_INPUT` with the first mistakes and their lines
 */
export function readIgnoreFile(content: string, file: string): IgnoreEntry[] {
  const document = parseDocument(content);
  const { value } = document;
  const mistakes = document.problems.map(({ position, reason }) => `line ${position.line}: ${reason}`);
  const prefix = Array.isArray(value) ? [] : ["ignore"];
  const list = Array.isArray(value) || value === undefined ? (value ?? []) : ignoreIn(value);
  if (mistakes.length === 0 && !Array.isArray(list)) mistakes.push("line 1: expected a list, or a map with the list `ignore`");
  const entries = (Array.isArray(list) ? (list as unknown[]) : []).flatMap((item, index): IgnoreEntry[] => {
    const path = [...prefix, String(index)];
    const line = document.positionOf([...path, Object.keys(item ?? {})[0] ?? ""]).line;
    const { data, error } = entrySchema.safeParse(item);
    mistakes.push(...(error?.issues ?? []).flatMap((issue) => mistakesIn(issue, document, path)));
    const mistake = data && targetMistake(data);
    if (mistake !== undefined) mistakes.push(`line ${line}: ${mistake}`);
    return data === undefined ? [] : [{ ...data, where: `${file}:${line}` }];
  });
  if (mistakes.length === 0) return entries;
  const more = mistakes.length - mostMistakes;
  const shown = [...mistakes.slice(0, mostMistakes), ...(more > 0 ? [`and ${more} more`] : [])];
  throw new PlatformError("INVALID_INPUT", `${file} is not an ignore file. Nothing was sent.\n  ${shown.join("\n  ")}`);
}

function targetMistake(entry: z.output<typeof entrySchema>): string | undefined {
  if (entry.object !== undefined && entry.pattern !== undefined)
    return "set either `object`, a uid or a path, or `pattern`, not both";
  if (entry.object !== undefined || entry.pattern !== undefined) return undefined;
  if (entry.within !== undefined) return "`within` says where access may depend on an object: set `object` or `pattern` too";
  if (entry.kind !== undefined && entry.class === undefined) return undefined;
  return "set `object`, a uid or a path, or `pattern`; or `kind` alone, for a kind that these credentials may not list";
}

/** True for an entry that names only a kind. It accepts a missing right of these credentials to list objects of this kind. */
function isGap({ object, pattern }: IgnoreEntry): boolean {
  return object === undefined && pattern === undefined;
}

/** Each identity or role that something names may be hidden if its kind is accepted. A note lists only the first few. */
const mostNamed = 3;

/** The possibly missing parts, and notes on those that an entry accepts. */
export interface WithoutGaps<Part extends Hidden> {
  readonly unreadable: Part[];
  readonly notes: string[];
}

/**
 * Removes from `parts` each part whose hidden kinds are all named by valid entries. A part whose List failed for another reason than a
 * missing right stays.
 *
 * @param now in milliseconds since 1970
 */
export function withoutGaps<Part extends Hidden & Pick<UnreadablePart, "cause">>(
  parts: readonly Part[],
  entries: readonly IgnoreEntry[],
  now: number,
): WithoutGaps<Part> {
  const gaps = new Map(entries.filter((entry) => isGap(entry) && endOf(entry) > now).map((entry) => [entry.kind, entry]));
  const isAccepted = ({ kinds = [], cause }: Part) =>
    cause !== "failed" && kinds.length > 0 && kinds.every((kind) => gaps.has(kind));
  const accepted = parts.filter(isAccepted);
  return {
    unreadable: parts.filter((part) => !isAccepted(part)),
    notes: [...gaps].flatMap(([kind = "", entry]) => {
      const hidden = accepted.filter(({ kinds = [] }) => kinds.includes(kind)).map(({ what }) => what);
      return hidden.length === 0 ? [] : [`Not read: ${shortList(hidden, mostNamed)}. ${gapInWords(entry)}`];
    }),
  };
}

function gapInWords({ where, reason, owner, expiry }: IgnoreEntry): string {
  return `${where} accepts that until ${expiry}: ${reason} (${owner}).`;
}

function ignoreIn(value: unknown): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, "ignore") : undefined;
}

function mistakesIn(issue: z.core.$ZodIssue, document: Document, path: readonly string[]): string[] {
  const lineOf = (keys: readonly PropertyKey[]) => document.positionOf([...path, ...keys.map(String)]).line;
  if (issue.code === "unrecognized_keys")
    return issue.keys.map((key) => {
      const hint = suggest(key, Object.keys(entrySchema.shape), "keys", (name) => `\`${name}\``);
      return `line ${lineOf([key])}: there is no key ${literal(key)}; ${hint}`;
    });
  const [key] = issue.path;
  if (key === undefined)
    return [`line ${lineOf([])}: an entry is a map of \`object\` or \`pattern\`, \`owner\`, \`reason\` and \`expiry\``];
  const what = issue.code === "invalid_value" ? `must be one of ${issue.values.join(", ")}` : issue.message;
  return [`line ${lineOf(issue.path)}: \`${String(key)}\` ${what}`];
}

/**
 * Hides the findings that match entries. An expired entry hides nothing, and neither does an entry that does not cover all groups in which
 * access depends on the object. An unreadable part is hidden only by an entry for its kind, and only if it affects no object of the states.
 *
 * @param now in milliseconds since 1970
 */
export function ignore(findings: readonly Finding[], entries: readonly IgnoreEntry[], now: number): Ignored {
  const kept: Finding[] = [];
  const ignored: IgnoredFinding[] = [];
  const used = new Set<IgnoreEntry>();
  const tests = entries.map((entry) => ({
    entry,
    matches: matcher(entry),
    scope: new EntryScope(entry),
    isExpired: endOf(entry) <= now,
    refused: [] as Refused[],
  }));
  for (const finding of findings) {
    const matching = tests.filter(({ matches }) => matches(finding));
    for (const { entry } of matching) used.add(entry);
    const current = matching
      .filter(({ isExpired }) => !isExpired)
      .map((test) => ({ ...test, refusal: refusalOf(test.entry, test.scope, finding) }));
    const valid = current.find(({ refusal }) => refusal === undefined)?.entry;
    if (valid === undefined) {
      kept.push(finding);
      for (const { refused, refusal } of current) if (refusal !== undefined) refused.push(refusal);
    } else ignored.push({ ...finding, owner: valid.owner, reason: valid.reason, expiry: valid.expiry });
  }
  const notes = tests.flatMap(({ entry, isExpired, refused }) => {
    const what = `${entry.where}: the entry for ${literal(entry.object ?? entry.pattern ?? entry.kind)}`;
    if (isExpired)
      return [`${what} expired on ${entry.expiry} and has no effect. Ask ${entry.owner} to repair the drift or renew the entry.`];
    const gaps = isGap(entry)
      ? findings.filter(({ class: is, kind, urn }) => is === "unreadable" && kind === entry.kind && urn === undefined)
      : [];
    if (refused.length > 0) return [`${what} ${refusedInWords(refused)}`];
    if (used.has(entry)) return gaps.map(({ kind, path }) => `Not compared: ${kind} in ${path}. ${gapInWords(entry)}`);
    if (gaps.length > 0) {
      const isFailed = gaps.every(({ uncompared }) => uncompared === undefined);
      return [
        `${what} hides nothing: ${isFailed ? "these credentials may read that kind, but reading failed" : "the states have objects of that kind, which could not be compared"}.`,
      ];
    }
    const meant = entry.kind === undefined ? findings.filter((each) => matcher({ ...entry, kind: each.kind })(each)) : [];
    if (meant.length > 0) {
      const kinds = alternatives([...new Set(meant.map(({ kind }) => `\`kind: ${kind}\``))]);
      return [`${what} matches nothing: objects of several kinds can share a path. Add ${kinds}, or use the uid.`];
    }
    return findings.some(matcher(entry, () => true))
      ? [`${what} matches nothing: a name in the path has a slash, so it may be the path of another object. Use the uid.`]
      : [`${what} matches nothing. Remove it, or correct it.`];
  });
  return { findings: kept, ignored, notes };
}

/** A day lasts until midnight UTC. */
function endOf({ expiry }: IgnoreEntry): number {
  return Date.parse(expiry) + (expiry.includes("T") ? 0 : 86_400_000);
}

/** @param isByPath whether the path identifies the object */
function matcher(entry: IgnoreEntry, isByPath = isTelling): (finding: Finding) => boolean {
  if (isGap(entry)) return ({ kind, uncompared }) => kind === entry.kind && uncompared === 0;
  const pattern = entry.pattern === undefined ? undefined : new Glob(entry.pattern);
  return (finding) => {
    if (finding.class === "unreadable") return false;
    // An object with the uid of its group is a different object.
    if (entry.kind === undefined ? listedKinds.get(finding.kind)?.sharesUid === true : entry.kind !== finding.kind) return false;
    if (entry.class !== undefined && entry.class !== finding.class) return false;
    const address = isByPath(finding) ? addressOf(finding) : undefined;
    if (pattern !== undefined) return pattern.matches(finding.uid) || (address !== undefined && pattern.matches(address));
    return entry.object === finding.uid || (entry.kind !== undefined && entry.object === address);
  };
}

/**
 * False if a name contains a slash, because the path then reads like the path of another object. Only the uid identifies such an object.
 */
function isTelling({ kind, path, uid }: Finding): boolean {
  return !isNamed(kind) || path.split("/").length === uid.split("/").length;
}

/** The path of an object. For an object without a name, the path of its group and the last part of its uid. */
function addressOf({ kind, path, uid }: Finding): string {
  return isNamed(kind) ? path : `${path}/${uid.split("/").at(-1) ?? ""}`;
}

function isNamed(kind: string): boolean {
  return "name" in (listedKinds.get(kind)?.fields ?? {});
}
