import type { RunError } from "./events";

/** The work of the process inside the sandbox. */
export interface Order {
  /** Whether the process has a network of its own, in which only the doors lead out. */
  readonly isSandboxed: boolean;
  /** Ports to open inside, each with the socket that leads to the same port outside. */
  readonly doors: readonly { readonly port: number; readonly socket: string }[];
  readonly host: { readonly command: readonly string[]; readonly environment: Readonly<Record<string, string>> };
  readonly engine: {
    readonly args: readonly string[];
    readonly environment: Readonly<Record<string, string>>;
    /** The path of the log to be made. */
    readonly log: string;
    /** The folder of the program. */
    readonly folder: string;
    /** Other packages and their ports, as `PULUMI_DEBUG_PROVIDERS` takes them. */
    readonly attached: readonly string[];
  };
}

/** How the engine ended. */
export interface EngineEnd {
  readonly code: number;
  /** The output of the engine, with everything that the program printed. */
  readonly output: string;
  readonly errors: readonly RunError[];
}

/** A line of its output: of the host, at the end of the engine, or in place of both. */
export type Report = { readonly host: object } | EngineEnd | { readonly failed: string };
