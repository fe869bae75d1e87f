import { existsSync, mkdirSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { tmpdir } from "node:os";
import path from "node:path";
import { PrivateFolder } from "../../rehearse/folder";

let parent = "";
beforeEach(() => (parent = mkdtempSync(path.join(tmpdir(), "folder-"))));
afterEach(() => rmSync(parent, { recursive: true, force: true }));

test("a folder is private, and goes when it is removed", async () => {
  const folder = await PrivateFolder.create(parent);
  expect(statSync(folder.path).mode & 0o777).toBe(0o700);
  folder.remove();
  folder.remove();
  expect(existsSync(folder.path)).toBe(false);
});

test("the next run removes the folder of a killed process, and leaves those of others that run or start", async () => {
  const alive = await PrivateFolder.create(parent);
  const dead = path.join(parent, "pulumi-platform-rehearsal-dead");
  mkdirSync(dead);
  const listen = `require("net").createServer().listen(${JSON.stringify(path.join(dead, "alive"))}, () => console.log("ready"))`;
  const other = spawn("node", ["-e", listen], { stdio: ["ignore", "pipe", "inherit"] });
  await once(other.stdout, "data");
  const starting = path.join(parent, "pulumi-platform-rehearsal-starting");
  mkdirSync(starting);
  const unrelated = path.join(parent, "other");
  mkdirSync(unrelated);
  const first = await PrivateFolder.create(parent);
  expect([alive.path, dead, starting, unrelated].map(existsSync)).toEqual([true, true, true, true]);
  other.kill("SIGKILL");
  await once(other, "close");
  const second = await PrivateFolder.create(parent);
  expect([alive.path, dead, starting, unrelated].map(existsSync)).toEqual([true, false, true, true]);
  for (const folder of [alive, first, second]) folder.remove();
});
