import { messageOf } from "../../provider/client/errors";
import type { FaultProxy } from "../support/fault-proxy";
import type { PluginClient } from "../support/plugin-client";
import type { TestPlatform } from "../support/test-platform";
import { newPlugin, pluginForEach } from "./plugin-on-platform";

const all = pluginForEach();
let platform: TestPlatform;
let proxy: FaultProxy;
let plugin: PluginClient;
beforeEach(() => ({ platform, proxy, plugin } = all));

const group = "platform:iam:Group";
const identity = "platform:iam:Identity";
const binding = "platform:iam:RoleBinding";

/** Holds every request of `method` until the test ends or lets it go. */
function hold(method: string, place: string) {
  const [held, mayGo] = [Promise.withResolvers<undefined>(), Promise.withResolvers<undefined>()];
  proxy.interfere = async (request, forward) => {
    if (request.method !== method || !request.path.includes(place)) return forward();
    held.resolve(undefined);
    await mayGo.promise;
    return forward();
  };
  const release = () => {
    mayGo.resolve(undefined);
  };
  return { held: held.promise, release };
}

test("a cancel lets a create that was sent settle, and nothing new is sent", async () => {
  const { held, release } = hold("POST", "/groups/");
  const making = plugin.makeGroup(platform.root, "team");
  await held;
  await plugin.cancel();
  release();
  const { id } = await making;
  expect((await platform.named("groups", "team")).uid).toBe(id);
  await expect(plugin.makeGroup(platform.root, "later")).rejects.toThrow("The run was cancelled.");
  expect(await platform.groupNames()).toEqual(["team"]);
});

test("a run knows nothing of an earlier one that was cancelled, and deletes what that has made", async () => {
  const { id, outs } = await plugin.makeGroup(platform.root, "team");
  await plugin.cancel();
  await plugin.configure();
  await plugin.delete(group, id, outs);
  expect(await platform.groupNames()).toEqual([]);
  await plugin.makeGroup(platform.root, "team");
});

test("a second cancel ends a create that hangs: its outcome is unknown, and no time limit is to blame", async () => {
  const { held, release } = hold("POST", "/groups/");
  const making = plugin.makeGroup(platform.root, "team").then(String, messageOf);
  await held;
  await plugin.cancel();
  await plugin.cancel();
  const failure = await making;
  expect(failure).toContain(
    "unknown whether the platform created it: no answer in time. The run was cancelled. (No response yet.)",
  );
  expect(failure).not.toContain("time limit");
  release();
});

test("a cancel ends the wait for another attempt", async () => {
  const team = await plugin.makeGroup(platform.root, "team");
  await platform.fault({ method: "PATCH" }, { status: 503 }, { times: 100 });
  const changing = plugin.update(
    group,
    team.id,
    { parentUid: platform.root, name: "team" },
    { parentUid: platform.root, name: "new" },
  );
  const failing = expect(changing).rejects.toThrow(/Cancelled.*\[CALLER_ABORTED\]/);
  while ((await platform.writes()).every(({ method }) => method !== "PATCH"));
  await plugin.cancel();
  await failing;
});

/** Two identities of a new group, and how to bind one of them there. */
async function twoMembers() {
  const team = await plugin.makeGroup(platform.root, "team");
  const role = await platform.role("viewer");
  const member = async (name: string) => {
    const checked = await plugin.check(identity, name, {
      parentUid: team.id,
      claimMatch: { issuer: "https://issuer.example", subject: name },
    });
    return (await plugin.create(identity, checked.inputs, { name })).id;
  };
  const bind = (uid: string, timeout = 0) =>
    plugin.create(binding, { parentUid: team.id, identityUid: uid, roleUid: role }, { timeout });
  return { one: await member("one"), other: await member("other"), bind };
}

test("the time limit of one resource ends its create alone: others in the same batch are made", async () => {
  const { one, other, bind } = await twoMembers();
  const { held, release } = hold("POST", "roleBindings");
  const [limited, unlimited] = [bind(one, 0.1), bind(other)];
  await held;
  await expect(limited).rejects.toThrow("0.1 s (customTimeouts)");
  release();
  await expect(unlimited).resolves.toMatchObject({ outs: { identityUid: other } });
});

test("a time limit of weeks, longer than a timer can run, ends nothing", async () => {
  const { id } = await plugin.create(group, { parentUid: platform.root, name: "team" }, { timeout: 60 * 60 * 24 * 40 });
  expect((await platform.named("groups", "team")).uid).toBe(id);
});

