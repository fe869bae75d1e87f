import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";

/** Ends a process group and all that its leader has started. The engine gives each of its plugins a group of its own. */
export function endTree(leader: number): void {
  const parents = process.platform === "linux" ? parentsInProc() : parentsInPs();
  const tree = [leader];
  for (const pid of tree) tree.push(...parents.flatMap(([child, parent]) => (parent === pid ? [child] : [])));
  // The leader comes last, because it may be this process.
  for (const pid of [...tree.slice(1), -leader, leader]) end(pid);
}

type Parent = readonly [child: number, parent: number];

/** Small images have no `ps`. The second field after the name of a process is its parent (proc_pid_stat(5)). */
function parentsInProc(): Parent[] {
  return readdirSync("/proc").flatMap((pid): Parent[] => {
    try {
      const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
      return [[Number(pid), Number(stat.slice(stat.lastIndexOf(")")).split(" ")[2])]];
    } catch {
      // It has ended, or is no process.
      return [];
    }
  });
}

/** Empty on Windows, which has neither `ps` nor process groups. */
function parentsInPs(): Parent[] {
  const { stdout } = spawnSync("ps", ["-A", "-o", "pid=,ppid="], { encoding: "utf8" }) as { stdout: string | null };
  return (stdout ?? "").split("\n").map((line): Parent => {
    const [child = "0", parent] = line.trim().split(/\s+/);
    return [Number(child), Number(parent)];
  });
}

function end(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It has ended already.
  }
}
