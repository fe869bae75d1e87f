import { messageOf, withCode } from "../client/errors";
import { printable } from "../client/printable";
import type { Problem } from "../schema/declaration";
import type { Inputs } from "../schema/kind";
import type { CheckResult } from "../resources/object/check";
import type { Created } from "../resources/creating/create";
import type { DiffResult } from "../resources/object/diff";
import type { Life } from "../resources/object/life";
import type { Found } from "../resources/object/read";
import type { Run } from "../resources/run/run";
import type { Settings } from "./explicit-provider";
import { failureFor } from "./failure";

/** What one engine calls about the resources of one type. */
export interface Serving {
  check(olds: Inputs, news: Inputs): Promise<CheckResult>;
  diff(id: string, olds: Inputs, news: Inputs): Promise<DiffResult>;
  create(inputs: Inputs): Promise<Created>;
  /** @returns undefined if the object is provably gone */
  read(id: string, state: Inputs): Promise<Found | undefined>;
  /** @returns the outputs for state */
  update(id: string, olds: Inputs, news: Inputs): Promise<Inputs>;
  delete(id: string, state: Inputs): Promise<void>;
}

/** Serves a type of resources with the settings of an engine. */
export type Serve = (settings: Settings) => Serving;

/** Serves `life`, with the run that `runOf` returns for the settings. */
export function serveLife(life: Life, runOf: (settings: Settings) => Run): Serve {
  return (settings) => {
    const run = runOf(settings);
    return {
      check: (olds, news) => life.check(olds, news, run),
      diff: (id, olds, news) => life.diff(id, olds, news, run),
      create: (inputs) => life.create(inputs, run),
      read: (id, state) => life.read(id, state, run),
      update: (id, olds, news) => life.update(id, olds, news, run),
      delete: (id, state) => life.delete(id, state, run),
    };
  };
}

/**
 * The result of `check` in the form that the engine prints well. What it throws is a failure too: the engine prints that once, where
 * the host would print an error as well.
 */
export async function checked(news: Inputs, check: () => Promise<CheckResult>): Promise<CheckResult> {
  try {
    const result = await check();
    return { ...result, failures: asPrinted(result) };
  } catch (error) {
    return { inputs: news, failures: [{ property: "", reason: messageOf(failureFor(error)) }] };
  }
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
