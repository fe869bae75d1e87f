import type { ServiceError } from "@grpc/grpc-js";
import { failureOf } from "../support/resource-fixture";
import { TestPlatform } from "../support/test-platform";
import { failedCreateIn, type Properties } from "../support/plugin-client";
import { Host, providerText } from "./processes";

/** The kinds by the export that serves them. */
const served = ["group", "identity", "roleBinding"] as const;

const platform = TestPlatform.forFile();
let host: Host;

beforeAll(async () => {
  const { PLATFORM_BASE_URL: baseUrl = "", ...environment } = platform.environment;
  host = await Host.start(environment, { "platform:baseUrl": baseUrl });
});
afterAll(async () => {
  await host.close();
});
beforeEach(async () => {
  await platform.clearFaults();
  host.output = "";
});

let names = 0;

/** A new group, and what declares an object of each kind in it. */
async function declarations(): Promise<Record<(typeof served)[number], { inputs: Properties; change: Properties }>> {
  const parentUid = (await platform.create("groups", platform.root, { name: `parent-${++names}` })).uid;
  const claimMatch = { issuer: "https://issuer.example", subject: "ci" };
  const identityUid = (await platform.create("identities", parentUid, { name: "someone", claimMatch })).uid;
  const [viewer, editor] = [await platform.role("viewer"), await platform.role("editor")];
  return {
    group: { inputs: { parentUid, name: "team", description: "d" }, change: { description: "changed" } },
    identity: { inputs: { parentUid, name: "ci", claimMatch }, change: { claimMatch: { ...claimMatch, subject: "cd" } } },
    roleBinding: { inputs: { parentUid, identityUid, roleUid: viewer }, change: { roleUid: editor } },
  };
}

const failed = async (work: Promise<unknown>) => (await failureOf(work)) as unknown as ServiceError;

// First in this file: the host has not loaded the provider yet.
test("concurrent first calls all see the configuration, and share one login", async () => {
  const declared = await declarations();
  const created = served.flatMap((kind) => [
    // As in an update: a preview asks by a client of its own.
    host.check(kind, "it", { ...declared[kind].inputs, __isUpdate: true }).then(({ failures }) => {
      expect(failures).toEqual([]);
    }),
    host.create(kind, declared[kind].inputs),
  ]);
  await Promise.all(created);
  const { requests } = (await platform.admin("GET", "requests")) as { requests: { path: string }[] };
  expect(requests.filter(({ path }) => path.startsWith("/sts/"))).toHaveLength(1);
});

const unchanged = { changes: false, replaces: [], deleteBeforeReplace: false, detailed: {} };

test.each(served)("the whole life of %s", async (kind) => {
  const { inputs: news, change } = (await declarations())[kind];
  const { inputs, failures } = await host.check(kind, "it", { ...news, adopt: true });
  expect(failures).toEqual([]);
  expect(inputs).toEqual(news);

  const { id, outs } = await host.create(kind, inputs);
  expect(id.startsWith(`${String(news["parentUid"])}/`)).toBe(true);
  expect(outs).toMatchObject(news);

  expect(await host.read(kind, id, outs)).toEqual({ id, outs, inputs });
  expect(await host.diff(kind, id, outs, inputs)).toEqual(unchanged);

  const changed = { ...inputs, ...change };
  expect(await host.diff(kind, id, outs, changed)).toEqual({ ...unchanged, changes: true });
  expect(await host.diff(kind, id, outs, { ...inputs, parentUid: platform.root })).toMatchObject({ replaces: ["parentUid"] });
  const after = await host.update(kind, id, outs, changed);
  expect(after).toMatchObject(change);
  expect(await host.read(kind, id, after)).toMatchObject({ inputs: changed });
});

test.each(served)("an object of %s that no check of this process has declared is deleted, and is gone then", async (kind) => {
  const { inputs } = (await declarations())[kind];
  const { parentUid, ...fields } = inputs;
  const collection = { group: "groups", identity: "identities", roleBinding: "roleBindings" }[kind];
  const { uid } = await platform.create(collection, String(parentUid), fields);
  await host.delete(kind, uid, inputs);
  expect(await host.read(kind, uid, inputs)).toEqual({ id: "", outs: {}, inputs: {} });
  await host.delete(kind, uid, inputs);
  expect(host.output).toBe("");
});

