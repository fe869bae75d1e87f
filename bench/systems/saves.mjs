import { mkdirSync, watch } from "node:fs";
import { setImmediate } from "node:timers/promises";

/**
 * Counts how often the engine writes the state into `folder` while `work` runs. It writes a new file and renames it, so each rename to the
 * state's name is a save.
 * @returns {Promise<{ result: unknown, saves: number }>}
 */
export async function countingSaves(folder, work) {
  mkdirSync(folder, { recursive: true });
  let saves = 0;
  const watcher = watch(folder, (event, name) => {
    if (event === "rename" && /^bench\.json(\.zst)?$/.test(name ?? "")) saves++;
  });
  try {
    const result = await work();
    // The last events are delivered by the next turn of the loop.
    await setImmediate();
    await setImmediate();
    return { result, saves };
  } finally {
    watcher.close();
  }
}
