import type { Timing } from "../../provider/client/retry";
import { lineageOf, parentOf } from "../../provider/client/uid";
import type { Kind } from "../../provider/schema/kind";
import { clientSecret, KindFixture, type Snapshot } from "./kind-fixture";
import { type Duration, durations, type Fault, faults, inject, isExchange, isList } from "./faults";
import type { Asked } from "../support/fault-proxy";
import { deleteIt, faultyWords, violations } from "./invariants";
import { type Lifecycle, lifecycles, type Scene, valueLost } from "./lifecycles";
import { withConcurrency } from "../support/concurrency";
import { longTimeouts } from "../support/timeouts";
import type { Random } from "./random";
import { openSession, type Session, type SessionOptions } from "./single-resource";

/** One fault, at one request, of one step in the life of an object of one kind. */
export interface Combination {
  kind: Kind;
  lifecycle: Lifecycle;
  fault: Fault;
  duration: Duration;
  asked: Asked;
  /** Its index among the requests that the fault can affect. */
  nth: number;
}

/** How a combination went. */
export interface Verdict {
  /** Whether the step succeeded in spite of the fault. */
  isHealed: boolean;
  /** Violated rules, as sentences. */
  violations: string[];
  /** Where it fell short of what is expected; on a busy machine a deadline that has passed can be the reason. */
  shortfalls: string[];
}

async function calmly<Result>(
  fixture: KindFixture,
  work: (session: Session) => Promise<Result>,
  options: SessionOptions = {},
): Promise<Result> {
  const session = await openSession(fixture, options);
  try {
    return await work(session);
  } finally {
    await session.proxy.close();
  }
}

const messageOf = (error: Error | undefined) => error?.message ?? "";

function errorOf(reason: unknown): Error {
  return reason instanceof Error ? reason : new Error(String(reason));
}

async function attempt(work: () => Promise<unknown>): Promise<{ result?: unknown; error?: Error }> {
  try {
    return { result: await work() };
  } catch (reason) {
    return { error: errorOf(reason) };
  }
}

/** A request in words: `List groups`, `PATCH identities`. */
function labelOf(asked: Asked): string {
  if (isExchange(asked)) return "token exchange";
  const [, , , collection = ""] = asked.path.split("/");
  return `${isList(asked) ? "List" : asked.method} ${collection}`;
}

/** The requests of a lifecycle that nothing disturbs, and those at which faults are tried. */
async function record(kind: Kind, lifecycle: Lifecycle): Promise<{ all: Asked[]; tried: Asked[] }> {
  const fixture = await KindFixture.start(kind);
  try {
    const scene = await lifecycle.prepare(fixture);
    await fixture.platform.settings({ duplicateNames: lifecycle.takesDoubles ?? false });
    if (lifecycle.base !== undefined) await fixture.platform.admin("POST", "faults", lifecycle.base);
    return await calmly(
      fixture,
      async (session) => {
        session.proxy.pageLimit = lifecycle.pageLimit ?? Infinity;
        const { error } = await attempt(() => scene.step(session));
        if (error !== undefined && !lifecycle.refusal?.test(error.message)) throw error;
        if (error === undefined && lifecycle.refusal !== undefined) throw new Error(`${lifecycle.name} is not refused`);
        const { asked } = session.proxy;
        const start = lifecycle.base === undefined ? 0 : asked.findIndex(({ method }) => method === "POST") + 1;
        const tried = telling(asked.slice(start).filter(lifecycle.at ?? ((each) => !isExchange(each))));
        return { all: asked, tried };
      },
      { timing: longTimeouts },
    );
  } finally {
    await fixture.close();
  }
}

/** The shorter of two recordings: on a busy machine a request may be sent again. */
async function calmer(kind: Kind, lifecycle: Lifecycle): ReturnType<typeof record> {
  const [one, other] = [await record(kind, lifecycle), await record(kind, lifecycle)];
  return one.all.length <= other.all.length ? one : other;
}

