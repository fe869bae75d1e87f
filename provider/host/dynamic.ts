import { messageOf, withCode } from "../client/errors";
import { printable } from "../client/printable";
import { settings } from "../credentials";
import type { Problem } from "../kinds/declaration";
import type { CheckResult } from "../resources/check";
import { markChecked } from "../resources/claims/companions";
import type { DiffResult } from "../resources/diff";
import { duplicateFailures } from "../resources/checking/duplicates";
import { companionsArgument, updateArgument } from "../kinds/inputs";
import { declaredInputs, hideSecrets, type Inputs, type Kind, noteKeyOf } from "../kinds/kind";
import { knownReferences } from "../resources/naming/resolve";
import { type Life, lifeOf } from "../resources/life";
import type { Run } from "../resources/run";
import { rejectLeftBehind, warnOfLeftBehind } from "../resources/creating/left-behind";
import { rejectManaged } from "../resources/claims/sole-owner";
import { withKnownUids } from "../kinds/references";
import { warnOfUnknownNames } from "../resources/checking/enum-names";
import { warnOfExpiry } from "../resources/checking/expiry";
import { warnOfHiddenNames } from "../resources/checking/hidden-names";
import { endWithEngine } from "./engine-watch";
import { failureFor } from "./failure";
import type { Settings } from "./explicit-provider";
import { closeRuns, runFor } from "./session";
import { toStruct } from "./struct";

/** Argument of `configure`: the stack's configuration. */
export interface ConfigureRequest {
  config: { get(key: string): string | undefined };
}

/** The provider object of one kind, as Pulumi's dynamic provider host calls it (docs/engine.md#dynamic-resources). */
export interface DynamicProvider {
  configure(request: ConfigureRequest): Promise<void>;
  check(olds: Inputs, news: Inputs): Promise<CheckResult>;
  diff(id: string, olds: Inputs, news: Inputs): Promise<DiffResult>;
  create(inputs: Inputs): Promise<{ id: string; outs: Inputs }>;
  read(id: string, props: Inputs): Promise<{ id?: string; props?: Inputs; inputs?: Inputs }>;
  update(id: string, olds: Inputs, news: Inputs): Promise<{ outs: Inputs }>;
  delete(id: string, props: Inputs): Promise<void>;
}

/**
 * Serves `kind` to the dynamic provider host. The errors that its methods throw have no stack.
 *
 * @param runOf returns the run of these settings. Default: the one that all kinds of this process share
 * @param life what the calls do. Default: the life of an object of that kind
 */
