import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { FaultProxy } from "../support/fault-proxy";
import { TestPlatform } from "../support/test-platform";
import { PluginProcess } from "./plugin-process";

let platform: TestPlatform;
let proxy: FaultProxy;
let plugin: PluginProcess;
let home: string;

const group = "platform:iam:Group";

/** Starts a process in which the engine begins a run of the program. */
async function start(): Promise<void> {
  const addresses = { PLATFORM_BASE_URL: proxy.baseUrl, PLATFORM_AUDIENCE: platform.baseUrl, PULUMI_HOME: home };
  plugin = await PluginProcess.start({ ...platform.environment, ...addresses });
  await plugin.configure();
}

async function nextRun(): Promise<void> {
  await plugin.close();
  await start();
}

beforeEach(async () => {
  platform = await TestPlatform.start();
  proxy = await FaultProxy.start(platform.baseUrl);
  home = await mkdtemp(path.join(tmpdir(), "home-"));
  await start();
});

afterEach(async () => {
  await plugin.close();
  await proxy.close();
  await platform.close();
  await rm(home, { recursive: true, force: true });
});

/** A run that makes the group `team`, and is killed before the create of `lost` is answered. @returns the state of `team`, and the uid of `lost` */
async function interrupted() {
  const team = await plugin.makeGroup(platform.root, "team");
  const applied = Promise.withResolvers<undefined>();
  proxy.interfere = async (request, forward) => {
    const answer = await forward();
    if (request.method !== "POST" || !request.path.includes("/groups/")) return answer;
    applied.resolve(undefined);
    return new Promise(() => {});
  };
  plugin.makeGroup(platform.root, "lost").catch(() => {});
  await applied.promise;
  proxy.interfere = (_request, forward) => forward();
  await nextRun();
  await passTime();
  return { team, lost: (await platform.named("groups", "lost")).uid };
}

/** Lets so much time pass that no request of an earlier run can be applied any more. */
async function passTime(): Promise<void> {
  const folder = path.join(home, "pulumi-platform/pending-creates");
  for (const name of await readdir(folder)) {
    const note = JSON.parse(await readFile(path.join(folder, name), "utf8")) as object;
    await writeFile(path.join(folder, name), JSON.stringify({ ...note, mayApplyUntil: 0 }));
  }
}

test("a destroy does not begin while an object exists that an interrupted create made: it names it", async () => {
  const { team, lost } = await interrupted();
  const deleting = plugin.delete(group, team.id, team.outs);
  await expect(deleting).rejects.toThrow(
    `created group "lost" under ${platform.root} (${lost}), which is on the platform and not in the state`,
  );
  expect(await platform.groupNames()).toEqual(["lost", "team"]);
});

test("a destroy goes on once the object is deleted", async () => {
  const { team, lost } = await interrupted();
  await platform.delete("groups", lost);
  await plugin.delete(group, team.id, team.outs);
  expect(await platform.groupNames()).toEqual([]);
});

test("a destroy goes on without the note that the error names", async () => {
  const { team } = await interrupted();
  const failure = await plugin.delete(group, team.id, team.outs).then(String, String);
  const [, file = ""] = /remove (\S+)\. Nothing was deleted/.exec(failure) ?? [];
  await rm(file);
  await nextRun();
  await plugin.delete(group, team.id, team.outs);
  expect(await platform.groupNames()).toEqual(["lost"]);
});

test("a refresh names it, and reads on", async () => {
  const { team, lost } = await interrupted();
  expect((await plugin.read(group, team.id, team.outs)).id).toBe(team.id);
  expect(plugin.messages.map(({ text }) => text)).toEqual([expect.stringContaining(lost)]);
});

test("a run of the program takes it back, and may delete the rest", async () => {
  const { team, lost } = await interrupted();
  expect((await plugin.makeGroup(platform.root, "lost")).id).toBe(lost);
  await plugin.delete(group, team.id, team.outs);
  expect(await platform.groupNames()).toEqual(["lost"]);
  expect(plugin.messages.map(({ text }) => text)).toEqual([expect.stringContaining("took back")]);
});

test("a run of the program that no longer declares it deletes the rest, and names it", async () => {
  const { team, lost } = await interrupted();
  await plugin.check(group, "other", { parentUid: platform.root });
  await plugin.delete(group, team.id, team.outs);
  expect(await platform.groupNames()).toEqual(["lost"]);
  expect(plugin.messages.map(({ text }) => text)).toEqual([expect.stringContaining(lost)]);
});

test("an object that was created before is not one of an interrupted create", async () => {
  const { team, lost } = await interrupted();
  await platform.delete("groups", lost);
  await platform.create("groups", platform.root, { name: "lost" });
  await platform.change("groups", (await platform.named("groups", "lost")).uid, { createTime: "2020-01-01T00:00:00.000Z" });
  await plugin.delete(group, team.id, team.outs);
  expect(await platform.groupNames()).toEqual(["lost"]);
});

test("a second cancel keeps the notes: the engine may not have saved what was answered before", async () => {
  const { promise: held, resolve } = Promise.withResolvers<undefined>();
  await plugin.makeGroup(platform.root, "answered");
  proxy.interfere = async (request, forward) => {
    if (request.method !== "POST" || !request.path.includes("/groups/")) return forward();
    resolve(undefined);
    return new Promise(() => {});
  };
  const making = plugin.makeGroup(platform.root, "hangs").then(String, String);
  await held;
  await plugin.cancel();
  await plugin.cancel();
  await making;
  plugin.interrupt();
  await plugin.ended();
  expect(await readdir(path.join(home, "pulumi-platform/pending-creates"))).toHaveLength(2);
});
