import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";

/**
 * Fills a temporary folder and renames it to `<home>/bin` when the work is done, so that an interrupted attempt does not look like a
 * finished one. First removes the rest of a killed attempt (callers hold the lock).
 * @param fill receives the temporary folder and resolves to the reason of a failure
 * @returns {Promise<string | undefined>} that reason
 */
export async function stage(home, fill) {
  mkdirSync(home, { recursive: true });
  for (const name of readdirSync(home))
    if (name.startsWith("bin.partial")) rmSync(join(home, name), { recursive: true, force: true });
  const partial = join(home, `bin.partial-${process.pid}`);
  mkdirSync(partial);
  try {
    const reason = await fill(partial);
    if (reason) return reason;
    const bin = join(home, "bin");
    if (existsSync(bin)) rmSync(bin, { recursive: true, force: true });
    renameSync(partial, bin);
    return undefined;
  } finally {
    rmSync(partial, { recursive: true, force: true });
  }
}
