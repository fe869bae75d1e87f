import type { Server } from "node:http";
import { printable } from "../../provider/client/printable";
import { documentVersion } from "../documents/document";
import type { WatchDocument } from "../documents/watch";
import { driftCommand, type DriftOptions, requireState } from "../drift/options";
import { exitCode, UsageError } from "../shell/exit-codes";
import { type Change, Memory } from "./changes";
import { eventsEndpoint, listen, metricsEndpoint } from "./endpoints";
import { Metrics } from "./metrics";
import { Rhythm } from "./rhythm";
import { look, type Round } from "./round";
import { secretVariable, Webhook } from "./webhook";

interface Options extends DriftOptions {
  readonly interval: string;
  readonly timeout: string;
  readonly bind: string;
  readonly metricsPort?: string;
  readonly listen?: string;
  readonly webhook?: string;
  readonly json?: true;
}

/** Looks for drift again and again, and says what changed. */
export const watch = driftCommand("watch", {
  summary: "drift at an interval, with a line per change, until Ctrl-C",
  description:
    "Checks for drift repeatedly until Ctrl-C or SIGTERM, and prints a line when a finding appears, changes or is resolved.\n" +
    "A check that fails, or that cannot read everything, is reported; it resolves only what can be read again.\n" +
    "A check that takes longer than --timeout is ended, and has failed.\n" +
    "Address and credentials come from the first --stack and the environment; each check reads them again.\n" +
    `${secretVariable}: the secret that deliveries to --webhook are signed with.`,
  examples: [
    ["watch --stack prod", "every five minutes"],
    ["watch --stack prod --metrics-port 9464 --bind 0.0.0.0", "in a container, with metrics for Prometheus"],
    ["watch --stack prod --interval 3600 --listen 8080", "every hour, and whenever the platform sends an event"],
  ],
  exitCodes: {
    [exitCode.ok]: "ended by Ctrl-C or SIGTERM",
    [exitCode.failed]: "failed, or nothing reads its standard output any more",
  },
})
  .option("--interval <SECONDS>", "time between two checks, varied by up to a tenth", "300")
  .option("--timeout <SECONDS>", "longest time of one check, after which it is ended and reported", "600")
  .option("--metrics-port <PORT>", "serve metrics for Prometheus at /metrics; 0 picks a free port")
  .option("--listen <PORT>", "receive the platform's events, and check when one arrives; 0 picks a free port")
  .option("--bind <ADDRESS>", "address that both ports listen on", "127.0.0.1")
  .option("--webhook <URL>", "send changes to this address as JSON, signed")
  .option("--json", "print each change as a line of JSON: schemas/watch.schema.json")
  .action(async (options: Options) => {
    const webhook = options.webhook === undefined ? undefined : new Webhook(options.webhook, process.env[secretVariable]);
    const rhythm = new Rhythm(1000 * numberIn("--interval", options.interval, 1, 604_800));
    const seconds = numberIn("--timeout", options.timeout, 1, 86_400);
    const metrics = new Metrics();
    const ends = new AbortController();
    for (const name of ["SIGINT", "SIGTERM"] as const) process.once(name, () => ends.abort());
    // Whoever reads the lines may stop, which ends the process: a watch that nobody reads has failed.
    process.exitCode = exitCode.failed;
    const servers: Server[] = [];
    const serve = async (what: string, option: string, port: string | undefined, listener: Parameters<typeof listen>[0]) => {
      if (port === undefined) return;
      const [server, address] = await listen(listener, option, options.bind, numberIn(option, port, 0, 65_535));
      servers.push(server);
      warn(`${what} at ${address}`);
    };
    try {
      await serve(
        "Metrics",
        "--metrics-port",
        options.metricsPort,
        metricsEndpoint(() => metrics.text),
      );
      await serve(
        "Events",
        "--listen",
        options.listen,
        eventsEndpoint(() => rhythm.wake()),
      );
      await watchOn({
        options: driftArguments(options),
        isJson: options.json === true,
        seconds,
        webhook,
        rhythm,
        metrics,
        signal: ends.signal,
      });
      process.exitCode = exitCode.ok;
    } finally {
      for (const server of servers) {
        server.closeAllConnections();
        server.close();
      }
    }
  });

interface Watching {
  readonly options: readonly string[];
  readonly isJson: boolean;
  /** Longest time of one check. */
  readonly seconds: number;
  readonly webhook: Webhook | undefined;
  readonly rhythm: Rhythm;
  readonly metrics: Metrics;
  readonly signal: AbortSignal;
}

async function watchOn({ options, isJson, seconds, webhook, rhythm, metrics, signal }: Watching): Promise<void> {
  const memory = new Memory();
  const isOver = () => signal.aborted;
  let trouble = "";
  while (!isOver()) {
    const round = await look(options, signal, { seconds });
    if (isOver()) break;
    const time = Date.now();
    const changes = memory.take(round);
    metrics.count(round, memory.findings, time);
    for (const change of changes) process.stdout.write(`${isJson ? jsonLine(change, time) : line(change, time)}\n`);
    const undelivered = await webhook?.deliver(changes, time, signal);
    if (isOver()) break;
    // Said once, not at every look.
    const now = [troubleOf(round), undelivered && `Webhook: ${undelivered}; the changes are sent again after the next check.`];
    const next = now.filter(Boolean).join("\n");
    if (next !== trouble) warn(next || "Everything can be read again.");
    trouble = next;
    await rhythm.pause(signal);
  }
}

function troubleOf(round: Round): string {
  if (round.result === "failed") return `The check failed: ${round.reason}`;
  return round.result === "unreadable" ? "Could not read everything: nothing counts as resolved until that is possible." : "";
}

function line({ event, finding }: Change, time: number): string {
  const { severity, class: what, kind, path, message } = finding;
  return printable(`${new Date(time).toISOString()} ${event} ${severity} ${what} ${kind} ${path}: ${message}`).replaceAll(
    "\n",
    " ",
  );
}

function jsonLine(change: Change, time: number): string {
  const printed: WatchDocument = { version: documentVersion, time: new Date(time).toISOString(), ...change };
  return JSON.stringify(printed);
}

/** The command line of `drift`. */
function driftArguments(options: Options): string[] {
  requireState(options);
  const { stack, state, root, ignore, baseline } = options;
  if ([...(state ?? []), ignore, baseline].includes("-"))
    throw new UsageError("watch does not read standard input. Pass a file, or --stack.");
  return Object.entries({ stack, state, root, ignore, baseline }).flatMap(([name, value]) =>
    [value ?? []].flat().map((each) => `--${name}=${each}`),
  );
}

function numberIn(option: string, text: string, least: number, most: number): number {
  const value = Number(text);
  if (/^\d+$/.test(text) && value >= least && value <= most) return value;
  throw new UsageError(`${option} must be a number from ${least} to ${most}, not ${JSON.stringify(text)}.`);
}

function warn(text: string): void {
  process.stderr.write(
    `${text
      .split("\n")
      .map((each) => printable(each))
      .join("\n")}\n`,
  );
}
