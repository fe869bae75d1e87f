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
