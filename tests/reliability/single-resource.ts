import type { PlatformClient } from "../../provider/client/client";
import type { Timing } from "../../provider/client/retry";
import { connect, readConfiguration } from "../../provider/credentials";
import type { Inputs, Kind } from "../../provider/schema/kind";
import { kinds } from "../../provider/kinds/kinds";
import { EngineSimulator, type Entry, type Host, type KindName } from "../support/engine-simulator";
import { providerText, settingsOf, startHost } from "../support/engine-simulator";
import { FaultProxy } from "../support/fault-proxy";
import type { KindFixture } from "./kind-fixture";

/** One command of the engine: a host process of its own, and its own way to the platform. */
export interface Session {
  kindName: KindName;
  host: Host;
  /** The client of the program's data sources. */
  client: PlatformClient;
  proxy: FaultProxy;
}

/** How a session is opened. */
export interface SessionOptions {
  /** `platform:adopt`. Default false. */
  adopt?: boolean;
  /** Deadlines and delays. Default: those of every program. */
  timing?: Timing;
}

/** Starts what the engine starts for one command. */
export async function openSession(
  { platform, kind, home }: KindFixture,
  { adopt = false, timing }: SessionOptions = {},
): Promise<Session> {
  const proxy = await FaultProxy.start(platform.baseUrl);
  const settings = { ...settingsOf(platform, proxy.baseUrl), "platform:adopt": String(adopt) };
  const host = startHost(settings, { home, ...(timing && { timing }) });
  const client = connect(readConfiguration(settings, {}), timing && { timing });
  return { kindName: kindNameOf(kind), host, client, proxy };
}

function kindNameOf(kind: Kind): KindName {
  const name = (Object.keys(kinds) as (keyof typeof kinds)[]).find((each) => kinds[each].name === kind.name);
  if (name === undefined) throw new Error(`programs declare no ${kind.collection.noun}`);
  return name;
}

/** A stack of one resource. */
export class SingleResource {
  #session: Session | undefined;
  readonly #engine = new EngineSimulator(() => {
    if (this.#session === undefined) throw new Error("no session is open");
    return this.#session.host;
  });

  /** The entry of the resource in state. */
  get entry(): Entry | undefined {
    return this.#engine.state.find((entry) => !entry.obsolete);
  }

  /** Objects that were replaced and are still to be deleted. */
  get leaving(): Entry[] {
    return this.#engine.state.filter((entry) => entry.obsolete);
  }

  /** Makes the next `up` update the resource even if nothing differs, as after a create that failed half-way. */
  markHalfMade(): void {
    this.#engine.state = this.#engine.state.map((entry) => ({ ...entry, isHalfMade: true }));
  }

  /** `pulumi up` of a program that declares `program`. */
  up(session: Session, program: Inputs): Promise<string[]> {
    const declaration = { name: "resource", kind: session.kindName, dependsOn: [], inputs: () => program };
    return this.#run(session, (engine) => engine.up([declaration]));
  }

  /** `pulumi refresh`. */
  refresh(session: Session): Promise<string[]> {
    return this.#run(session, (engine) => engine.refresh());
  }

  /** `pulumi destroy`. */
  destroy(session: Session): Promise<string[]> {
    return this.#run(session, (engine) => engine.up([]));
  }

  /** A program's `get` of an object that it does not manage. */
  async get({ kindName, host }: Session, uid: string): Promise<Inputs> {
    const { props } = await host[kindName].read(uid, { __provider: providerText });
    if (props === undefined) throw new Error("The get succeeded with nothing.");
    return props;
  }

  /** @throws the provider's own error: with one resource there is no other */
  async #run(session: Session, work: (engine: EngineSimulator) => Promise<string[]>): Promise<string[]> {
    this.#session = session;
    try {
      return await work(this.#engine);
    } catch (error) {
      throw error instanceof AggregateError && error.errors.length === 1 ? error.errors[0] : error;
    }
  }
}