export function dynamicProvider(
  kind: Kind,
  runOf: (settings: Settings) => Run = runFor,
  life: Life = lifeOf(kind),
): DynamicProvider {
  let stack: Settings = {};
  let current: { stack: Settings; run: Run } | undefined;
  const currentRun = (): Run => {
    if (current?.stack !== stack) current = { stack, run: runOf(stack) };
    return current.run;
  };
  const guarded = async <Result>(work: (run: Run) => Result | Promise<Result>, inputs: Inputs = {}): Promise<Result> => {
    try {
      return await work(currentRun());
    } catch (error) {
      throw failureFor(error, inputs["__provider"]);
    }
  };
  /** The engine's properties without the provider text. Redacts their secrets in all later messages. */
  const given = ({ __provider: _, [updateArgument]: __, [companionsArgument]: ___, ...properties }: Inputs): Inputs => {
    hideSecrets(kind, properties);
    return properties;
  };
  return {
    // Other calls may run before this one ends, and after it fails, so it only stores (docs/engine.md#configure-races).
    configure(request) {
      stack = settingsOf(request);
      endWithEngine(closeRuns);
      return Promise.resolve();
    },
    check: (olds, news) =>
      // The engine prints a failure once. The host would print an error as well.
      guarded(async (run) => {
        run.isProgramRun = true;
        if (news[updateArgument] === true) run.isUpdate = true;
        run.declaredLogins.record(kind, news);
        const known = given(olds);
        const result = life.check(known, given(news), run);
        // Also what fails is declared: no GroupAccess may remove it, nor wait for its check.
        markChecked(kind, result.inputs, news[companionsArgument], run);
        if (result.failures.length > 0) return { ...result, failures: asPrinted(result) };
        if (Object.keys(known).length === 0) warnOfExpiry(kind, undefined, result.inputs, result.inputs, run);
        warnOfUnknownNames(kind, known, result.inputs, run);
        const failures = await duplicateFailures(kind, known, result.inputs, run);
        failures.push(...run.authority.failures(kind, result.inputs));
        return { ...result, failures: asPrinted({ ...result, failures }) };
      }).catch((error: unknown) => ({
        inputs: news,
        failures: [{ property: "", reason: messageOf(error) }],
      })),
    diff: (id, olds, news) =>
      guarded(async (run) => {
        const state = given(olds);
        const declared = await knownReferences(kind, id, state, given(news), run);
        const result = life.diff(id, state, declared, run);
        // What a check of this run has seen: a refresh compares the state, which the program may have left behind.
        if (run.keyHeld(kind, id) !== undefined) rejectManaged(kind, withKnownUids(kind.fields, state, declared), run);
        run.inState.add(kind.collection, id);
        const key = noteKeyOf(kind, declared);
        if (key !== undefined) run.pendingCreates.isInState(key, id);
        if (key !== undefined && !result.changes) run.declarations.foundUnchanged(key, id, declared);
        warnOfExpiry(kind, id, state, declared, run);
        if (result.changes) warnOfHiddenNames(kind, id, declaredInputs(kind, state), declaredInputs(kind, declared), run);
        // The update itself says so when it rejects the change.
        if (run.isProgramRun && !run.isUpdate) {
          const lockouts = await life.lockouts(id, { olds: state, news: declared, replaces: result.replaces }, run);
          for (const { message } of lockouts) run.notifyOnce(`warning: ${message}`);
        }
        return result;
      }),
    create: (inputs) =>
      guarded(async (run) => {
        const { id, outs } = await life.create(given(inputs), run);
        return { id, outs: structOf(outs) };
      }, inputs),
    read: (id, props) =>
      guarded(async (run) => {
        const state = given(props);
        // A read without properties is a `get`: the object is not in state (docs/engine.md#get).
        if (Object.keys(state).length === 0) return structOf(await life.get(id, run));
        run.inState.add(kind.collection, id);
        await warnOfLeftBehind(run);
        const observed = await life.refresh(id, state, run);
        if (observed === undefined) return {};
        warnOfHiddenNames(kind, id, declaredInputs(kind, state), declaredInputs(kind, observed.inputs), run);
        return structOf(observed);
      }),
    update: (id, olds, news) =>
      guarded(async (run) => ({ outs: structOf(await life.update(id, given(olds), given(news), run)) }), news),
    delete: (id, props) =>
      guarded(async (run) => {
        const state = given(props);
        await rejectLeftBehind(kind, id, state, run);
        await life.remove(id, state, run);
      }),
  };
}

/**
 * The failures of a check in the form that the engine prints well: it adds the value of the input that `property` names, and `{<nil>}`
 * for a part of an input, or for none.
 */
function asPrinted({ inputs, failures }: CheckResult): Problem[] {
  return failures.map(({ property, reason, code = "INVALID_INPUT" }) => {
    if ((inputs[property] ?? undefined) !== undefined) return { property, reason: withCode(code, reason) };
    const isNamed = !property.includes(".") || reason.includes(property);
    return { property: "", reason: withCode(code, isNamed ? reason : `${printable(property)}: ${reason}`) };
  });
}

function structOf<Members extends object>(value: Members): Members {
  return toStruct(value) as Members;
}

/** All settings of the stack, unknown ones included, so that the check can report them. */
export function settingsOf({ config }: ConfigureRequest): Settings {
  const raw = (config as { rawConfig?: Settings }).rawConfig;
  return (
    raw ??
    Object.fromEntries(
      Object.values(settings).flatMap((setting) => ("key" in setting ? [[setting.key, config.get(setting.key)]] : [])),
    )
  );
}
