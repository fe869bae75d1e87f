import { printable } from "../client/printable";
import { isProviderHost } from "./engine-watch";

/** The connection of this process to its engine. */
export interface HostProcess {
  /** Address of the engine: `host:port`. */
  readonly engine: string;
  /** Shows a message to the user. */
  readonly notify: (message: string) => void;
}

let plugin: HostProcess | undefined;

/** Declares that this process is a plugin of an engine. */
export function servesAs(host: HostProcess): void {
  plugin = host;
}

/** This process, if it serves an engine, as its plugin or as Pulumi's dynamic provider host. */
export function hostProcess(): HostProcess | undefined {
  if (plugin !== undefined || !isProviderHost()) return plugin;
  // The engine shows the output of its dynamic provider host.
  return { engine: process.argv.at(-1) ?? "", notify: print };
}

function print(message: string): void {
  console.log(printable(message));
}
