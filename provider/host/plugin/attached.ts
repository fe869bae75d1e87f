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

/** A provider of the plugin, on a connection of its engine. */
export class PluginProvider implements ConnectedProvider {
  readonly plugin: Plugin;
  messages: Messages;
  #isAttached = false;

  /**
   * @param engine address of the engine that has started this process: `host:port`. An engine that attaches itself sends its own
   * @param others data sources declared outside of `provider/`
   */
  constructor(
    private engine: string,
    others: readonly ServedFunction[],
    runs = runsFor,
  ) {
    this.messages = new Messages(engine);
    this.plugin = new Plugin(others, (settings) => runs({ engine: this.engine, notify: this.messages.show })(settings));
  }

  get phase(): ConnectedProvider["phase"] {
    return this.plugin.phase;
  }

  attach(address: string): void {
    this.#isAttached = true;
    this.engine = address;
    this.messages = new Messages(address);
  }

  cancel(): void {
    this.plugin.cancel();
    // An engine does not signal the end of its run to a process that it has not started.
    if (this.#isAttached) this.plugin.close();
  }
}
