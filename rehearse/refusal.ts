import { PlatformError } from "../provider/client/errors";
import type { Ledger } from "./ledger";
import type { GrantingCall } from "./normal-form";
import { nounOf, titleOf, valueText } from "./words";

/** The error for a change that a bound run may not send. */
export function notRehearsed(call: GrantingCall | string, why: string): PlatformError {
  const what = typeof call === "string" ? call : titleOf(call);
  return new PlatformError(
    "NOT_REHEARSED",
    `${what}: this run may only do what was rehearsed. ${why} Nothing was sent. ` +
      "Rehearse again, and run `pulumi-platform up --rehearsed` with the new file.",
  );
}

/** The nearest call of the ledger, in a sentence. */
export function noSuchCall(call: GrantingCall, { calls, objects }: Ledger): string {
  const near = calls
    .filter(({ kind }) => kind === call.kind)
    .map((other) => ({ other, differences: differencesOf(call, other) }))
    .sort((one, another) => one.differences.length - another.differences.length)[0];
  if (near === undefined) return `The rehearsal gave no ${nounOf(call.kind)}.`;
  const text = (value: unknown) => valueText(value, objects);
  const differences = near.differences.map(({ what, is, was }) => `its ${what} was ${text(was)} and is ${text(is)}`);
  return `In the nearest call of the rehearsal, ${differences.join(", ") || "it was made for another object"}.`;
}

interface Difference {
  readonly what: string;
  readonly is: unknown;
  readonly was: unknown;
}

/** The members in which a call differs from another one. */
function differencesOf(call: GrantingCall, other: GrantingCall): Difference[] {
  const [is, was] = [call, other].map(({ verb, place, key, body }): Readonly<Record<string, unknown>> => {
    return { verb, place, ...key, ...body };
  }) as [Readonly<Record<string, unknown>>, Readonly<Record<string, unknown>>];
  return [...new Set([...Object.keys(is), ...Object.keys(was)])].flatMap((what) =>
    JSON.stringify(is[what]) === JSON.stringify(was[what]) ? [] : [{ what, is: is[what], was: was[what] }],
  );
}
