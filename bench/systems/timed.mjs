import { readFileSync } from "node:fs";
import { performance } from "node:perf_hooks";
import { clearInterval, setInterval } from "node:timers";
import { start, throwIfInterrupted } from "../../scripts/lib/child.mjs";
import { Failure } from "../../scripts/lib/message.mjs";
import { sessionOf } from "../../scripts/lib/process-table.mjs";

const LOOK_EVERY_MS = 500;

/**
 * Runs a command to its end and measures the time from start to exit.
 * @param watched text in the command line of the child process whose memory is measured; Linux only
 * @throws {Failure} with its output if it fails
 */
export async function timed(command, args, { watched, ...options }) {
  throwIfInterrupted();
  const started = performance.now();
  const child = start(command, args, { ...options, stdio: ["ignore", "pipe", "pipe"] });
  let seconds;
  child.process.once("exit", () => (seconds = (performance.now() - started) / 1000));
  const printed = [];
  for (const stream of [child.process.stdout, child.process.stderr]) stream.on("data", (chunk) => printed.push(chunk));
  let peakMiB = 0;
  const look = () => (peakMiB = Math.max(peakMiB, ...sessionOf(child.process.pid).map((pid) => memoryOf(pid, watched))));
  const watch = watched && setInterval(look, LOOK_EVERY_MS);
  const code = await child.ended.finally(() => clearInterval(watch));
  throwIfInterrupted();
  const output = Buffer.concat(printed).toString("utf8");
  if (code !== 0) throw new Failure(`${command} ${args.join(" ")} ended with exit code ${code}:\n${output.slice(-4_000)}`);
  return { seconds, ...(peakMiB > 0 && { hostMiB: peakMiB }) };
}

/** Peak memory of a process whose command line contains `watched`; 0 for others, and where there is no /proc. */
function memoryOf(pid, watched) {
  try {
    const [program] = readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0");
    if (!program.endsWith("node") || !readFileSync(`/proc/${pid}/cmdline`, "utf8").includes(watched)) return 0;
    return Number(/^VmHWM:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0) / 1024;
  } catch {
    return 0; // It has ended.
  }
}
