import { isDeepStrictEqual } from "node:util";
import { dynamicProvider, type DynamicProvider } from "../../provider/host/dynamic";
import type { Inputs, Kind } from "../../provider/kinds/kind";
import { composites, kinds } from "../../provider/kinds/kinds";
import { groupAccessLife } from "../../provider/resources/group-access/life";
import { testedVersion } from "./api-version";
import { testedDoor } from "./door";
import { hostProcess, type ProcessOptions } from "./host-process";
import { startNativeHost } from "./native-host";

/** The calls that a run makes of one kind's provider. */
export type Provider = Omit<DynamicProvider, "configure">;

/** Everything that a program can declare. */
export const declarable = { ...kinds, ...composites };

/** The name under which programs declare a kind. */
export type KindName = keyof typeof declarable;

/** The name of `kind` in programs. */
export function kindNameOf(kind: Kind): KindName {
  const name = (Object.keys(declarable) as KindName[]).find(
    (each) => declarable[each].collection.segment === kind.collection.segment,
  );
  if (name === undefined) throw new Error(`programs declare no ${kind.collection.noun}`);
  return name;
}

/** What the provider host of one run serves. */
export type Host = Record<KindName, Provider>;

/** A resource of a program. */
export interface Declaration {
  name: string;
  kind: KindName;
  /** Names of the resources that it depends on. */
  dependsOn: string[];
  inputs(uidOf: (name: string) => string): Inputs;
}

/** What state keeps of a resource. */
export interface Entry {
  readonly name: string;
  readonly kind: KindName;
  readonly dependsOn: readonly string[];
  readonly id: string;
  readonly inputs: Inputs;
  readonly outputs: Inputs;
  /** Replaced, and still to be deleted. */
  readonly obsolete: boolean;
  /** True after a create that failed although the object exists: the next run updates it, whatever diff says. */
  readonly isHalfMade: boolean;
}

/** How a run is made. */
export interface UpOptions {
  refresh?: boolean;
  /** Kills the run after this many steps in state. Calls in progress are applied, but not recorded. */
  kill?: { afterSteps: number; checkpoints: boolean };
}

/** The text that every resource's `__provider` holds. */
export const providerText = 'exports.handler = () => require("pulumi-platform/provider").test';

/** A run that was killed, or in which another resource failed. */
class Stopped extends Error {}

/** The host whose kinds `serve` serves. */
export function servedBy(serve: (name: KindName) => Provider): Host {
  return Object.fromEntries((Object.keys(declarable) as KindName[]).map((name) => [name, serve(name)])) as Host;
}

/** Starts a process of Pulumi's provider host, or of the plugin, configured with the settings `given`. */
export function startHost(given: Record<string, string>, options?: ProcessOptions): Host {
  const settings: Record<string, string> = { "platform:apiVersion": testedVersion(), ...given };
  if (testedDoor() === "native") {
    const serve = startNativeHost(settings, options);
    return servedBy((name) => serve(declarable[name]));
  }
  const runOf = hostProcess(options);
  const serve = (name: KindName) => {
    const provider = dynamicProvider(declarable[name], runOf, name === "groupAccess" ? groupAccessLife : undefined);
    void provider.configure({ config: { get: (key) => settings[key] } });
    return provider;
  };
  return servedBy(serve);
}

/**
 * Pulumi's engine as far as providers can tell: check, diff, then create, update or replace (create before delete), each
 * resource as soon as those that it depends on exist; deletes last, dependents first; refresh by read and diff.
 */
export class EngineSimulator {
  state: Entry[] = [];

  /** @param startHost gives each run a host process of its own */
  constructor(private readonly startHost: () => Host) {}

  /**
   * Reconciles with `program`.
   *
   * @returns the steps in order: `create a`, `update b`, `delete c`, `refresh d` for drift
   * @throws AggregateError of everything that failed
   */
  async up(program: readonly Declaration[], { refresh = false, kill }: UpOptions = {}): Promise<string[]> {
    const before = this.state;
    const run = new SimulatedRun(this, this.startHost(), kill?.afterSteps);
    try {
      if (refresh) await run.refresh();
      await run.reconcile(program);
    } catch (error) {
      if (!run.killed) throw error;
      if (kill?.checkpoints === false) this.state = before;
    }
    return run.steps;
  }

  /** Reads everything in state again. */
  async refresh(): Promise<string[]> {
    const run = new SimulatedRun(this, this.startHost());
    await run.refresh();
    return run.steps;
  }
}

class SimulatedRun {
  readonly steps: string[] = [];
  killed = false;
  #failed = false;

  constructor(
    private readonly engine: EngineSimulator,
    private readonly host: Host,
    private readonly killAfter = Infinity,
  ) {}

