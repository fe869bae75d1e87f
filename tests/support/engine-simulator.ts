import { isDeepStrictEqual } from "node:util";
import { dynamically, type DynamicProvider } from "../../provider/host/dynamic";
import { lifeOf } from "../../provider/resources/object/life";
import type { Inputs } from "../../provider/schema/kind";
import { composites, kinds } from "../../provider/kinds/kinds";
import { groupAccessLife } from "../../provider/resources/group-access/life";
import { testedVersion } from "./api-version";
import { testedDoor } from "./door";
import { hostProcess, type ProcessOptions } from "./host-process";
import { startNativeHost } from "./native-host";
import type { TestPlatform } from "./test-platform";

/** The calls that a run makes of one kind's provider. */
export type Provider = Omit<DynamicProvider, "configure">;

/** Everything that a program can declare. */
export const declarable = { ...kinds, ...composites };

/** The name under which programs declare a kind. */
export type KindName = keyof typeof declarable;

/** The providers that the host of one run serves. */
export type Host = Record<KindName, Provider>;

/** A resource of a program. */
export interface Declaration {
  name: string;
  kind: KindName;
  /** Names of the resources that it depends on. */
  dependsOn: string[];
  inputs(uidOf: UidOf): Inputs;
}

/** The entry of a resource in state. */
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
  /** `platform:adopt` of this run. */
  adopt?: boolean;
  /** Kills the run after this many steps in state. Calls in progress are applied, but not recorded. */
  kill?: { afterSteps: number; checkpoints: boolean };
}

/** The plan of a run for a resource, with its checked inputs. */
interface Plan {
  op: "create" | "replace" | "update" | "same";
  old?: Entry;
  inputs: Inputs;
}

type UidOf = (name: string) => string;

/** The text that every resource's `__provider` holds. */
export const providerText = 'exports.handler = () => require("pulumi-platform/provider").test';

/** A run that was killed, or in which another resource failed. */
class Stopped extends Error {}

/** The host whose kinds `serve` serves. */
export function servedBy(serve: (name: KindName) => Provider): Host {
  return Object.fromEntries((Object.keys(declarable) as KindName[]).map((name) => [name, serve(name)])) as Host;
}

/** The settings of a stack on `platform`, which it reaches at `baseUrl`. */
export function settingsOf(platform: TestPlatform, baseUrl = platform.baseUrl): Record<string, string> {
  return {
    "platform:baseUrl": baseUrl,
    "platform:audience": platform.baseUrl,
    "platform:identity": platform.identity,
    "platform:oidcTokenFile": platform.oidcTokenFile,
  };
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
    const provider = dynamically(name === "groupAccess" ? groupAccessLife : lifeOf(declarable[name]), runOf);
    void provider.configure({ config: { get: (key) => settings[key] } });
    return provider;
  };
  return servedBy(serve);
}

/** Properties as they travel and stand in state. */
const stored = (properties: Inputs): Inputs => ({ ...properties, __provider: providerText });

/** Checks a resource and compares it with the state. @throws Error of the check */
async function planOf(declaration: Declaration, state: readonly Entry[], host: Host, uidOf: UidOf): Promise<Plan> {
  const { name, kind } = declaration;
  const old = state.find((entry) => entry.name === name && !entry.obsolete);
  const news = stored(declaration.inputs(uidOf));
  const checked = async (olds: Inputs) => {
    const { inputs, failures } = await host[kind].check(olds, news);
    if (failures.length > 0) throw new Error(failures.map(({ reason }) => reason).join("; "));
    return stored(inputs);
  };
  const inputs = await checked(old?.inputs ?? {});
  if (old === undefined) return { op: "create", inputs };
  const { changes, replaces } = await host[kind].diff(old.id, old.outputs, inputs);
  if (replaces.length > 0) return { op: "replace", old, inputs: await checked({}) };
  return { op: changes || old.isHalfMade ? "update" : "same", old, inputs };
}

/** Registers each resource of `program` as soon as those that it depends on have their uids. @param register returns its uid */
async function walk(
  program: readonly Declaration[],
  register: (declaration: Declaration, uidOf: UidOf) => Promise<string>,
): Promise<void> {
  const byName = new Map(program.map((declaration) => [declaration.name, declaration]));
  const registered = once<string, string>(async (name, registered) => {
    const declaration = byName.get(name);
    if (declaration === undefined) throw new Error(`the program has no resource ${name}`);
    const uids = declaration.dependsOn.map(async (other) => [other, await registered(other)] as const);
    const known = new Map(await Promise.all(uids));
    return register(declaration, (other) => known.get(other) ?? "");
  });
  await all([...byName.keys()].map(registered));
}

/**
 * Pulumi's engine as far as providers can tell: check, diff, then create, update or replace (create before delete), each
 * resource as soon as those that it depends on exist; deletes last, dependents first; refresh by read and diff.
 */
export class EngineSimulator {
  state: Entry[] = [];

  /** @param startHost gives each run a host process of its own */
  constructor(private readonly startHost: (run: Pick<UpOptions, "adopt">) => Host) {}

