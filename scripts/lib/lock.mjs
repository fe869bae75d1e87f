import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { sleep } from "./child.mjs";
import { say } from "./message.mjs";
import { findProcess } from "./process-table.mjs";

const POLL_MS = 500;

/**
 * Runs the work while this process holds the lock file; waits for its owner first. The file names its owner by pid and start time, so that
 * the lock of a dead process is taken over even if its pid is reused.
 * @param waitingFor shown while waiting
 */
export async function withLock(file, waitingFor, work) {
  mkdirSync(dirname(file), { recursive: true });
  const own = `${process.pid} ${findProcess(process.pid).started}`;
  let isSaid = false;
  while (!acquire(file, own)) {
    if (!isSaid) say(`Waiting: ${waitingFor} (process ${readOwner(file)?.split(" ")[0] ?? "just ended"}; the lock is ${file}).`);
    isSaid = true;
    await sleep(POLL_MS);
  }
  try {
    return await work();
  } finally {
    rmSync(file, { force: true });
  }
}

function acquire(file, own) {
  const mine = `${file}.${process.pid}`;
  const owner = readOwner(file);
  if (owner !== undefined && !isAlive(owner)) takeAway(file, owner, `${mine}.dead`);
  // A hard link appears with its content, so a lock without an owner is never seen.
  writeFileSync(mine, own);
  try {
    linkSync(mine, file);
    return true;
  } catch (error) {
    if (error.code !== "EEXIST") throw error;
    return false;
  } finally {
    rmSync(mine, { force: true });
  }
}

/** Removes the lock of a dead owner. Puts it back if another process has taken it over in the meantime. */
function takeAway(file, deadOwner, aside) {
  try {
    renameSync(file, aside);
    if (readOwner(aside) !== deadOwner) linkSync(aside, file);
  } catch (error) {
    if (error.code !== "ENOENT" && error.code !== "EEXIST") throw error;
  } finally {
    rmSync(aside, { force: true });
  }
}

function readOwner(file) {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    if (error.code === "ENOENT") return undefined;
    throw error;
  }
}

function isAlive(owner) {
  const [pid, ...started] = owner.split(" ");
  return findProcess(Number(pid))?.started === started.join(" ");
}