  async refresh(): Promise<void> {
    await all(
      this.engine.state.map(async (entry) => {
        const provider = this.host[entry.kind];
        const { id, props = {}, inputs = {} } = await provider.read(entry.id, entry.outputs);
        if (id === undefined) {
          this.#note(`refresh ${entry.name}`, () => {
            this.#remove(entry);
          });
          return;
        }
        const drift = (await provider.diff(id, props, entry.inputs)).changes;
        const record = () => {
          this.#replace(entry, { ...entry, inputs: stored(inputs), outputs: stored(props), isHalfMade: false });
        };
        if (drift) this.#note(`refresh ${entry.name}`, record);
        else record();
      }),
    );
  }

  async reconcile(program: readonly Declaration[]): Promise<void> {
    const byName = new Map(program.map((declaration) => [declaration.name, declaration]));
    const registered = new Map<string, Promise<string>>();
    const register = (name: string): Promise<string> => {
      const known = registered.get(name);
      const declaration = byName.get(name);
      if (known !== undefined) return known;
      if (declaration === undefined) throw new Error(`the program has no resource ${name}`);
      const uid = this.#register(declaration, register);
      registered.set(name, uid);
      return uid;
    };
    await all([...byName.keys()].map(register));
    await this.#delete(this.engine.state.filter((entry) => entry.obsolete || !byName.has(entry.name)));
  }

  /** Reconciles one resource and returns its uid. */
  async #register(declaration: Declaration, register: (name: string) => Promise<string>): Promise<string> {
    const { name, kind, dependsOn } = declaration;
    const ids = await Promise.allSettled(dependsOn.map(register));
    const uids = new Map(dependsOn.map((other, at) => [other, ids[at]?.status === "fulfilled" ? ids[at].value : undefined]));
    if ([...uids.values()].includes(undefined)) throw new Stopped();
    const provider = this.host[kind];
    const news = stored(declaration.inputs((other) => uids.get(other) ?? ""));
    const old = this.engine.state.find((entry) => entry.name === name && !entry.obsolete);
    const inputs = await this.#check(provider, old?.inputs ?? {}, news);
    if (old === undefined) return this.#create(declaration, inputs);
    const { changes, replaces } = await provider.diff(old.id, old.outputs, inputs);
    if (replaces.length > 0) return this.#create(declaration, await this.#check(provider, {}, news), old);
    if (!changes && !old.isHalfMade) {
      if (!isDeepStrictEqual([old.inputs, old.dependsOn], [inputs, dependsOn])) this.#replace(old, { ...old, inputs, dependsOn });
      return old.id;
    }
    await this.#step(
      `update ${name}`,
      () => provider.update(old.id, old.outputs, inputs),
      ({ outs }) => {
        this.#replace(old, { ...old, inputs, dependsOn, outputs: stored(outs), isHalfMade: false });
      },
    );
    return old.id;
  }

  async #check(provider: Provider, olds: Inputs, news: Inputs): Promise<Inputs> {
    const { inputs, failures } = await provider.check(olds, news);
    if (failures.length > 0) throw this.#failure(new Error(failures.map(({ reason }) => reason).join("; ")));
    return stored(inputs);
  }

  async #create({ name, kind, dependsOn }: Declaration, inputs: Inputs, replaced?: Entry): Promise<string> {
    const keep = (id: string, outputs: Inputs, isHalfMade = false) => {
      if (replaced !== undefined) this.#replace(replaced, { ...replaced, obsolete: true });
      this.engine.state = [
        ...this.engine.state,
        { name, kind, dependsOn, id, inputs, outputs: stored(outputs), obsolete: false, isHalfMade },
      ];
    };
    const { id } = await this.#step(
      `${replaced === undefined ? "create" : "replace"} ${name}`,
      () =>
        this.host[kind].create(inputs).catch((error: unknown) => {
          // An object that exists although its create failed comes with its id.
          const { id, properties } = error as { id?: string; properties?: Inputs };
          if (id !== undefined) keep(id, properties ?? {}, true);
          throw error;
        }),
      ({ id, outs }) => {
        keep(id, outs);
      },
    );
    return id;
  }

  async #delete(entries: Entry[]): Promise<void> {
    const deletions = new Map<Entry, Promise<void>>();
    const remove = (entry: Entry): Promise<void> => {
      const known = deletions.get(entry);
      if (known !== undefined) return known;
      const dependents = entries.filter((other) => other.dependsOn.includes(entry.name));
      const deletion = all(dependents.map(remove)).then(() =>
        this.#step(
          `delete ${entry.name}`,
          () => this.host[entry.kind].delete(entry.id, entry.outputs),
          () => {
            this.#remove(entry);
          },
        ),
      );
      deletions.set(entry, deletion);
      return deletion;
    };
    await all(entries.map(remove));
  }

  /** Does `work` and records its result, unless the run has failed before or is killed meanwhile. */
  async #step<Result>(label: string, work: () => Promise<Result>, record: (result: Result) => void): Promise<Result> {
    if (this.killed || this.#failed) throw new Stopped();
    let result: Result;
    try {
      result = await work();
    } catch (error) {
      throw this.#failure(error);
    }
    this.#note(label, () => {
      record(result);
    });
    return result;
  }

  #note(label: string, record: () => void): void {
    if (this.steps.length >= this.killAfter) this.killed = true;
    if (this.killed) throw new Stopped();
    this.steps.push(label);
    record();
  }

  #failure(error: unknown): unknown {
    this.#failed = true;
    return error;
  }

  #replace(old: Entry, entry: Entry): void {
    this.engine.state = this.engine.state.map((known) => (known === old ? entry : known));
  }

  #remove(entry: Entry): void {
    this.engine.state = this.engine.state.filter((known) => known !== entry);
  }
}

/** Properties as they travel and stand in state. */
function stored(properties: Inputs): Inputs {
  return { ...properties, __provider: providerText };
}

/** Waits for all of `works`, then throws everything that failed, except what was only stopped by another failure. */
async function all(works: Promise<unknown>[]): Promise<void> {
  const failures = (await Promise.allSettled(works)).flatMap((outcome) =>
    outcome.status === "rejected" ? [outcome.reason as unknown] : [],
  );
  const causes = failures.flatMap((failure) => (failure instanceof AggregateError ? (failure.errors as unknown[]) : [failure]));
  const real = causes.filter((cause) => !(cause instanceof Stopped));
  if (real.length > 0) throw new AggregateError(real, real.map(String).join("\n"));
  if (failures.length > 0) throw new Stopped("the run was stopped");
}
