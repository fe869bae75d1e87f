import { causeOf, PlatformError } from "../../client/errors";
import { list } from "../../client/printable";
import { describe, type Inputs, type Kind, type Observed, show } from "../../schema/kind";
import { uidsOf } from "./ownership";

/**
 * The error if this create, or one of a killed run, made objects with a value of which only the lost answer could tell.
 *
 * @param cause the error of the send, if this run has sent anything
 */
export function valueLost(
  kind: Kind,
  inputs: Inputs,
  found: readonly Observed[],
  cause: PlatformError | undefined,
): PlatformError {
  const [one, which] = found.length > 1 ? ["one of ", "the one that nothing else created, of "] : ["", ""];
  const why =
    `the platform created ${one}${list(found.map((object) => withOutputs(kind, object)))}, but its response was lost, and with it ` +
    `${list(kind.shownOnce)}, which no later response shows. It is not in the state.`;
  const then = `Delete ${which}${uidsOf(found)} on the platform, then run again.`;
  return new PlatformError("OUTCOME_UNKNOWN", `create ${describe(kind, inputs)}: ${why} ${then}`, { cause });
}

/** An object with what the platform set, for messages. */
function withOutputs(kind: Kind, { uid, outputs }: Observed): string {
  const shown = Object.entries(outputs).filter(([name, value]) => typeof value === "string" && !kind.secrets.includes(name));
  return `${uid} (${shown.map(([name, value]) => `${name} ${show(value)}`).join(", ")})`;
}

/**
 * The error for a create that may have been applied.
 *
 * @param why it is not known, as a sentence
 * @param known.adopts whether the next run adopts the object; undefined for a kind whose objects cannot be adopted
 * @param known.cause the error of the send
 */
export function outcomeUnknown(
  kind: Kind,
  inputs: Inputs,
  why: string,
  { adopts, cause }: { readonly adopts: boolean | undefined; readonly cause: PlatformError | undefined },
): PlatformError {
  const then =
    adopts === undefined
      ? "delete it"
      : adopts
        ? "the next run adopts it if it equals the declaration"
        : "set `adopt: true` (or PLATFORM_ADOPT=true for one run)";
  return new PlatformError(
    "OUTCOME_UNKNOWN",
    `create ${describe(kind, inputs)}: unknown whether the platform created it: ${why} ` +
      `(${causeOf(cause)}) Check whether it exists. If so, ${then}; otherwise run again.`,
    { cause },
  );
}