  /**
   * Reconciles with `program`.
   *
   * @returns the steps in order: `create a`, `update b`, `delete c`, `refresh d` for drift
   * @throws AggregateError of everything that failed
   */
  async up(program: readonly Declaration[], { refresh = false, adopt = false, kill }: UpOptions = {}): Promise<string[]> {
    const before = this.state;
    const run = new SimulatedRun(this, this.startHost({ adopt }), kill?.afterSteps);
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
    const run = new SimulatedRun(this, this.startHost({}));
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
        const isDrift = id === undefined || (await provider.diff(id, props, entry.inputs)).changes;
        const read = { ...entry, inputs: stored(inputs), outputs: stored(props), isHalfMade: false };
        const record = () => {
          this.#replace(entry, id === undefined ? undefined : read);
        };
        if (isDrift) this.#note(`refresh ${entry.name}`, record);
        else record();
      }),
    );
  }

  async reconcile(program: readonly Declaration[]): Promise<void> {
    await walk(program, (declaration, uidOf) => this.#register(declaration, uidOf));
    const names = new Set(program.map(({ name }) => name));
    const leaving = this.engine.state.filter((entry) => entry.obsolete || !names.has(entry.name));
    const deleted = once<Entry, undefined>(async (entry, deleted) => {
      await all(leaving.filter((other) => other.dependsOn.includes(entry.name)).map(deleted));
      const work = () => this.host[entry.kind].delete(entry.id, entry.outputs);
      await this.#step(`delete ${entry.name}`, work, () => {
        this.#replace(entry);
      });
      return undefined;
    });
    await all(leaving.map(deleted));
  }

  /** Reconciles one resource and returns its uid. */
  async #register(declaration: Declaration, uidOf: UidOf): Promise<string> {
    const { name, kind, dependsOn } = declaration;
    const { op, old, inputs } = await this.#orFail(() => planOf(declaration, this.engine.state, this.host, uidOf));
    if (old === undefined || op === "replace") return this.#create(declaration, inputs, old);
    if (op === "same") {
      if (!isDeepStrictEqual([old.inputs, old.dependsOn], [inputs, dependsOn])) this.#replace(old, { ...old, inputs, dependsOn });
      return old.id;
    }
    const work = () => this.host[kind].update(old.id, old.outputs, inputs);
    await this.#step(`update ${name}`, work, ({ outs }) => {
      this.#replace(old, { ...old, inputs, dependsOn, outputs: stored(outs), isHalfMade: false });
    });
    return old.id;
  }

  async #create({ name, kind, dependsOn }: Declaration, inputs: Inputs, replaced?: Entry): Promise<string> {
    const keep = (id: string, outs: Inputs, isHalfMade = false) => {
      if (replaced !== undefined) this.#replace(replaced, { ...replaced, obsolete: true });
      const entry = { name, kind, dependsOn, id, inputs, outputs: stored(outs), obsolete: false, isHalfMade };
      this.engine.state = [...this.engine.state, entry];
    };
    const work = () =>
      this.host[kind].create(inputs).catch((error: unknown) => {
        // An object that exists although its create failed comes with its id.
        const { id, properties } = error as { id?: string; properties?: Inputs };
        if (id !== undefined) keep(id, properties ?? {}, true);
        throw error;
      });
    const { id } = await this.#step(`${replaced === undefined ? "create" : "replace"} ${name}`, work, ({ id, outs }) => {
      keep(id, outs);
    });
    return id;
  }

  /** Does `work` and records its result, unless the run has failed before or is killed meanwhile. */
  async #step<Result>(label: string, work: () => Promise<Result>, record: (result: Result) => void): Promise<Result> {
    if (this.killed || this.#failed) throw new Stopped();
    const result = await this.#orFail(work);
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

  async #orFail<Result>(work: () => Promise<Result>): Promise<Result> {
    try {
      return await work();
    } catch (error) {
      this.#failed = true;
      throw error;
    }
  }

  /** @param entry none: the resource leaves the state */
  #replace(old: Entry, entry?: Entry): void {
    this.engine.state = this.engine.state.flatMap((known) => (known === old ? (entry ?? []) : known));
  }
}

/** Does `work` once for each key, whoever asks for it first. */
function once<Key, Value>(work: (key: Key, get: (key: Key) => Promise<Value>) => Promise<Value>): (key: Key) => Promise<Value> {
  const known = new Map<Key, Promise<Value>>();
  const get = (key: Key): Promise<Value> => {
    const value = known.get(key) ?? work(key, get);
    known.set(key, value);
    return value;
  };
  return get;
}

/** Waits for all of `works`, then throws everything that failed, except what was only stopped by another failure. */
async function all(works: Promise<unknown>[]): Promise<void> {
  const failures = (await Promise.allSettled(works)).flatMap((outcome) =>
    outcome.status === "rejected" ? [outcome.reason as unknown] : [],
  );
  const causes = failures.flatMap((failure) => (failure instanceof AggregateError ? (failure.errors as unknown[]) : [failure]));
  const real = [...new Set(causes)].filter((cause) => !(cause instanceof Stopped));
  if (real.length > 0) throw new AggregateError(real, real.map(String).join("\n"));
  if (failures.length > 0) throw new Stopped("the run was stopped");
}
