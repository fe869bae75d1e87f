import { parentOf } from "../../client/uid";
import { group } from "../../kinds/group";
import { identity } from "../../kinds/identity";
import { role } from "../../kinds/role";
import type { Problem } from "../../schema/declaration";
import { asDeclared, describe, type Inputs } from "../../schema/kind";
import type { Declaring } from "../../schema/operation";
import { type DeclaredReference, isUnknown } from "../../schema/references";
import type { FirstNames } from "./first-names";
import { isGrantableIn } from "./matchers";
import type { Referring, Searching } from "./needs";
import { Unresolved } from "./problem";
import { verdictOn } from "./verdict";

/** The part of a run that checks of names use. */
export interface Checking extends Referring {
  readonly firstNames: FirstNames;
}

/** A name that a checked resource writes. */
export interface AskedName {
  /** The argument, for messages; empty if the message says it. */
  readonly property: string;
  /** Kind of the object. */
  readonly to: DeclaredReference["to"];
  readonly text: unknown;
  /** The uid of this very text in the inputs in state; undefined if they do not have it. */
  readonly kept: unknown;
  /** The resource and argument, within the run; undefined if the class does not tell its name. */
  readonly owner: string | undefined;
  /** Uid of the group from which it is looked up; undefined if it is not known yet. See also {@link anywhere}. */
  readonly place: string | undefined;
  readonly lookUp: (run: Asking) => Promise<string>;
}

/** The part of a run that a look-up uses. */
export type Asking = Searching & { readonly notify: (message: string) => void };

/** The place of a name that is looked up from the root. */
export const anywhere = "";

const kindsNamed = { group, role, identity };

/** The uid that the name has in the state, had first in this run, or means now; undefined if check cannot know it. */
export async function firstUid(asked: AskedName, run: Checking): Promise<string | Unresolved | undefined> {
  const { text, kept, owner, to, place } = asked;
  const isHere = (uid: unknown): uid is string =>
    typeof uid === "string" && (to !== "role" || place === undefined || isGrantableIn({ uid }, place));
  const known = kept ?? (owner === undefined ? undefined : run.firstNames.known(owner, text));
  const found = isHere(known) ? known : await meaningNow(asked, run);
  if (typeof found === "string" && owner !== undefined) run.firstNames.keep(owner, text, found);
  return found;
}

async function meaningNow({ to, text, place, lookUp }: AskedName, run: Checking): Promise<string | Unresolved | undefined> {
  // A login is that of an identity of the organisation, or else of a person.
  if (place === undefined && typeof text !== "string") return undefined;
  const found = await (run.mode === "update"
    ? unresolvedOr(lookUp(run))
    : run.firstNames.answer((names) => lookUp({ ...run, names })));
  // Built-in roles and people are the same at any time of the update.
  if (typeof found !== "string" || parentOf(found) === undefined) return found;
  const isMoving = typeof text === "string" && run.ledger.names.mayHave(kindsNamed[to], text.split("/").at(-1) ?? "");
  return isMoving || (to === "role" && place === undefined) ? undefined : found;
}

/** The uid, or the error if nothing was found. @throws PlatformError any other one */
async function unresolvedOr<Found>(found: Promise<Found>): Promise<Found | Unresolved> {
  return found.catch((error: unknown) => {
    if (error instanceof Unresolved) return error;
    throw error;
  });
}

/** Why a preview rejects a name that is not found; undefined if it warns or says nothing. An update says it when it comes to it. */
export async function rejection(
  { to, property }: Pick<AskedName, "to" | "property">,
  found: Unresolved,
  declaring: Declaring,
  run: Checking,
): Promise<Problem | undefined> {
  if (run.mode === "update") return undefined;
  const verdict = await verdictOn(found, to, placeIn(declaring.news, declaring.kind.parentInput), run);
  if (verdict === "warn") warn(declaring, property, found, run);
  return verdict === "reject" ? { property, reason: found.reason, code: found.code } : undefined;
}

/** Tells in a preview what `up` would reject. */
export function warn({ kind, news }: Declaring, property: string, { code, reason }: Unresolved, run: Checking): void {
  // The reason begins with the reference.
  const { [property]: _, ...others } = news;
  const what = describe(kind, asDeclared(kind, others));
  const [why = "", ...advice] = reason.split("\n");
  const then = `As long as that is so, \`pulumi up\` rejects it with ${code}.`;
  run.notify([`warning: ${what}: ${why} ${then}`, ...advice].join("\n"));
}

/** Uid of the group in the field `name`, from which other names are looked up; undefined if it is not known yet. */
export function placeIn(inputs: Inputs, name: string): string | undefined {
  const place = inputs[name];
  return typeof place === "string" && !isUnknown(place) ? place : undefined;
}
