import { existsSync, mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { run } from "../../scripts/lib/child.mjs";
import { goEnvironment } from "../../scripts/lib/go.mjs";
import { announce, Failure } from "../../scripts/lib/message.mjs";
import { checkout } from "../../scripts/lib/paths.mjs";

/**
 * Builds a program from Go modules, unless that was done before.
 * @param sources folder in bench/ with the Go module
 * @param program file to write
 * @returns {Promise<string | undefined>} the reason of a failure, as the end of a sentence
 */
export async function buildWithGo(what, { sources, package: path, program }) {
  if (existsSync(program)) return undefined;
  if (!(await works("go", ["version"]))) return "it is built with Go, and there is no `go` on PATH.";
  mkdirSync(dirname(program), { recursive: true });
  const args = ["build", "-mod=readonly", "-trimpath", "-ldflags", "-s -w", "-o", program, path];
  const { code, output } = await announce(`${what}: building it from Go modules (half a minute)`, () =>
    run("go", args, { cwd: join(checkout, "bench", sources), env: goEnvironment(), capture: true }),
  );
  return code === 0 ? undefined : `it could not be built (${output.trim().split("\n").pop()}).`;
}

/** True if the command can be started and succeeds. */
export async function works(command, args) {
  try {
    return (await run(command, args, { capture: true })).code === 0;
  } catch (error) {
    if (error instanceof Failure) return false;
    throw error;
  }
}
