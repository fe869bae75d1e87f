import { spawnSync } from "node:child_process";

/** Ends a process group and all that its leader has started. The engine gives each of its plugins a group of its own. */
export function endTree(leader: number): void {
  const { stdout } = spawnSync("ps", ["-A", "-o", "pid=,ppid="], { encoding: "utf8" }) as { stdout: string | null };
  // Windows has neither `ps` nor process groups.
  const rows = String(stdout)
    .split("\n")
    .map((line) => line.trim().split(/\s+/).map(Number));
  const tree = [leader];
  for (const pid of tree) tree.push(...rows.flatMap(([child = 0, parent]) => (parent === pid ? [child] : [])));
  // The leader comes last, because it may be this process.
  for (const pid of [...tree.slice(1), -leader, leader]) end(pid);
}

function end(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It has ended already.
  }
}
