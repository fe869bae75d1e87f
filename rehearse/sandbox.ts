import { spawnSync } from "node:child_process";

/** Runs a command without a network and with processes of its own, which end with it. */
const unshare = ["unshare", "--map-root-user", "--net", "--pid", "--fork", "--kill-child"] as const;

/** The words before a command that runs it without a network; undefined where the system cannot. */
export function sandbox(): readonly string[] | undefined {
  if (process.platform !== "linux") return undefined;
  const [command, ...args] = unshare;
  const { status } = spawnSync(command, [...args, "ip", "link", "set", "lo", "up"], { stdio: "ignore", timeout: 10_000 });
  return status === 0 ? unshare : undefined;
}

/** Runs a command with processes of its own, which end with it. Other processes cannot be read or signalled from there. */
const apart = ["unshare", "--map-current-user", "--pid", "--fork", "--kill-child"] as const;

/**
 * The words before a command that keep the memory, the environment and the signals of all other processes from it; undefined where the system
 * cannot. The network, the files and the terminal stay.
 */
// See docs/decisions/0067-a-bound-program-sees-no-other-process.md.
export function processSandbox(): readonly string[] | undefined {
  if (process.platform !== "linux") return undefined;
  // A container may forbid a /proc of its own, without which the same holds.
  return [[...apart, "--mount-proc"], [...apart]].find(
    ([command = "", ...args]) => spawnSync(command, [...args, "true"], { stdio: "ignore", timeout: 10_000 }).status === 0,
  );
}
