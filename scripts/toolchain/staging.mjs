import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";

/**
 * Fills `<home>/bin` by way of a temporary folder beside it, which takes its place only when the work is done:
 * an interrupted attempt leaves nothing that looks like an engine. What a killed one left is removed first (callers hold the lock).
 * @param fill gets the temporary folder and resolves to a reason when it failed
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
