import { spawn } from "node:child_process";
import { once } from "node:events";
import { messageOf, PlatformError } from "../../provider/client/errors";

/** The end of a command, with everything that it printed. */
export interface Outcome {
  readonly code: number;
  readonly output: string;
}

/** Options of {@link run}. */
export interface RunOptions {
  /** Receives each line. */
  readonly onLine?: (line: string) => void;
  /** Variables besides those of this process. */
  readonly environment?: Readonly<Record<string, string>>;
  /** Ends the command and all its processes. {@link run} then throws the reason, when they have ended. */
  readonly signal?: AbortSignal;
}

/** Runs a command in `folder` to its end. @throws PlatformError if it cannot start */
export async function run(
  folder: string,
  command: string,
  parameters: readonly string[],
  { onLine = () => undefined, environment = {}, signal }: RunOptions = {},
): Promise<Outcome> {
  signal?.throwIfAborted();
  const child = spawn(command, parameters, {
    cwd: folder,
    env: { ...process.env, ...environment },
    stdio: ["ignore", "pipe", "pipe"],
    // A group of its own, so that none of its processes still writes after the signal.
    detached: signal !== undefined,
  });
  const end = () => kill(child.pid);
  signal?.addEventListener("abort", end);
  let output = "";
  let line = "";
  const read = (chunk: Buffer) => {
    output += chunk.toString();
    const lines = (line + chunk.toString()).split("\n");
    line = lines.pop() ?? "";
    lines.forEach(onLine);
  };
  child.stdout.on("data", read);
  child.stderr.on("data", read);
  try {
    const [code] = (await once(child, "close")) as [number | null];
    signal?.throwIfAborted();
    return { code: code ?? 1, output };
  } catch (error) {
    signal?.throwIfAborted();
    const why = (error as NodeJS.ErrnoException).code === "ENOENT" ? `${command} is not on PATH` : messageOf(error);
    throw new PlatformError("CONFIGURATION", `Run ${command} ${parameters[0] ?? ""}: ${why}.`);
  } finally {
    signal?.removeEventListener("abort", end);
  }
}

/** Runs the Pulumi CLI in `folder` without questions and colours. @throws PlatformError if it cannot start */
export function pulumiIn(folder: string, parameters: readonly string[], options: RunOptions = {}): Promise<Outcome> {
  const environment = { PULUMI_SKIP_UPDATE_CHECK: "true", ...options.environment };
  return run(folder, "pulumi", [...parameters, "--non-interactive", "--color", "never"], { ...options, environment });
}

/** Ends a group of processes, or on Windows the process alone. */
function kill(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(process.platform === "win32" ? pid : -pid, "SIGKILL");
  } catch {
    // It has ended already.
  }
}
