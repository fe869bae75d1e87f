import { setImmediate as nextTurn } from "node:timers/promises";
import type { ConstructRequest, ConstructResponse } from "@pulumi/pulumi/proto/provider_pb";
import { PlatformError } from "../../client/errors";
import { openRun, type RunOf } from "../session";
import type { HostProcess } from "../process";
import type { ServedFunction } from "./functions";
import { Messages } from "./messages";
import { Plugin } from "./plugin";
import type { ConnectedProvider } from "./service";

/** Opens runs for an engine. */
export type RunsFor = (engine: HostProcess) => RunOf;

/** Opens runs by the variables of this process. */
export const runsFor: RunsFor = (engine) => (settings) => openRun(settings, process.env, undefined, engine);

/** Constructs a component for the engine at an address. @param provider reference of the provider that is asked, if it is known */
export type Construct = (
  request: ConstructRequest,
  asked: { readonly engine: string; readonly provider: string | undefined },
) => Promise<ConstructResponse>;

/** A provider of the plugin, on a connection of its engine. */
export class PluginProvider implements ConnectedProvider {
  readonly plugin: Plugin;
  messages: Messages;
  reference: string | undefined;
  readonly #ended = Promise.withResolvers<never>();
  #isAttached = false;

  /**
   * @param engine address of the engine that has started this process: `host:port`. An engine that attaches itself sends its own
   * @param others data sources declared outside of `provider/`
   * @param constructs the components, which are declared outside of `provider/`
   */
  constructor(
    private engine: string,
    others: readonly ServedFunction[],
    private readonly constructs: Construct,
    runs = runsFor,
  ) {
    this.messages = new Messages(engine);
    this.#ended.promise.catch(() => undefined);
    this.plugin = new Plugin(others, (settings) => runs({ engine: this.engine, notify: this.messages.show })(settings));
  }

  get phase(): ConnectedProvider["phase"] {
    return this.plugin.phase;
  }

  construct(request: ConstructRequest): Promise<ConstructResponse> {
    const constructed = this.constructs(request, { engine: this.engine, provider: this.reference });
    return Promise.race([constructed, this.#ended.promise]);
  }

  attach(address: string): void {
    this.#isAttached = true;
    this.engine = address;
    this.messages = new Messages(address);
  }

  async cancel(): Promise<void> {
    this.plugin.cancel();
    // The engine registers no more resources, and closes the connection with the answer: components are answered before.
    this.#ended.reject(new PlatformError("CALLER_ABORTED", "The run ended before all resources of the component were declared."));
    await nextTurn();
    // An engine does not signal the end of its run to a process that it has not started.
    if (this.#isAttached) this.plugin.close();
  }
}
