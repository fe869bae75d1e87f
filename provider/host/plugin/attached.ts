import { openRun } from "../session";
import type { ServedFunction } from "./functions";
import { Messages } from "./messages";
import { Plugin } from "./plugin";
import type { ConnectedProvider } from "./service";

/** A provider of the plugin, on a connection of its engine. */
export class PluginProvider implements ConnectedProvider {
  readonly plugin: Plugin;
  messages: Messages;

  /**
   * @param engine address of the engine that has started this process: `host:port`. An engine that attaches itself sends its own
   * @param others data sources declared outside of `provider/`
   */
  constructor(
    private engine: string,
    others: readonly ServedFunction[],
  ) {
    this.messages = new Messages(engine);
    this.plugin = new Plugin(others, (settings) => openRun(settings, process.env, undefined, this.#host));
  }

  get #host() {
    return { engine: this.engine, notify: this.messages.show };
  }

  get phase(): ConnectedProvider["phase"] {
    return this.plugin.phase;
  }

  attach(address: string): void {
    this.engine = address;
    this.messages = new Messages(address);
  }
}
