import { hostname } from "node:os";
import { emulatorFolder } from "./emulator.mjs";
import { Failure, say } from "./message.mjs";
import { findProcess } from "./process-table.mjs";
import { locksIn } from "./backend-locks.mjs";

/**
 * Repairs the emulator's stack after a killed run. Removes its lock if the owner has ended, and drops pending operations from state. The
 * next `up` adopts the objects that they created.
 * @returns {Promise<boolean>} whether a repair was necessary
 * @throws {Failure} if another run holds the stack
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
  say("An earlier run was killed: unlocking and refreshing its stack.");
  if (locks.length > 0) await succeed(stack, ["cancel", "--yes"]);
  await succeed(stack, ["refresh", "--yes", "--skip-preview", "--run-program", "--clear-pending-creates"]);
  return true;
}

/** Process ids are reused, so only an engine with this id holds the lock. */
function isHeld({ pid, hostname: host }) {
  return host !== hostname() || findProcess(pid)?.name === "pulumi";
}

async function succeed(stack, args) {
  const { code, output } = await stack.unattended(args);
  if (code !== 0) throw new Failure(`pulumi ${args.join(" ")} failed (exit code ${code}):\n${output.trimEnd()}`);
}