/** Of requests of one sort the first and the last: those between them are alike. */
function telling(asked: Asked[]): Asked[] {
  return asked.filter((each) => {
    const alike = asked.filter((other) => labelOf(other) === labelOf(each));
    return alike[0] === each || alike.at(-1) === each;
  });
}

/** Every combination of `kind` that makes sense. */
export async function combinations(kind: Kind): Promise<Combination[]> {
  const all = lifecycles(calmly).map((lifecycle) => ({ kind, lifecycle }));
  const sensible = all.filter(({ kind, lifecycle }) => lifecycle.suits?.(kind) ?? true);
  const recorded = await withConcurrency(sensible, async ({ kind, lifecycle }) => ({
    kind,
    lifecycle,
    ...(await calmer(kind, lifecycle)),
  }));
  return recorded.flatMap(({ kind, lifecycle, all, tried }) =>
    tried.flatMap((asked) =>
      faults
        .filter((fault) => fault.on?.(asked) ?? true)
        .flatMap((fault) => {
          const nth = all.filter((each) => fault.on?.(each) ?? true).indexOf(asked);
          return durations.map((duration) => ({ kind, lifecycle, fault, duration, asked, nth }));
        }),
    ),
  );
}

/**
 * Some of `all`, drawn by `random`, that hold every fault and every lifecycle of every kind.
 */
export function sample(all: Combination[], random: Random): Combination[] {
  const rest = [...all];
  const seen = new Set<string>();
  const chosen: Combination[] = [];
  while (rest.length > 0) {
    const [drawn] = rest.splice(random.between(0, rest.length - 1), 1);
    if (drawn === undefined) break;
    const { kind, lifecycle, fault } = drawn;
    const marks = [fault.name, `${kind.collection.noun} ${lifecycle.verb} ${lifecycle.name}`];
    if (marks.some((mark) => !seen.has(mark))) chosen.push(drawn);
    for (const mark of marks) seen.add(mark);
  }
  return chosen;
}

/** A combination in words. */
export function titleOf({ kind, lifecycle, fault, duration, asked }: Combination): string {
  const where = `request ${asked.ordinal} (${labelOf(asked)})`;
  return `${kind.collection.noun}, ${lifecycle.verb} ${lifecycle.name}: ${fault.name}, ${duration}, at ${where}`;
}

/** Plays a combination on a platform of its own, then what a user does next, and looks at the result. */
export async function play({ kind, lifecycle, fault, duration, asked, nth }: Combination, timing: Timing): Promise<Verdict> {
  const fixture = await KindFixture.start(kind);
  try {
    const scene = await lifecycle.prepare(fixture);
    await fixture.platform.settings({ duplicateNames: lifecycle.takesDoubles ?? false });
    const before = await fixture.snapshot();
    const session = await openSession(fixture, { timing });
    session.proxy.pageLimit = lifecycle.pageLimit ?? Infinity;
    const injected = await inject(fault, { ordinal: asked.ordinal, nth }, duration, fixture, session.proxy);
    if (lifecycle.base !== undefined) await fixture.platform.admin("POST", "faults", lifecycle.base);
    const { result, error } = await attempt(() => scene.step(session));
    const wasMet = await injected.wasMet();
    await session.proxy.close();
    await fixture.platform.clearFaults();

    const { verb, refusal } = lifecycle;
    const after = await fixture.snapshot();
    const found = violations(fixture, scene, { verb, before, after, error, message: messageOf(error) });
    const shortfalls = wasMet ? [] : ["the fault met no request"];
    if (error === undefined) {
      if (refusal !== undefined) found.push("it was not refused");
      const complaint = scene.complaint?.(result);
      if (complaint !== undefined) found.push(complaint);
    } else {
      // The last attempt has what is left of the budget.
      const isOutOfTime = duration === "for good" ? [/no complete response/] : [];
      const hasLostValue = namesLostValue(error.message, before, after);
      const causes = [
        fault.cause,
        ...(hasLostValue ? [valueLost] : []),
        ...isOutOfTime,
        ...(refusal ? [refusal] : []),
        ...(lifecycle.base ? [/connection was lost/] : []),
      ];
      const secrets = [clientSecret, ...session.proxy.asked.map((each) => each.token)];
      shortfalls.push(...faultyWords(fixture, scene, verb, error, causes, secrets));
      const mustGoOn = (duration === "once" && fault.healed(asked)) || fault.isHarmless === true;
      const isUnproven = noWitness.test(error.message) && !isWitnessed(kind, scene, before);
      const mayFail = refusal?.test(error.message) === true || isUnproven || hasLostValue;
      if (mustGoOn && !mayFail) shortfalls.push(`it failed: ${error.message}`);
    }
    const afterwards = await repair(fixture, lifecycle, scene, before, error);
    return {
      isHealed: error === undefined,
      violations: [...found, ...afterwards.violations],
      shortfalls: [...shortfalls, ...afterwards.shortfalls],
    };
  } finally {
    await fixture.close();
  }
}

