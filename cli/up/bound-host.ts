import { spawn } from "node:child_process";
import path from "node:path";
import { createInterface } from "node:readline";
import { PlatformError } from "../../provider/client/errors";
import type { Ledger } from "../../rehearse/ledger";

/** The first line of standard input of the host of a bound run. */
export interface BoundOrder {
  /** The variables of the command, with its credentials. */
  readonly environment: Readonly<Record<string, string>>;
  readonly ledger: Ledger;
  /** The origins to which the host may send requests. */
  readonly origins: readonly string[];
}

/** The running host of a bound run. */
export interface BoundHost {
  /** Its packages and ports, as `PULUMI_DEBUG_PROVIDERS` takes them. */
  readonly attached: string;
  /** Ends it. */
  end(): Promise<void>;
}

const script = path.join(__dirname, "../bound-host.js");

/**
 * Starts the host, which serves the resources of both doors by this release.
 *
 * @param environment its variables, without credentials
 * @throws PlatformError `CONFIGURATION` if it does not start
 */
export async function startBoundHost(order: BoundOrder, environment: Readonly<Record<string, string>>): Promise<BoundHost> {
  // Ctrl-C in a terminal is for the engine alone, which then cancels what the host does.
  const host = spawn(process.execPath, [script], { env: environment, detached: true, stdio: ["pipe", "pipe", "pipe"] });
  let said = "";
  const keep = (chunk: Buffer) => (said += chunk.toString());
  host.stderr.on("data", keep);
  host.stdin.on("error", () => undefined).write(`${JSON.stringify(order)}\n`);
  const closed = new Promise<void>((resolve) => host.once("close", () => resolve()));
  const ports = await new Promise<Readonly<Record<string, number>>>((resolve, reject) => {
    const fail = () => reject(new PlatformError("CONFIGURATION", `The provider's host did not start. ${said}`.trim()));
    host.once("error", fail);
    void closed.then(fail);
    createInterface({ input: host.stdout }).once("line", (line) => {
      resolve((JSON.parse(line) as { ports: Readonly<Record<string, number>> }).ports);
    });
  });
  // The trace of PLATFORM_LOG.
  host.stderr.off("data", keep).pipe(process.stderr, { end: false });
  return {
    attached: Object.entries(ports)
      .map(([name, port]) => `${name}:${port}`)
      .join(","),
    end: () => {
      host.stdin.end();
      return closed;
    },
  };
}
