import { settings } from "../credentials";
import type { Inputs, Kind } from "../schema/kind";
import type { CheckResult } from "../resources/object/check";
import type { DiffResult } from "../resources/object/diff";
import { type Life, lifeOf } from "../resources/object/life";
import type { Run } from "../resources/run/run";
import { endWithEngine } from "./engine-watch";
import type { Settings } from "./explicit-provider";
import { failureFor } from "./failure";
import { checked, type Serve, serveLife, type Serving } from "./serving";
import { closeRuns, runFor } from "./session";
import { toStruct } from "./struct";

/** Argument of `configure`: the stack's configuration. */
export interface ConfigureRequest {
  config: { get(key: string): string | undefined };
}

/** The provider object of one type, as Pulumi's dynamic provider host calls it (docs/engine.md#dynamic-resources). */
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
 * Serves `kind` to the dynamic provider host.
 *
 * @param runOf returns the run of these settings. Default: the one that all kinds of this process share
 * @param life what the calls do. Default: the life of an object of that kind
 */
export function dynamicProvider(
  kind: Kind,
  runOf: (settings: Settings) => Run = runFor,
  life: Life = lifeOf(kind),
): DynamicProvider {
  return dynamically(serveLife(life, runOf));
}

/** Serves a type of resources to the dynamic provider host. The errors that its methods throw have no stack. */
export function dynamically(serve: Serve): DynamicProvider {
  let stack: Settings = {};
  let current: { stack: Settings; serving: Serving } | undefined;
  const serving = (): Serving => {
    if (current?.stack !== stack) current = { stack, serving: serve(stack) };
    return current.serving;
  };
  const guarded = async <Result>(work: (serving: Serving) => Promise<Result>, inputs: Inputs = {}): Promise<Result> => {
    try {
      return await work(serving());
    } catch (error) {
      throw failureFor(error, inputs["__provider"]);
    }
  };
  return {
    // Other calls may run before this one ends, and after it fails, so it only stores (docs/engine.md#configure-races).
    configure(request) {
      stack = settingsOf(request);
      endWithEngine(closeRuns);
      return Promise.resolve();
    },
    check: (olds, news) => checked(news, async () => serving().check(given(olds), given(news))),
    diff: (id, olds, news) => guarded((served) => served.diff(id, given(olds), given(news))),
    create: (inputs) =>
      guarded(async (served) => {
        const { id, outs } = await served.create(given(inputs));
        return { id, outs: structOf(outs) };
      }, inputs),
    read: (id, props) => guarded(async (served) => structOf((await served.read(id, given(props))) ?? {})),
    update: (id, olds, news) =>
      guarded(async (served) => ({ outs: structOf(await served.update(id, given(olds), given(news))) }), news),
    delete: (id, props) => guarded((served) => served.delete(id, given(props))),
  };
}

/** The engine's properties without the provider text. */
function given({ __provider: _, ...properties }: Inputs): Inputs {
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
