import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";

/** Every process of the machine as `{ pid, parent, session, started, name }`; from /proc, or from ps where there is none (macOS, where the session is unknown). */
function processTable() {
  return process.platform === "linux" ? fromProc() : fromPs();
}

function fromProc() {
  return readdirSync("/proc")
    .filter((entry) => /^\d+$/.test(entry))
    .flatMap((entry) => {
      try {
        const stat = readFileSync(`/proc/${entry}/stat`, "utf8");
        // The name is in parentheses and may itself contain spaces and parentheses.
        const close = stat.lastIndexOf(")");
        const fields = stat.slice(close + 2).split(" ");
        if (fields[0] === "Z") return [];
        return [
          {
            pid: Number(entry),
            parent: Number(fields[1]),
            session: Number(fields[3]),
            started: fields[19],
            name: stat.slice(stat.indexOf("(") + 1, close),
          },
        ];
      } catch {
        return []; // It ended between the two reads.
      }
    });
}

function fromPs() {
  const lines = execFileSync("ps", ["-A", "-o", "pid=,ppid=,lstart=,comm="], { encoding: "utf8" }).trim().split("\n");
  return lines.map((line) => {
    const [pid, parent, ...rest] = line.trim().split(/\s+/);
    return {
      pid: Number(pid),
      parent: Number(parent),
      started: rest.slice(0, 5).join(" "),
      name: rest.slice(5).join(" ").split("/").pop(),
    };
  });
}

/** The process with this id; undefined if it has ended. */
export function findProcess(pid) {
  return processTable().find((entry) => entry.pid === pid);
}

/** The ids of all descendants of a process. */
export function descendantsOf(pid) {
  const table = processTable();
  const found = [pid];
  for (const ancestor of found) found.push(...table.filter((entry) => entry.parent === ancestor).map((entry) => entry.pid));
  return found.slice(1);
}

/** The ids of the running processes of a session, whether its leader still runs or not. */
export function sessionOf(pid) {
  return processTable()
    .filter((entry) => entry.session === pid)
    .map((entry) => entry.pid);
}
