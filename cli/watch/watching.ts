import { Memory } from "./changes";
import { jsonLine, line, warn } from "./lines";
import type { Metrics } from "./metrics";
import type { Rhythm } from "./rhythm";
import { look, type Round } from "./round";
import type { Webhook } from "./webhook";

interface Watching {
  readonly options: readonly string[];
  readonly isJson: boolean;
  /** Maximum time of one check. */
  readonly seconds: number;
  readonly webhook: Webhook | undefined;
  readonly rhythm: Rhythm;
  readonly metrics: Metrics;
  readonly signal: AbortSignal;
}

/** Looks for drift until the signal ends it, and prints the changes. */
export async function watchOn({ options, isJson, seconds, webhook, rhythm, metrics, signal }: Watching): Promise<void> {
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
    // Reported once, not after every check.
    const now = [troubleOf(round), undelivered && `Webhook: ${undelivered}; the changes are sent again after the next check.`];
    const next = now.filter(Boolean).join("\n");
    if (next !== trouble) warn(next || "Everything can be read again.");
    trouble = next;
    await rhythm.pause(signal);
  }
}

function troubleOf(round: Round): string {
  if (round.result === "failed") return `The check failed: ${round.reason}`;
  return round.result === "unreadable" ? "Could not read everything. No finding is resolved until that is possible." : "";
}
