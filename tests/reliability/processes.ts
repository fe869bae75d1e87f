import { execFile } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { signal } from "../support/signals";

/** A process of this machine. */
interface Process {
  pid: number;
  parent: number;
  command: string;
}

/** The script of Pulumi's dynamic provider host, or of the plugin. */
const hostScript = /[\\/](cmd[\\/]dynamic-provider|cli[\\/]resource-plugin)\b/;

async function processes(): Promise<Process[]> {
  const { stdout } = await promisify(execFile)("ps", ["-A", "-o", "pid=,ppid=,stat=,args="], { maxBuffer: 16 * 1024 * 1024 });
  return stdout.split("\n").flatMap((line) => {
    const [, pid, parent, state = "", command = ""] = /^\s*(\d+)\s+(\d+)\s+(\S+)\s+(.*)$/.exec(line) ?? [];
    return pid === undefined || state.startsWith("Z") ? [] : [{ pid: Number(pid), parent: Number(parent), command }];
  });
}

/** The provider hosts that the engine `engine` has started, without the shells that launch them. */
export async function hostsOf(engine: number): Promise<number[]> {
  const all = await processes();
  const below = (pid: number): Process[] =>
    all.filter(({ parent }) => parent === pid).flatMap((child) => [child, ...below(child.pid)]);
  return below(engine)
    .filter(({ command }) => hostScript.test(command) && !/^\S*sh /.test(command))
    .map(({ pid }) => pid);
}

/** Ends a process as the kernel does when memory runs out; one that has ended already is left. */
export function kill(pid: number): void {
  try {
    signal(pid, "SIGKILL");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}

/**
 * Milliseconds until none of `hosts` runs any more.
 *
 * @throws Error when one still does after two minutes; it is killed then
 */
export async function timeToEnd(hosts: number[]): Promise<number> {
  const start = performance.now();
  for (;;) {
    const waited = performance.now() - start;
    const running = await runningOf(hosts);
    if (running.length === 0) return waited;
    if (waited > 120_000) {
      running.forEach(kill);
      throw new Error(`host processes are left: ${running.join(", ")}`);
    }
    await sleep(20);
  }
}

/** The running ones of `hosts`. An ended process is left out, although its entry stays until its parent takes note. */
async function runningOf(hosts: number[]): Promise<number[]> {
  const running = new Set((await processes()).map(({ pid }) => pid));
  return hosts.filter((pid) => running.has(pid));
}
