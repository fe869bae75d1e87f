import { type DynamicProvider, dynamicProvider } from "../../provider/host/dynamic";
import type { Inputs } from "../../provider/kinds/kind";
import type { Bench } from "./bench";
import { Front } from "./front";

/** The text that every resource's `__provider` holds. */
const providerText = 'exports.handler = () => require("pulumi-platform/provider").test';

/** What a stack holds of one resource. */
export interface Entry {
  id: string;
  outs: Inputs;
  /** True when its create failed after the object was made: the engine updates it next. */
  isHalfMade: boolean;
}

/** An error of create about an object that exists, as the host recognises it (ENGINE §3). */
interface HalfMade extends Error {
  id?: string;
  properties?: Inputs;
}

/** One host process: its own provider objects, and its own way to the platform. */
export interface Session {
  provider: DynamicProvider;
  front: Front;
  settings: Record<string, string>;
}

/** Starts what the engine starts for one command. */
export async function openSession({ platform, kind }: Bench, adopt = false): Promise<Session> {
  const front = await Front.start(platform.baseUrl);
  const settings: Record<string, string> = {
    "platform:baseUrl": front.baseUrl,
    "platform:audience": platform.baseUrl,
    "platform:identity": platform.identity,
    "platform:oidcTokenFile": platform.oidcTokenFile,
    "platform:adopt": String(adopt),
  };
  const provider = dynamicProvider(kind);
  await provider.configure({ config: { get: (key) => settings[key] } });
  return { provider, front, settings };
}

/** What the engine does with one resource, and what it keeps of it. */
export class Stack {
  entry: Entry | undefined;
  /** Objects that were replaced and are still to be deleted. */
  leaving: Entry[] = [];

  /** `pulumi up` of a program that declares `program`. */
  async up({ provider }: Session, program: Inputs): Promise<void> {
    const old = this.entry;
    const { inputs, failures } = await provider.check(old?.outs ?? {}, { ...program, __provider: providerText });
    if (failures.length > 0) throw new Error(failures.map((failure) => failure.reason).join("; "));
    const news = { ...inputs, __provider: providerText };
    if (old === undefined) {
      await this.#create(provider, news);
    } else {
      const { changes, replaces } = await provider.diff(old.id, old.outs, news);
      if (replaces.length > 0) {
        await this.#create(provider, news);
        this.leaving.push(old);
      } else if (changes || old.isHalfMade) {
        this.#keep(old.id, (await provider.update(old.id, old.outs, news)).outs);
      }
    }
    for (const { id, outs } of [...this.leaving]) {
      await provider.delete(id, outs);
      this.leaving.shift();
    }
  }

  #keep(id: string, outs: Inputs, isHalfMade = false): void {
    this.entry = { id, outs: { ...outs, __provider: providerText }, isHalfMade };
  }

  async #create(provider: DynamicProvider, news: Inputs): Promise<void> {
    try {
      const { id, outs } = await provider.create(news);
      this.#keep(id, outs);
    } catch (error) {
      const { id, properties } = error as HalfMade;
      if (id !== undefined) this.#keep(id, properties ?? {}, true);
      throw error;
    }
  }

  /** `pulumi refresh`. */
  async refresh({ provider }: Session): Promise<void> {
    if (this.entry === undefined) return;
    const { id, props } = await provider.read(this.entry.id, this.entry.outs);
    if (id === undefined) this.entry = undefined;
    else this.#keep(id, props ?? {});
  }

  /** A program's `get` of an object that it does not manage. */
  async get({ provider }: Session, uid: string): Promise<Inputs> {
    const { props } = await provider.read(uid, { __provider: providerText });
    if (props === undefined) throw new Error("The get succeeded with nothing.");
    return props;
  }

  /** `pulumi destroy`. */
  async destroy({ provider }: Session): Promise<void> {
    if (this.entry === undefined) return;
    await provider.delete(this.entry.id, this.entry.outs);
    this.entry = undefined;
  }
}
