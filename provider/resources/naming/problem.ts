import type { WireObject } from "../../client/collection";
import { PlatformError, type PlatformErrorCode } from "../../client/errors";
import { suggest } from "../../client/nearest-name";
import { literal, quoted, shortList } from "../../client/printable";
import type { Kind } from "../../schema/kind";

/** How many candidates a message names at most. */
const mostShown = 10;

/** A name of which the platform shows no object. */
export interface MissingName {
  /** The kind of the object. */
  readonly of: Pick<Kind, "collection">;
  readonly name: string;
  /** The names of such objects that the platform shows. */
  readonly shown: readonly string[];
  /** Whether it is at most one letter from the name of a built-in role. Default: false. */
  readonly isSlip?: boolean;
}

/** The error about a reference that does not mean exactly one object. */
export class Unresolved extends PlatformError {
  constructor(
    code: PlatformErrorCode,
    /** The same as the message, as it was given. */
    readonly reason: string,
    /** The name that was not found; undefined for any other reason. */
    readonly missing: MissingName | undefined,
  ) {
    super(code, reason);
  }
}

/** The error about a reference. @param why what was found, and what to do */
export function problem(code: PlatformErrorCode, name: string, text: unknown, why: string, missing?: MissingName): Unresolved {
  return new Unresolved(code, `${name} ${literal(text)}: ${why}`, missing);
}

/** `did you mean "viewer"?`, or the first names. Empty if there are none. */
export function nearest(written: string, names: readonly string[], plural: string): string {
  const sorted = [...new Set(names)].sort();
  if (sorted.length === 0) return "";
  const hint = suggest(written, sorted.slice(0, 1_000), plural);
  if (hint.startsWith("did you mean") || sorted.length <= mostShown) return ` ${capital(hint)}`;
  const shown = sorted.map((name) => literal(name));
  return ` The ${plural} are ${shortList(shown, mostShown)}.`;
}

/** Uids of objects, for a message. */
export function uidsOf(rows: readonly WireObject[]): string {
  const uids = rows.map(({ uid }) => uid);
  return shortList(uids, mostShown);
}

/** Uids of candidates, each with what may tell it from the others, for a message about several. */
export function candidates(rows: readonly WireObject[]): string {
  return shortList(rows.map(withMarks), mostShown);
}

/** `a/b (created 2026-01-31T00:00:00Z, "The old one")`. */
function withMarks(row: WireObject): string {
  const { createTime, description } = row as { createTime?: unknown; description?: unknown };
  const created = typeof createTime === "string" && createTime !== "" ? [`created ${quoted(createTime)}`] : [];
  const described = typeof description === "string" && description !== "" ? [literal(description)] : [];
  const marks = [...created, ...described];
  return marks.length === 0 ? row.uid : `${row.uid} (${marks.join(", ")})`;
}

/** The noun of a kind for several objects. */
export function pluralOf({ collection: { noun } }: Pick<Kind, "collection">): string {
  return noun.replace(/y$/, "ie") + "s";
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
