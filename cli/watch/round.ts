import { spawn } from "node:child_process";
import { text } from "node:stream/consumers";
import { type Finding } from "../../drift/finding";
import { driftDocument } from "../documents/drift";
import { exitCode, UsageError } from "../shell/exit-codes";
import { valueOf } from "../shell/files";
import { type Sleep, sleepFor } from "./rhythm";

const documentSchema = driftDocument.pick({ findings: true, requests: true });

/** The result of one check. A `failed` check says nothing about the platform. */
export type Round =
  | { readonly result: "clean" | "drift" | "unreadable"; readonly findings: readonly Finding[]; readonly requests: number }
  | { readonly result: "failed"; readonly reason: string };

/** The time limit of one check. */
export interface TimeLimit {
  readonly seconds: number;
  /** For tests. Default: waits by the clock. */
  readonly sleep?: Sleep;
}

/**
 * Runs `pulumi-platform drift --json` with `options` in its own process. Each round reads states, configuration and credentials again, and
 * a round that crashes or never ends does not affect the others.
 *
 * @param signal ends the round
 * @param limit time after which the round is ended
 */
export async function look(options: readonly string[], signal: AbortSignal, limit: TimeLimit): Promise<Round> {
  const { seconds, sleep = sleepFor } = limit;
  const [, script = ""] = process.argv;
  const child = spawn(process.execPath, [script, "drift", "--json", ...options], { stdio: ["ignore", "pipe", "pipe"], signal });
  const ended = new Promise<number | Error>((resolve) => {
    child.once("error", resolve);
    child.once("close", (code) => resolve(code ?? exitCode.failed));
  });
  const outcome = Promise.all([ended, text(child.stdout), text(child.stderr)]);
  const isOver = new AbortController();
  const late = sleep(1000 * seconds, AbortSignal.any([signal, isOver.signal])).then(() => undefined);
  const inTime = await Promise.race([outcome, late]);
  isOver.abort();
  if (inTime !== undefined) return roundOf(...inTime);
  // A process that the check has started may keep its output open.
  outcome.catch(() => undefined);
  child.kill("SIGKILL");
  for (const stream of [child.stdout, child.stderr]) stream.destroy();
  return { result: "failed", reason: `it took longer than ${seconds} seconds and was ended` };
}

/** The meaning of the output of `drift --json`. @throws UsageError if its options are wrong, because later rounds would fail too */
export function roundOf(code: number | Error, output: string, said: string): Round {
  if (code instanceof Error) return { result: "failed", reason: code.message };
  // The error is printed again with its code.
  if (code === exitCode.usage) throw new UsageError(/^(.*?)(?: \[\w+\])?$/m.exec(said.trim())?.[1] ?? "");
  const { data } = documentSchema.safeParse(valueOf(output));
  if (data === undefined)
    return { result: "failed", reason: said.trim() || `drift ended with exit code ${code} and no document` };
  const findings = data.findings.filter(({ known }) => known !== true);
  const { requests } = data;
  if (code === exitCode.findings) return { result: "drift", findings, requests };
  if (code === exitCode.ok) return { result: "clean", findings, requests };
  return { result: "unreadable", findings, requests };
}
