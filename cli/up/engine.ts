import { type ChildProcess, spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { constants } from "node:os";
import { PlatformError } from "../../provider/client/errors";

/**
 * Runs the engine in this terminal.
 *
 * @param words `pulumi up --yes`, or a sandbox and that
 * @returns its exit code
 * @throws PlatformError `CONFIGURATION` if it does not start
 */
export async function engine(words: readonly string[], environment: Readonly<Record<string, string>>): Promise<number> {
  const [command = "", ...args] = words;
  const child = spawn(command, args, { env: environment, stdio: "inherit" });
  // The terminal sends Ctrl-C to the engine too, which ends in an orderly way.
  const stay = () => undefined;
  const end = () => endEngine(child, command !== "pulumi");
  process.on("SIGINT", stay).on("SIGTERM", end);
  try {
    return await new Promise<number>((resolve, reject) => {
      child.once("close", (code, signal) => resolve(code ?? 128 + (signal === null ? 0 : constants.signals[signal])));
      child.once("error", ({ message }) =>
        reject(new PlatformError("CONFIGURATION", `The Pulumi CLI \`pulumi\` did not start: ${message}. Install it.`)),
      );
    });
  } finally {
    process.off("SIGINT", stay).off("SIGTERM", end);
  }
}

/** Asks the engine to end in an orderly way. The process of a sandbox itself ignores that. */
function endEngine(child: ChildProcess, isSandboxed: boolean): void {
  if (child.pid === undefined || child.exitCode !== null) return;
  const pids = isSandboxed ? readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, "utf8").split(" ") : [child.pid];
  for (const pid of pids) if (Number(pid) > 0) process.kill(Number(pid), "SIGTERM");
}
