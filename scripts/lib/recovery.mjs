import { hostname } from "node:os";
import { emulatorFolder } from "./emulator.mjs";
import { Failure, say } from "./message.mjs";
import { findProcess } from "./process-table.mjs";
import { locksIn } from "./backend-locks.mjs";

/**
 * Brings the emulator's stack whose last run was killed back into order: its lock is removed, but only when the process that took it is dead,
 * and operations that never ended are dropped from the state; what they may have made is then taken over by the next `up`.
 * @returns {Promise<boolean>} whether there was anything to do
 * @throws {Failure} when another run holds the stack
 */
export async function recover(stack) {
  const locks = locksIn(emulatorFolder);
  const holder = locks.find(isHeld);
  if (holder) {
    throw new Failure(
      `Another run of the engine holds this stack (process ${holder.pid} on ${holder.hostname}). Wait for it to end, then run the command again.`,
    );
  }
  const { pending_operations: pending = [] } = await stack.state();
  if (locks.length === 0 && pending.length === 0) return false;
  say("An earlier run was killed half-way: unlocking its stack and reading it anew.");
  if (locks.length > 0) await succeed(stack, ["cancel", "--yes"]);
  await succeed(stack, ["refresh", "--yes", "--skip-preview", "--run-program", "--clear-pending-creates"]);
  return true;
}

/** A process of that id counts only when it is an engine: ids are used again. */
function isHeld({ pid, hostname: host }) {
  return host !== hostname() || findProcess(pid)?.name === "pulumi";
}

async function succeed(stack, args) {
  const { code, output } = await stack.unattended(args);
  if (code !== 0) throw new Failure(`pulumi ${args.join(" ")} failed (exit code ${code}):\n${output.trimEnd()}`);
}
