import { PlatformError } from "../../client/errors";
import { options, quoted } from "../../client/printable";
import { isBelow } from "../../client/uid";
import { describeExisting } from "../../schema/kind";
import type { Stated } from "../../schema/operation";
import type { Run } from "../run/run";
import { canEmptyOut } from "./force-destroy";
import type { Obstacle } from "./obstacles";

/** Maximum number of objects that an error names, each on a line of its own. */
const mostNamed = 5;

/** Maximum number of characters of the platform's own text, which may be a long list. */
const longestText = 400;

/** A rejected attempt, with the obstacles. */
export interface Blocked {
  readonly obstacles: readonly Obstacle[];
  readonly error: PlatformError;
}

/**
 * The error of a deletion rejected by the platform, with the ways out that work for its obstacles.
 *
 * @param isForceable whether its kind has `forceDestroy`, and its state does not set it
 */
export async function blocked(
  removal: Stated,
  { obstacles, error: cause }: Blocked,
  isForceable: boolean,
  run: Run,
): Promise<PlatformError> {
  const { kind, uid, state } = removal;
  const canForce = obstacles.length > 0 && isForceable && (await canEmptyOut(removal, run));
  const force = canForce ? ["Declare it again with `forceDestroy: true`, run `pulumi up`, then remove it."] : [];
  const hints = new Set(obstacles.flatMap(({ hint }) => hint ?? []));
  const labels = obstacles.map(({ label }) => label);
  const keep =
    "Keep it: declare it again with `retainOnDelete`, run `pulumi up`, then remove it; or run `pulumi state delete <urn>`.";
  const ways = labels.length > 0 ? ["Delete these first, then run again.", ...hints, ...force, keep] : [];
  const gone = run.ledger.deleted.filter((other) => isBelow(other.uid, uid)).map(({ label }) => label);
  const already = gone.length === 0 ? "" : `\nThis run has already deleted, in it:${lines(gone)}`;
  const platform = cause.message.replace(`${cause.code}: `, "");
  // The platform's text is of use only where it says more than which objects there are.
  const isRepeated = obstacles.some(({ uid }) => cause.message.includes(uid));
  const shorter = platform.replaceAll(new RegExp(`${uid}(?![/\\w])`, "g"), "it");
  const says = isRepeated ? "" : `\nThe platform says: ${quoted(shorter, longestText)}`;
  const [only = "", ...others] = labels;
  const by = others.length === 0 ? `${only}.` : `${labels.length} objects:${lines(labels)}`;
  const why = labels.length === 0 ? `${platform}${already}` : `blocked by ${by}${already}${options(ways)}${says}`;
  return new PlatformError("FAILED_PRECONDITION", `delete ${describeExisting(kind, uid, state)}: ${why}`, { cause });
}

/** The first items, each on a line of its own, and the number of the others. */
function lines(items: readonly string[]): string {
  const more = items.length - mostNamed;
  return [...items.slice(0, mostNamed), ...(more > 0 ? [`and ${more} more`] : [])].map((item) => `\n  ${item}`).join("");
}
