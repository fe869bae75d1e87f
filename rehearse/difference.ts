import type { Ledger, LedgerCall, LedgerObject } from "./ledger";
import { effectOf } from "./normal-form";

/** A rehearsed update, as far as rehearsals are compared. */
export interface RehearsedRun extends Omit<Ledger, "since"> {
  readonly command: string;
  /** As project/stack. */
  readonly stack: string;
  readonly platform: string;
  readonly identity?: string | undefined;
  readonly errors: readonly string[];
  readonly undecided: readonly { readonly what: string; readonly reason: string }[];
}

/** An object that two rehearsals name, as each of them has it: before its update and, if that changes it, afterwards. */
export interface ObjectChange {
  readonly kind: string;
  readonly path: string;
  readonly then: readonly LedgerObject[];
  readonly now: readonly LedgerObject[];
}

/** A fact that only one of two rehearsals has, or in which they differ. */
export interface FactChange {
  readonly what: string;
  readonly then?: string | undefined;
  readonly now?: string | undefined;
}

/** How a rehearsal differs from an earlier one. Equal rehearsals have no entry in any list. */
export interface Difference {
  /** Calls that only the earlier one made, or made another number of times. */
  readonly callsThen: readonly LedgerCall[];
  readonly callsNow: readonly LedgerCall[];
  readonly objects: readonly ObjectChange[];
  readonly facts: readonly FactChange[];
}

/** Compares two rehearsals. Two calls are equal if a bound run cannot tell them apart. */
export function differenceBetween(then: RehearsedRun, now: RehearsedRun): Difference {
  const [callsThen, callsNow] = [missingIn(now.calls, then.calls, callKey), missingIn(then.calls, now.calls, callKey)];
  const isSameCalls = callsThen.length + callsNow.length === 0;
  return {
    callsThen,
    callsNow,
    // With other calls, each rehearsal also names other objects.
    objects: objectChanges(then.objects, now.objects).filter(
      (each) => isSameCalls || (each.then.length > 0 && each.now.length > 0),
    ),
    facts: [...settingChanges(then, now), ...textChanges(then, now)],
  };
}

/** True for rehearsals that differ. */
export function isDifferent({ callsThen, callsNow, objects, facts }: Difference): boolean {
  return callsThen.length + callsNow.length + objects.length + facts.length > 0;
}

function callKey(call: LedgerCall): string {
  return JSON.stringify([effectOf(call), call.times]);
}

function objectChanges(then: readonly LedgerObject[], now: readonly LedgerObject[]): ObjectChange[] {
  const all = new Map([...then, ...now].map((each) => [placeKey(each), each]));
  return [...all].flatMap(([key, { kind, path }]) => {
    const [was, is] = [then, now].map((objects) => objects.filter((each) => placeKey(each) === key)) as [
      LedgerObject[],
      LedgerObject[],
    ];
    const isSame = missingIn(was, is, objectKey).length + missingIn(is, was, objectKey).length === 0;
    return isSame ? [] : [{ kind, path, then: was, now: is }];
  });
}

/** An object without a name has the path of its parent. */
function placeKey({ kind, path, name, uid }: LedgerObject): string {
  return JSON.stringify([kind, path, name === undefined ? uid : undefined]);
}

function objectKey({ kind, path, name, uid, decides }: LedgerObject): string {
  return JSON.stringify([kind, path, name, uid, decides]);
}

function settingChanges(then: RehearsedRun, now: RehearsedRun): FactChange[] {
  return (["command", "stack", "platform", "identity"] as const).flatMap((what) =>
    then[what] === now[what] ? [] : [{ what, then: then[what], now: now[what] }],
  );
}

function textChanges(then: RehearsedRun, now: RehearsedRun): FactChange[] {
  const [was, is] = [then, now].map(({ errors, undecided }) => [
    ...errors.map((text) => ({ what: "error", text })),
    ...undecided.map(({ what, reason }) => ({ what: "undecided", text: `${what}: ${reason}` })),
  ]) as [Text[], Text[]];
  const key = ({ what, text }: Text) => JSON.stringify([what, text]);
  return [
    ...missingIn(is, was, key).map(({ what, text }) => ({ what, then: text })),
    ...missingIn(was, is, key).map(({ what, text }) => ({ what, now: text })),
  ];
}

interface Text {
  readonly what: string;
  readonly text: string;
}

function missingIn<Value>(values: readonly Value[], wanted: readonly Value[], key: (value: Value) => string): Value[] {
  const known = new Set(values.map(key));
  return wanted.filter((each) => !known.has(key(each)));
}
