import { settings } from "../credentials";
import type { Inputs, Kind } from "../schema/kind";
import type { CheckResult } from "../resources/object/check";
import type { DiffResult } from "../resources/object/diff";
import { type Life, lifeOf } from "../resources/object/life";
import type { Run } from "../resources/run/run";
import { checked } from "./checked";
import { endWithEngine } from "./engine-watch";
import type { Settings } from "./explicit-provider";
import { failureFor } from "./failure";
import { closeRuns, runFor, type RunOf } from "./session";
import { toStruct } from "./struct";

/** Argument of `configure`, with the stack's configuration. */
export interface ConfigureRequest {
  config: { get(key: string): string | undefined };
}

/** The provider object of one type, as Pulumi's dynamic provider host calls it. */
// See docs/contributing/engine.md#dynamic-resources.
export interface DynamicProvider {
  configure(request: ConfigureRequest): Promise<void>;
  check(olds: Inputs, news: Inputs): Promise<CheckResult>;
  diff(id: string, olds: Inputs, news: Inputs): Promise<DiffResult>;
  create(inputs: Inputs): Promise<{ id: string; outs: Inputs }>;
  read(id: string, props: Inputs): Promise<{ id?: string; props?: Inputs; inputs?: Inputs }>;
  update(id: string, olds: Inputs, news: Inputs): Promise<{ outs: Inputs }>;
  delete(id: string, props: Inputs): Promise<void>;
}

/** Serves objects of `kind` to the dynamic provider host, see {@link dynamically}. */
export function dynamicProvider(kind: Kind, runOf?: RunOf): DynamicProvider {
  return dynamically(lifeOf(kind), runOf);
}

/**
 * Serves `life` to the dynamic provider host. The errors that its methods throw have no stack.
 *
 * @param runOf returns the run of the stack's settings. Default: the run shared by all types of this process
 */
export function dynamically(life: Life, runOf: RunOf = runFor): DynamicProvider {
  let stack: Settings = {};
  let run: Run | undefined;
  const running = (): Run => (run ??= runOf(stack));
  const guarded = async <Result>(work: (run: Run) => Promise<Result>, inputs: Inputs = {}): Promise<Result> => {
    try {
      return await work(running());
    } catch (error) {
      throw failureFor(error, inputs["__provider"]);
    }
  };
  return {
    // Other calls may run before this one ends, and after it fails, so it only stores (docs/contributing/engine.md#configure-races).
    configure(request) {
      stack = settingsOf(request);
      run = undefined;
      endWithEngine(closeRuns);
      return Promise.resolve();
    },
    check: (olds, news) => checked(news, async () => life.check(withoutText(olds), withoutText(news), running())),
    diff: (id, olds, news) => guarded((run) => life.diff(id, withoutText(olds), withoutText(news), run)),
    create: (inputs) =>
      guarded(async (run) => {
        const { id, outs } = await life.create(withoutText(inputs), run);
        return { id, outs: structOf(outs) };
      }, inputs),
    read: (id, props) => guarded(async (run) => structOf((await life.read(id, withoutText(props), run)) ?? {})),
    update: (id, olds, news) =>
      guarded(async (run) => ({ outs: structOf(await life.update(id, withoutText(olds), withoutText(news), run)) }), news),
    delete: (id, props) => guarded((run) => life.delete(id, withoutText(props), run)),
  };
}

/** The engine's properties without the text by which the host loads the provider. */
function withoutText({ __provider: _, ...properties }: Inputs): Inputs {
  return properties;
}

function structOf<Members extends object>(value: Members): Members {
  return toStruct(value) as Members;
}

/** All settings of the stack, unknown ones included, so that the check can report them. */
function settingsOf({ config }: ConfigureRequest): Settings {
  const raw = (config as { rawConfig?: Settings }).rawConfig;
  return (
    raw ??
    Object.fromEntries(
      Object.values(settings).flatMap((setting) => ("key" in setting ? [[setting.key, config.get(setting.key)]] : [])),
    )
  );
}
