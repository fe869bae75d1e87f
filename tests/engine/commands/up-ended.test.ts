import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { main, runBuilt } from "../../support/cli";
import { FaultProxy } from "../../support/fault-proxy";
import { isRunning, signal, signalGroup } from "../../support/signals";
import { longTest } from "../../support/tier";
import { succeed } from "../succeed";
import { platform, project, useProject } from "../use-project";

const names = Array.from({ length: 6 }, (_, index) => `group-${index}`);
const chain = names.map(
  (name, index) => `const g${index} = new Group("${name}", { parentUid: ${index === 0 ? "root" : `g${index - 1}.uid`} });`,
);

let folder = "";
let proxy: FaultProxy;
let creates = 0;

useProject(chain.join("\n"));

beforeEach(async () => {
  folder = mkdtempSync(path.join(tmpdir(), "up-ended-"));
  proxy = await FaultProxy.start(platform.baseUrl);
  creates = 0;
  Object.assign(project.environment, { PLATFORM_BASE_URL: proxy.baseUrl, PLATFORM_AUDIENCE: platform.baseUrl });
  const words = ["rehearse", "--save", ledger(), "--skip-preview", "--stack", "test"];
  await succeed(runBuilt(words, project.variables, { folder: project.folder }));
});
afterEach(async () => {
  await proxy.close();
  rmSync(folder, { recursive: true, force: true });
});

const ledger = () => path.join(folder, "rehearsal.json");
const words = () => ["up", "--rehearsed", ledger(), "--stack", "test", "--yes"];

/** The processes of a command, with the host of the bound run. */
interface Processes {
  readonly command: number;
  readonly host: number;
}

/** Runs the bound update, and does `act` while its third create is in flight. */
async function during(act: (running: Processes) => void): Promise<{ code: number | null; host: number }> {
  const [third, mayAnswer] = [Promise.withResolvers<undefined>(), Promise.withResolvers<undefined>()];
  proxy.interfere = async ({ method, path: to }, forward) => {
    if (method === "POST" && to.includes("/groups/") && ++creates === 3) {
      third.resolve(undefined);
      await mayAnswer.promise;
    }
    return forward();
  };
  // A leader of a group, as a command in a terminal.
  const child = spawn(process.execPath, [main, ...words()], {
    ...{ cwd: project.folder, env: project.variables, detached: true },
    stdio: ["ignore", "ignore", "inherit"],
  });
  const ended = once(child, "exit") as Promise<[number | null]>;
  await Promise.race([third.promise, ended]);
  const command = child.pid ?? 0;
  const [host] = childrenOf(command, "bound-host.js");
  if (host === undefined) throw new Error("The command ended early, or has no host.");
  act({ command, host });
  await sleep(500);
  mayAnswer.resolve(undefined);
  const [code] = await ended;
  return { code, host };
}

/** The pids of the children of a process whose command line has this text. */
function childrenOf(parent: number, text: string): number[] {
  const lines = execFileSync("ps", ["-A", "-o", "pid=,ppid=,stat=,args="], { encoding: "utf8" }).split("\n");
  return lines.flatMap((line) => {
    const [pid, ppid, stat = "", ...args] = line.trim().split(/\s+/);
    return Number(ppid) === parent && !stat.startsWith("Z") && args.join(" ").includes(text) ? [Number(pid)] : [];
  });
}

/** Expects that state knows each object, that nothing goes on, and that a second run with the same file finishes. */
async function expectOrderly(): Promise<void> {
  const made = (await platform.objects("groups")).map(({ uid }) => uid).filter((uid) => uid.startsWith(`${platform.root}/`));
  expect(await platform.groupNames()).toEqual(names.slice(0, 3));
  expect((await project.resources()).map(({ id }) => id).sort()).toEqual(made.sort());
  await succeed(runBuilt(words(), project.variables, { folder: project.folder }));
  expect(await platform.groupNames()).toEqual(names);
}

test("Ctrl-C ends the engine in an orderly way and then the host, and a second run with the same file finishes", async () => {
  const { code, host } = await during(({ command }) => signalGroup(command, "SIGINT"));
  expect(code).not.toBe(0);
  expect(isRunning(host)).toBe(false);
  await expectOrderly();
});

longTest("SIGTERM to the command alone ends the engine in an orderly way", async () => {
  const { code, host } = await during(({ command }) => signal(command, "SIGTERM"));
  expect(code).not.toBe(0);
  expect(isRunning(host)).toBe(false);
  await expectOrderly();
});

test("SIGKILL of the command ends the host, which sends nothing more", async () => {
  const { host } = await during(({ command }) => signal(command, "SIGKILL"));
  for (let left = 50; isRunning(host) && left > 0; left--) await sleep(100);
  expect(isRunning(host)).toBe(false);
  await platform.clearRequests();
  await sleep(2_000);
  expect(await platform.writes()).toEqual([]);
  expect((await platform.groupNames()).length).toBeLessThanOrEqual(3);
});

longTest("the update fails if the host dies, and sends nothing more", async () => {
  const { code } = await during(({ host }) => signal(host, "SIGKILL"));
  expect(code).not.toBe(0);
  expect((await platform.groupNames()).length).toBeLessThanOrEqual(3);
});
