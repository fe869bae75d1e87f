import { spawn } from "node:child_process";
import path from "node:path";
import { createInterface } from "node:readline";
import type { EngineEnd, Order, Report } from "./order";
import { endTree } from "./process-tree";

/** How the engine ended, and what it and the host said. */
export interface Ended extends EngineEnd {
  /** Lines of the host. */
  readonly told: readonly object[];
}

/** The program that starts the host and the engine. */
const inside = path.join(__dirname, "inside.js");

/**
 * Runs the host and the engine. All processes that they start end with this call or with this process.
 *
 * @param sandbox words before the command, see {@link sandbox}
 * @throws Error if they cannot run, or if `signal` is aborted
 */
export async function runInside(order: Order, sandbox: readonly string[], signal: AbortSignal): Promise<Ended> {
  signal.throwIfAborted();
  const [command, ...args] = [...sandbox, process.execPath, inside];
  const child = spawn(command, args, { env: order.engine.environment, detached: true, stdio: ["pipe", "pipe", "pipe"] });
  const end = () => {
    if (child.pid !== undefined) endTree(child.pid);
    child.stdin.destroy();
  };
  signal.addEventListener("abort", end, { once: true });
  const told: object[] = [];
  let said = "";
  child.stderr.on("data", (chunk: Buffer) => (said += chunk.toString()));
  child.stdin.on("error", () => undefined).write(`${JSON.stringify(order)}\n`);
  const closed = new Promise<void>((resolve) => child.once("close", () => resolve()).once("error", () => resolve()));
  try {
    const ended = await new Promise<EngineEnd>((resolve, reject) => {
      child.once("error", reject);
      child.once("close", () => reject(new Error(`The rehearsal ended early. ${said}`.trim())));
      createInterface({ input: child.stdout }).on("line", (line) => {
        const report = JSON.parse(line) as Report;
        if ("host" in report) told.push(report.host);
        else if ("failed" in report) reject(new Error(report.failed));
        else resolve(report);
      });
    });
    return { ...ended, told };
  } finally {
    signal.removeEventListener("abort", end);
    end();
    // A process that still writes would keep its folder from being removed.
    await closed;
    signal.throwIfAborted();
  }
}