/** True if the error names an object that was created, and whose value only the lost response had: no later request can recover it. */
function namesLostValue(message: string, before: Snapshot, after: Snapshot): boolean {
  return valueLost.test(message) && [...after.keys()].some((uid) => !before.has(uid) && message.includes(uid));
}

const noWitness = /unknown whether the platform created it: no List shows these credentials any/;

/**
 * True if the List can prove that a lost create was not applied: it shows another object of the kind in the same place or in a group
 * above. Without one, the List may hide the created object as well, and a second POST could make a duplicate.
 */
function isWitnessed({ collection, parentInput }: Kind, { program }: Scene, before: Snapshot): boolean {
  const above = lineageOf(String(program?.[parentInput]));
  return [...before].some(([uid, placed]) => placed.collection === collection.segment && above.includes(parentOf(uid) ?? ""));
}

/** Deletes what exists since `before` and is not in the state, as an error has asked for. */
async function deleteUnknown(fixture: KindFixture, { stack }: Scene, before: Snapshot): Promise<void> {
  const known = [stack.entry, ...stack.leaving].map((entry) => entry?.id);
  for (const [uid, { collection }] of await fixture.snapshot())
    if (!before.has(uid) && !known.includes(uid)) await fixture.platform.delete(collection, uid);
}

/** Without the fault the same command comes to its end; after one that has come to its end, it writes nothing. */
async function repair(
  fixture: KindFixture,
  { verb, refusal }: Lifecycle,
  scene: Scene,
  before: Snapshot,
  earlier: Error | undefined,
): Promise<Omit<Verdict, "isHealed">> {
  const step = earlier === undefined ? scene.step : (scene.repair ?? scene.step);
  if (deleteIt.test(messageOf(earlier))) await deleteUnknown(fixture, scene, before);
  const writes: string[] = [];
  let { error } = await attempt(() =>
    calmly(fixture, async (session) => {
      await step(session).finally(() => {
        const { asked } = session.proxy;
        writes.push(
          ...asked.filter(({ method, path }) => method !== "GET" && /^\/(iam|registry|events)\//.test(path)).map(labelOf),
        );
      });
    }),
  );
  const isOffered = messageOf(earlier).includes("unknown whether the platform created it");
  if (isOffered && /already exists/.test(messageOf(error)))
    ({ error } = await attempt(() => calmly(fixture, step, { adopt: true })));
  const message = `${messageOf(earlier)} ${messageOf(error)}`;
  const found = violations(fixture, scene, { verb, before, after: await fixture.snapshot(), error, message });
  if (earlier === undefined && writes.length > 0) found.push(`it wrote again: ${writes.join(", ")}`);
  const isDone = error === undefined || refusal?.test(error.message) === true;
  return {
    violations: found.map((violation) => `afterwards, ${violation}`),
    shortfalls: isDone ? [] : [`afterwards, it still fails: ${messageOf(error)}`],
  };
}