describe("get", () => {
  test.each(served)("of %s fills outs and inputs", async (kind) => {
    const { inputs } = (await declarations())[kind];
    const { id, outs } = await host.create(kind, inputs);
    expect(await host.read(kind, id)).toEqual({ id, outs, inputs });
  });

  test("of a root group has no parent", async () => {
    const { inputs } = await host.read("group", platform.root);
    expect(inputs["name"]).toEqual(expect.any(String));
    expect(inputs).not.toHaveProperty("parentUid");
  });

  test.each(served)("of %s that is not there fails, and is not an empty answer", async (kind) => {
    const uid = `${platform.root}/0123456789abcdef`;
    const noun = kind === "roleBinding" ? "role binding" : kind;
    expect((await failed(host.read(kind, uid))).details).toBe(`${noun} ${uid} not found [NOT_FOUND]`);
  });

  test.each(["", "not a uid", "../groups", "a/../b"])("of %p is rejected before anything is sent", async (uid) => {
    await platform.clearRequests();
    expect((await failed(host.read("group", uid))).details).toContain("is not a uid");
    expect(await platform.requests()).toEqual([]);
  });
});

describe("an error", () => {
  test("of every call is one text without a stack, and leaves nothing behind in state", async () => {
    await platform.fault({ path: "^/iam/" }, { status: 400, code: 3, message: "Invalid argument: injected" }, { times: 0 });
    const group = { parentUid: platform.root, name: `refused-${++names}`, description: "d" };
    const id = `${platform.root}/0123456789abcdef`;
    const errors = await Promise.all([
      failed(host.create("group", group)),
      failed(host.update("group", id, group, { ...group, description: "e" })),
      failed(host.read("group", id, group)),
      failed(host.delete("group", id, group)),
    ]);
    for (const error of errors) {
      expect(error.details).toContain("Invalid argument: injected");
      expect(error.details).not.toMatch(/\n\s+at /);
      expect(failedCreateIn(error)).toBeUndefined();
    }
    expect(host.output).not.toMatch(/^\s+at /m);
    expect(host.output).not.toContain("provider/");
  });

  test("about an object that was created carries its uid, what it is, and the whole text", async () => {
    const { inputs } = (await declarations()).roleBinding;
    const rewrite = { identity: { uid: "somebody/else", name: "stranger" } };
    for (const method of ["POST", "GET"]) await platform.fault({ method, path: "/roleBindings/" }, { rewrite }, { times: 0 });
    const left = failedCreateIn(await failed(host.create("roleBinding", inputs)));
    const made = (await platform.objects("roleBindings")).filter(({ uid }) => uid.startsWith(`${String(inputs["parentUid"])}/`));
    expect(made.map(({ uid }) => uid)).toEqual([left?.id]);
    // With the text that serves it: without it the engine could neither refresh nor delete the object.
    expect(left?.properties).toMatchObject({
      parentUid: inputs["parentUid"],
      identityUid: "somebody/else",
      __provider: providerText("roleBinding"),
    });
    expect(left?.reasons).toEqual([expect.stringMatching(/identityUid .*kept in state; the next up /) as string]);
    expect(host.output).toBe("");
  });
});

test("members that the platform omits never fail a create that succeeded", async () => {
  const { inputs } = (await declarations()).roleBinding;
  const bare = {
    identity: null,
    role: null,
    group: null,
    createTime: null,
    identityUid: inputs["identityUid"],
    roleUid: inputs["roleUid"],
  };
  await platform.fault({ method: "POST" }, { rewrite: bare });
  const { outs } = await host.create("roleBinding", inputs);
  expect(outs).toEqual(inputs);
});

test("invalid inputs are returned as failures, each with the input that it is about, and nothing is printed", async () => {
  const { failures } = await host.check("identity", "it", { parentUid: "", name: "a\nb", claimmatch: {} });
  expect(failures.map(([property]) => property).sort()).toEqual(["", "claimmatch", "name", "parentUid"]);
  expect(Object.fromEntries(failures)).toMatchObject({ "": expect.stringMatching(/^exactly one of claimMatch, /) as string });
  expect(host.output).toBe("");
});