test("the time limit of one resource does not end a List that others wait for", async () => {
  const checked = async (name: string) => (await plugin.check(group, name, { parentUid: platform.root })).inputs;
  const [one, other] = [await checked("limited"), await checked("unlimited")];
  const { held, release } = hold("GET", "/groups");
  const [limited, unlimited] = [plugin.create(group, one, { timeout: 0.1 }), plugin.create(group, other)];
  await held;
  await expect(limited).rejects.toThrow("0.1 s (customTimeouts)");
  release();
  await expect(unlimited).resolves.toMatchObject({ outs: { name: "unlimited" } });
  expect(await platform.groupNames()).toEqual(["unlimited"]);
});

test.each([
  ["update", "PATCH"],
  ["delete", "DELETE"],
])("the time limit of one resource ends its %s, and another one of the same object succeeds afterwards", async (call, method) => {
  const team = await platform.create("groups", platform.root, { name: "team" });
  const work = (timeout: number): Promise<unknown> => {
    const [olds, news] = [
      { parentUid: platform.root, name: "team" },
      { parentUid: platform.root, name: "new" },
    ];
    return call === "update"
      ? plugin.update(group, team.uid, olds, news, { timeout })
      : plugin.delete(group, team.uid, olds, { timeout });
  };
  // The login is no part of the time that is limited here.
  await plugin.read(group, team.uid);
  const { release } = hold(method, "/groups/");
  await expect(work(0.1)).rejects.toThrow("0.1 s (customTimeouts)");
  release();
  await work(0);
  expect(await platform.groupNames()).toEqual(call === "update" ? ["new"] : []);
});

test("a cancel ends reads, Lists and data sources that hang, and says so", async () => {
  const team = await plugin.makeGroup(platform.root, "team");
  const { held, release } = hold("GET", "/groups");
  const hanging = [plugin.read(group, team.id), plugin.list(group), plugin.invoke("platform:iam:getGroup", { name: "team" })].map(
    (each) => expect(each).rejects.toThrow("The run was cancelled."),
  );
  await held;
  await plugin.cancel();
  await Promise.all(hanging);
  release();
});

test("a cancel ends the wait for a token before a delete, which asks whose access it ends", async () => {
  const { held, release } = hold("GET", "/sts/");
  const state = { parentUid: platform.root, identityUid: `${platform.root}/0123456789abcdef`, roleUid: "viewer" };
  const deleting = plugin.delete(binding, `${platform.root}/fedcba9876543210`, state).then(String, messageOf);
  await held;
  await plugin.cancel();
  const failure = await deleting;
  expect(failure).toContain("The run was cancelled.");
  // It did not wait for the end of the attempt.
  expect(failure).not.toContain("try again");
  release();
});

describe("a create that a cancel keeps from being applied is not one that may exist", () => {
  test("while it waits to try again after a 429", async () => {
    await platform.fault({ method: "POST", path: "/groups/" }, { status: 429, code: 8, headers: { "retry-after": "60" } });
    const making = plugin.makeGroup(platform.root, "team").then(String, messageOf);
    while ((await platform.writes()).every(({ status }) => status !== 429));
    await plugin.cancel();
    const failure = await making;
    expect(failure).toContain("The run was cancelled.");
    expect(failure).not.toContain("unknown whether");
  });

  test("while its batch waits to try again after a 429", async () => {
    const { one, other, bind } = await twoMembers();
    await platform.fault({ method: "POST" }, { status: 429, code: 8, headers: { "retry-after": "60" } });
    const making = [one, other].map((uid) => bind(uid).then(String, messageOf));
    while ((await platform.writes()).every(({ status }) => status !== 429));
    await plugin.cancel();
    for (const failure of await Promise.all(making)) {
      expect(failure).toContain("The run was cancelled.");
      expect(failure).not.toContain("unknown whether");
    }
  });

  test("while other calls are in progress", async () => {
    process.env["PLATFORM_CONCURRENCY"] = "1";
    plugin = await newPlugin();
    const { held, release } = hold("POST", "/groups/");
    const making = ["one", "other"].map((name) => plugin.makeGroup(platform.root, name).then(String, messageOf));
    await held;
    await plugin.cancel();
    await plugin.cancel();
    const failures = await Promise.all(making);
    expect(failures.filter((failure) => failure.includes("unknown whether"))).toHaveLength(1);
    expect(failures.filter((failure) => failure.includes("waiting for other calls"))).toHaveLength(1);
    release();
  });
});
