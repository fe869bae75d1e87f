import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { endTree } from "../../rehearse/process-tree";

/** True for a running process, which a zombie is not. */
function isAlive(pid: number): boolean {
  return /^[^Z]/.test(spawnSync("ps", ["-o", "stat=", "-p", String(pid)], { encoding: "utf8" }).stdout);
}

test("a process ends with its group, and with what it has started in groups of their own, as the engine starts plugins", async () => {
  const start = `const { pid } = require("node:child_process").spawn("sleep", ["600"], { detached: true }); console.log(pid); setInterval(() => {}, 600);`;
  const child = spawn(process.execPath, ["-e", start], { detached: true, stdio: ["ignore", "pipe", "inherit"] });
  const [line] = (await once(child.stdout, "data")) as [Buffer];
  const plugin = Number(line);
  expect(isAlive(plugin)).toBe(true);
  endTree(child.pid ?? 0);
  expect(await once(child, "close")).toEqual([null, "SIGKILL"]);
  for (let left = 100; isAlive(plugin) && left > 0; left -= 1) await new Promise((done) => setTimeout(done, 50));
  expect(isAlive(plugin)).toBe(false);
  // It may have ended before.
  expect(() => endTree(child.pid ?? 0)).not.toThrow();
});
