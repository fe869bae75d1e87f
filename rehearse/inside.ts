import { spawn, spawnSync } from "node:child_process";
import { createInterface } from "node:readline";
import { openDoor } from "./doors";
import { EventLog } from "./event-log";
import type { EngineEnd, Order, Report } from "./order";
import { endTree } from "./process-tree";

// Starts the host and the engine, inside the sandbox where there is one. The first line of standard input is the order. The end of that
// input means that the command has ended, so nothing of the rehearsal may live on.

/** Ends all that this process has started. In a sandbox, it is the first of all processes. */
function endAll(): void {
  if (process.pid === 1) process.kill(-1, "SIGKILL");
  else endTree(process.pid);
}

function report(told: Report): void {
  process.stdout.write(`${JSON.stringify(told)}\n`);
}

/** Starts the host. @returns its ports by package, and a function that ends it */
async function startHost({ command: [command = "", ...args], environment }: Order["host"], folder: string) {
  const host = spawn(command, args, { cwd: folder, env: environment, stdio: ["pipe", "pipe", "pipe"] });
  let said = "";
  host.stderr.on("data", (chunk: Buffer) => (said += chunk.toString()));
  const closed = new Promise<void>((resolve) => host.once("close", () => resolve()));
  const ports = await new Promise<Readonly<Record<string, number>>>((resolve, reject) => {
    host.once("error", reject);
    void closed.then(() => reject(new Error(`The host of the rehearsal ended: ${said}`)));
    createInterface({ input: host.stdout }).on("line", (line) => {
      const told = JSON.parse(line) as { ports?: Readonly<Record<string, number>> };
      if (told.ports === undefined) report({ host: told });
      else resolve(told.ports);
    });
  });
  const end = async () => {
    host.stdin.end();
    // Its last lines may say that something is undecided.
    await Promise.race([closed, new Promise((resolve) => setTimeout(resolve, 5_000))]);
  };
  return { attached: Object.entries(ports).map(([name, port]) => `${name}:${port}`), end };
}

async function runEngine(
  { args, environment, folder, log, attached }: Order["engine"],
  own: readonly string[],
): Promise<EngineEnd> {
  const events = await EventLog.open(log);
  const providers = [...own, ...attached].join(",");
  const engine = spawn("pulumi", [...args, "--event-log", log], {
    cwd: folder,
    env: { ...environment, PULUMI_DEBUG_PROVIDERS: providers },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  for (const stream of [engine.stdout, engine.stderr]) stream.on("data", (chunk: Buffer) => (output += chunk.toString()));
  const code = await new Promise<number>((resolve, reject) => {
    engine.once("error", reject).once("close", (ended) => resolve(ended ?? 1));
  });
  return { code, output, errors: await events.errors() };
}

async function obey({ isSandboxed, doors, host, engine }: Order): Promise<void> {
  if (isSandboxed) spawnSync("ip", ["link", "set", "lo", "up"]);
  await Promise.all(doors.map(({ port, socket }) => openDoor({ host: "127.0.0.1", port }, { path: socket })));
  const { attached, end } = await startHost(host, engine.folder);
  const ended = await runEngine(engine, attached);
  await end();
  report(ended);
}

createInterface({ input: process.stdin })
  .once("line", (line) => {
    obey(JSON.parse(line) as Order).catch((error: unknown) =>
      report({ failed: error instanceof Error ? error.message : String(error) }),
    );
  })
  .once("close", endAll);
