import { spawn } from "node:child_process";
import { once } from "node:events";
import type { Ended } from "../support/cli";
import { signalGroup } from "../support/signals";

/** A command that serves until it is interrupted. */
export interface Serving {
  /** It serves once it has printed this. */
  readonly ready: RegExp;
  /** Is awaited before the command is interrupted, as by Ctrl-C in a terminal. */
  readonly meanwhile?: () => Promise<unknown>;
}

/** Plays a script. It ends at the first command that fails. */
export async function bash(
  script: string,
  cwd: string,
  env: Readonly<Record<string, string | undefined>>,
  serving?: Serving,
): Promise<Ended> {
  const child = spawn("bash", ["-c", `set -euo pipefail\n${script}`], {
    ...{ cwd, env, detached: true },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const signal = (name: "SIGINT" | "SIGKILL") => signalGroup(child.pid, name);
  // A command that a failed script has left behind would hold the pipes.
  child.once("exit", () => attempt(() => signal("SIGKILL")));
  const printed = { stdout: "", stderr: "" };
  let meanwhile: Promise<unknown> | undefined;
  for (const stream of ["stdout", "stderr"] as const)
    child[stream].on("data", (chunk: Buffer) => {
      printed[stream] += chunk.toString();
      if (meanwhile !== undefined || serving?.ready.test(printed.stdout + printed.stderr) !== true) return;
      meanwhile = Promise.resolve(serving.meanwhile?.()).finally(() => signal("SIGINT"));
      meanwhile.catch(() => undefined);
    });
  const [code] = (await once(child, "close")) as [number | null];
  if (serving !== undefined && meanwhile === undefined)
    throw new Error(`It ended before it was ready: ${script}\n${printed.stdout}\n${printed.stderr}`);
  await meanwhile;
  return { code: code ?? -1, ...printed };
}

function attempt(act: () => unknown): void {
  try {
    act();
  } catch {
    // Nothing is left.
  }
}

/** Plays a script that has to succeed. @returns what it prints @throws Error with all that it printed */
export async function succeed(...given: Parameters<typeof bash>): Promise<string> {
  const { code, stdout, stderr } = await bash(...given);
  if (code !== 0) throw new Error(`Exit code ${code}: ${given[0]}\n${stdout}\n${stderr}`);
  return stdout;
}
