import { printable } from "../client/printable";
import { isProviderHost } from "./engine-watch";

/** The connection of this process to an engine. */
export interface HostProcess {
  /** Address of the engine: `host:port`. */
  readonly engine: string;
  /** Shows a message to the user. */
  readonly notify: (message: string) => void;
}

/** This process, if it is Pulumi's dynamic provider host. */
export function hostProcess(): HostProcess | undefined {
  if (!isProviderHost()) return undefined;
  // The engine shows the output of its dynamic provider host.
  return { engine: process.argv.at(-1) ?? "", notify: print };
}

function print(message: string): void {
  console.log(printable(message));
}
