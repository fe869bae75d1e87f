import { readdir, readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { Plugin } from "../../provider/host/plugin/plugin";
import { Journal } from "../../provider/resources/ledger/journal";
import { FakeClock } from "../support/fake-clock";
import { notesIn } from "../support/notes";
import { clientOf } from "../support/native-host";
import type { PluginClient } from "../support/plugin-client";
import { ResourceFixture } from "../support/resource-fixture";
import type { FaultProxy } from "../support/fault-proxy";
import type { TestPlatform } from "../support/test-platform";
import { PluginProcess } from "./processes";
import { scratchFolder } from "../support/scratch-folder";

let fixture: ResourceFixture;
let platform: TestPlatform;
let proxy: FaultProxy;
let home: string;
/** The plugins of all runs. Each stands for a process of its own. */
let plugins: PluginClient[];
let plugin: PluginClient;
/** The clock of the last run. */
let clock: FakeClock;
/** The messages of the last run. */
let said: string[];

const group = "platform:iam:Group";
const notes = () => path.join(home, "pulumi-platform/journal");

/** The engine begins a run of the program: the one before was killed. */
function nextRun(): void {
  const [pid, messages] = [plugins.length + 1, [] as string[]];
  clock = new FakeClock();
  const run = fixture.run({
    clock,
    notes: notesIn(notes(), { pid }),
    notify: (text) => messages.push(text),
  });
  plugin = clientOf(new Plugin([], () => run));
  plugins.push(plugin);
  said = messages;
}

beforeEach(async () => {
  fixture = await ResourceFixture.start();
  ({ platform, proxy } = fixture);
  home = scratchFolder();
  plugins = [];
  nextRun();
});

afterEach(async () => {
  // Ends what hangs in killed runs.
  for (const each of [...plugins, ...plugins]) await each.cancel();
  await fixture.close();
});

/** A run that makes the group `team`, and is killed before the create of `lost` is answered. @returns the state of `team`, and the uid of `lost` */
async function interrupted() {
  const team = await plugin.makeGroup(platform.root, "team");
  const applied = Promise.withResolvers<undefined>();
  proxy.interfere = async (request, forward) => {
    const answer = await forward();
    if (request.method !== "POST" || !request.path.includes("/groups/")) return answer;
    await clock.stop();
    applied.resolve(undefined);
    return "silence";
  };
  plugin.makeGroup(platform.root, "lost").catch(() => {});
  await applied.promise;
  proxy.interfere = (_request, forward) => forward();
  nextRun();
  await passTime();
  return { team, lost: (await platform.named("groups", "lost")).uid };
}

/** Lets so much time pass that no request of an earlier run can be applied any more. */
async function passTime(): Promise<void> {
  for (const name of await readdir(notes())) {
    const text = await readFile(path.join(notes(), name), "utf8");
    await writeFile(path.join(notes(), name), text.replaceAll(/"mayApplyUntil":\d+/g, '"mayApplyUntil":0'));
  }
}

test("a destroy does not begin while an object exists that an interrupted create made: it names it", async () => {
  const { team, lost } = await interrupted();
  const deleting = plugin.delete(group, team.id, team.outs);
  await expect(deleting).rejects.toThrow(
    `created group "lost" under acme.example (${lost}), which is on the platform and not in the state`,
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
  nextRun();
  await plugin.delete(group, team.id, team.outs);
  expect(await platform.groupNames()).toEqual(["lost"]);
});

test("a refresh names it, and reads on", async () => {
  const { team, lost } = await interrupted();
  expect((await plugin.read(group, team.id, team.outs)).id).toBe(team.id);
  expect(said).toEqual([expect.stringContaining(lost)]);
});

test("a run of the program takes it back, and may delete the rest", async () => {
  const { team, lost } = await interrupted();
  expect((await plugin.makeGroup(platform.root, "lost")).id).toBe(lost);
  await plugin.delete(group, team.id, team.outs);
  expect(await platform.groupNames()).toEqual(["lost"]);
  expect(said).toEqual([expect.stringContaining("took back")]);
});

test("a run of the program that no longer declares it deletes the rest, and names it", async () => {
  const { team, lost } = await interrupted();
  await plugin.check(group, "other", { parentUid: platform.root });
  await plugin.delete(group, team.id, team.outs);
  expect(await platform.groupNames()).toEqual(["lost"]);
  expect(said).toEqual([expect.stringContaining(lost)]);
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
  const plugin = await PluginProcess.start(proxy, platform, { PULUMI_HOME: home });
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
  plugin.kill("SIGINT");
  await plugin.ended();
  await plugin.close();
  expect(new Journal({ folder: notes() }).notes()).toHaveLength(2);
});
