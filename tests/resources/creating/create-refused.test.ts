import { PlatformClient } from "../../../provider/client/client";
import { PlatformError } from "../../../provider/client/errors";
import { interruptedBy } from "../../../provider/client/interruption";
import { newRun } from "../../../provider/host/session";
import type { Kind } from "../../../provider/kinds/kind";
import { create } from "../../../provider/resources/creating/create";
import { json } from "../../support/fault-proxy";
import { declare, failureOf, group, identity, keyedKinds, kinds, ResourceFixture } from "../../support/resource-fixture";

const fixture = ResourceFixture.forFile();

describe("the parent", () => {
  test.each(kinds)("of a %s by the end of its uid is refused", async (_noun, kind) => {
    const parent = await fixture.place(kind);
    const tail = parent.split("/").at(-1) ?? "";
    const error = await failureOf(create(kind, await fixture.inputs(kind, tail), fixture.run()));
    expect(error).toMatchObject({ code: "NOT_FOUND" });
    expect(await fixture.asked("POST")).toEqual([]);
  });

  test("is rejected with the right uid if the platform resolved a name or a partial uid", async () => {
    const parent = await fixture.parent();
    await fixture.platform.fault(
      { method: "GET", path: "/groups/platform$" },
      { status: 200, body: JSON.stringify({ uid: parent }) },
    );
    const error = await failureOf(declare(group, { parentUid: "platform", name: "g" }, fixture.run()));
    expect(error).toMatchObject({ code: "WRONG_OBJECT" });
    expect(error.message).toContain(parent);
    expect(await fixture.asked("POST")).toEqual([]);
  });

  test("is read once and its children listed once for all creates of a kind", async () => {
    const parent = await fixture.parent();
    const run = fixture.run();
    await fixture.platform.clearRequests();
    await Promise.all(Array.from({ length: 20 }, (_, index) => declare(group, { parentUid: parent, name: `g${index}` }, run)));
    await declare(group, { parentUid: parent, name: "later" }, run);
    expect(await fixture.asked("GET")).toEqual([`/iam/v2beta1/groups/${parent}`, "/iam/v2beta1/groups"]);
    expect(await fixture.asked("POST")).toHaveLength(21);
  });

  test("that this run created is neither read nor listed", async () => {
    const run = fixture.run();
    const { id } = await declare(group, { parentUid: await fixture.parent(), name: "team" }, run);
    await fixture.platform.clearRequests();
    const made: Record<string, string> = { groups: id };
    for (const [, kind] of kinds) {
      const inputs = await fixture.inputs(kind, made[kind.parents.segment] ?? "");
      made[kind.collection.segment] ??= (await declare(kind, inputs, run)).id;
    }
    expect(await fixture.asked("GET")).toEqual([]);
  });

  test("that was adopted is listed: it may contain objects of others", async () => {
    const run = fixture.run({ adopt: true });
    const team = { parentUid: await fixture.parent(), name: "team" };
    const { uid } = await fixture.colleague(group, team);
    const { id } = await declare(group, team, run);
    const theirs = await fixture.colleague(group, { parentUid: uid, name: "theirs" });
    expect(id).toBe(uid);
    expect((await declare(group, { parentUid: uid, name: "theirs" }, run)).id).toBe(theirs.uid);
  });

  test("and its List are skipped where they may not be read, after one request for all", async () => {
    const parent = await fixture.parent();
    await fixture.platform.fault({ method: "GET" }, { status: 403, code: 7 }, { times: 0 });
    const run = fixture.run();
    await fixture.platform.clearRequests();
    for (const name of ["a", "b", "c"]) await declare(group, { parentUid: parent, name }, run);
    expect(await fixture.asked("GET")).toHaveLength(2);
    expect(await fixture.children(group, parent)).toHaveLength(3);
  });

  test("that cannot be read for another reason stops the create", async () => {
    const parent = await fixture.parent();
    await fixture.platform.fault({ method: "GET", path: parent }, { status: 500, code: 13 }, { times: 0 });
    expect(await failureOf(declare(group, { parentUid: parent, name: "g" }, fixture.run()))).toMatchObject({ code: "INTERNAL" });
    expect(await fixture.asked("POST")).toEqual([]);
  });

  test("that is deleted before the POST is reported as not found", async () => {
    const parent = await fixture.parent();
    fixture.proxy.interfere = async ({ method }, forward) => {
      if (method === "POST") await fixture.platform.delete("groups", parent);
      return forward();
    };
    const error = await failureOf(declare(group, { parentUid: parent, name: "g" }, fixture.run()));
    expect(error).toMatchObject({ code: "NOT_FOUND" });
    expect(error.message).toContain("the parent, or an object that it references, was not found");
  });
});

describe("a natural key that is taken", () => {
  test.each(keyedKinds)("by a %s is an error that names its uid and the three ways on", async (_noun, kind) => {
    const inputs = await fixture.inputs(kind, await fixture.place(kind));
    const { uid } = await fixture.colleague(kind, inputs);
    const error = await failureOf(declare(kind, inputs, fixture.run()));
    expect(error).toMatchObject({ code: "KEY_TAKEN" });
    for (const part of [uid, "aliases", "another name", "adopt: true"]) expect(error.message).toContain(part);
    expect(await fixture.asked("POST")).toEqual([]);
  });

  test("in an old List is looked up again, and is free if it was released", async () => {
    const [parent, run] = [await fixture.parent(), fixture.run()];
    const gone = await fixture.colleague(group, { parentUid: parent, name: "gone" });
    const renamed = await fixture.colleague(group, { parentUid: parent, name: "renamed" });
    await declare(group, { parentUid: parent, name: "first" }, run);
    await fixture.platform.delete("groups", gone.uid);
    await fixture.platform.change("groups", renamed.uid, { name: "elsewhere" });
    await declare(group, { parentUid: parent, name: "gone" }, run);
    await declare(group, { parentUid: parent, name: "renamed" }, run);
    expect((await fixture.children(group, parent)).map((row) => row.name).sort()).toEqual([
      "elsewhere",
      "first",
      "gone",
      "renamed",
    ]);
  });

  test("by another caller after the List is an error that names the uid", async () => {
    const [parent, run] = [await fixture.parent(), fixture.run()];
    await declare(group, { parentUid: parent, name: "first" }, run);
    const { uid } = await fixture.colleague(group, { parentUid: parent, name: "quick" });
    const error = await failureOf(declare(group, { parentUid: parent, name: "quick" }, run));
    expect(error).toMatchObject({ code: "KEY_TAKEN" });
    expect(error.message).toContain(uid);
  });

  test("where no List may be read keeps the platform's message", async () => {
    const parent = await fixture.parent();
    await fixture.colleague(group, { parentUid: parent, name: "quick" });
    await fixture.platform.fault({ method: "GET" }, { status: 403, code: 7 }, { times: 0 });
    const error = await failureOf(declare(group, { parentUid: parent, name: "quick" }, fixture.run()));
    expect(error).toMatchObject({ code: "ALREADY_EXISTS" });
    expect(error.message).toContain(`create group "quick" under ${parent}`);
  });

  test.each(keyedKinds)("by another %s of the same program is refused, whatever adopt says", async (_noun, kind) => {
    const [inputs, run] = [await fixture.inputs(kind, await fixture.place(kind)), fixture.run({ adopt: true })];
    await declare(kind, inputs, run);
    const error = await failureOf(declare(kind, inputs, run));
    expect(error).toMatchObject({ code: "KEY_TAKEN" });
    expect(error.message).toContain("another resource of this program declares the same one");
    expect(await fixture.asked("POST")).toHaveLength(1);
  });

  test("two at the same time create one object", async () => {
    const [parent, run] = [await fixture.parent(), fixture.run()];
    const both = [1, 2].map(() => declare(group, { parentUid: parent, name: "twin" }, run));
    const settled = await Promise.allSettled(both);
    expect(settled.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    expect(await fixture.children(group, parent)).toHaveLength(1);
  });

  test("keys of different kinds and parents do not collide", async () => {
    const [one, two, run] = [await fixture.parent(), await fixture.parent(), fixture.run()];
    const claimMatch = { issuer: "https://issuer.example", subject: "s" };
    await declare(group, { parentUid: one, name: "same" }, run);
    await declare(group, { parentUid: two, name: "same" }, run);
    await declare(identity, { parentUid: one, name: "same", claimMatch }, run);
    expect(await fixture.asked("POST")).toHaveLength(3);
  });
});

describe("adopt", () => {
  const takeOver: [string, object, object][] = [
    ["of the resource", { adopt: true }, {}],
    ["of the run", {}, { adopt: true }],
  ];

  describe.each(takeOver)("%s", (_whose, more, options) => {
    test.each(keyedKinds)("takes over the equal %s without writing", async (_noun, kind) => {
      const inputs = await fixture.inputs(kind, await fixture.place(kind));
      const { uid } = await fixture.colleague(kind, inputs);
      const { id, outs } = await declare(kind, { ...inputs, ...more }, fixture.run(options));
      expect(id).toBe(uid);
      expect(outs).toMatchObject(inputs);
      expect(await fixture.platform.writes()).toEqual([]);
    });
  });

  test("false on a resource overrides that of the run", async () => {
    const inputs = await fixture.inputs(group, await fixture.parent());
    await fixture.colleague(group, inputs);
    expect(await failureOf(declare(group, { ...inputs, adopt: false }, fixture.run({ adopt: true })))).toMatchObject({
      code: "KEY_TAKEN",
    });
  });

  const issuer = "https://issuer.example";
  const different: [string, Kind, object, string[]][] = [
    ["another description", group, { description: "theirs" }, ["theirs"]],
    ["no description", group, { description: "" }, ["description nothing"]],
    ["a wider claim match", identity, { claimMatch: { issuer, subjectPattern: ".*" } }, ["subjectPattern"]],
    ["an audience in the claim match", identity, { claimMatch: { issuer, subject: "s", audience: "a" } }, ["audience"]],
  ];

  test.each(different)(
    "rejects one with %s, showing the platform's values and not the program's, which may be secret",
    async (_what, kind, fields, shown) => {
      const inputs = await fixture.inputs(kind, await fixture.place(kind));
      const { uid } = await fixture.colleague(kind, inputs, fields);
      const error = await failureOf(declare(kind, { ...inputs, adopt: true }, fixture.run()));
      expect(error).toMatchObject({ code: "KEY_TAKEN" });
      for (const part of [uid, ...shown]) expect(error.message).toContain(part);
      expect(error.message).not.toContain("as declared");
      expect(await fixture.platform.writes()).toEqual([]);
    },
  );

  test("rejects a choice between several", async () => {
    const inputs = await fixture.inputs(group, await fixture.parent());
    const theirs = [await fixture.colleague(group, inputs), await fixture.colleague(group, inputs)];
    const error = await failureOf(declare(group, { ...inputs, adopt: true }, fixture.run()));
    expect(error).toMatchObject({ code: "AMBIGUOUS" });
    for (const { uid } of theirs) expect(error.message).toContain(uid);
  });

  test("takes over an object created after the List", async () => {
    const [parent, run] = [await fixture.parent(), fixture.run({ adopt: true })];
    await declare(group, { parentUid: parent, name: "first" }, run);
    const { uid } = await fixture.colleague(group, { parentUid: parent, name: "quick" });
    expect((await declare(group, { parentUid: parent, name: "quick" }, run)).id).toBe(uid);
  });

  test("creates what does not exist yet", async () => {
    const parent = await fixture.parent();
    const { id } = await declare(group, { parentUid: parent, name: "new", adopt: true }, fixture.run());
    expect((await fixture.children(group, parent)).map((row) => row.uid)).toEqual([id]);
  });
});

test.each([
  ["a 429, before the next attempt", 429, 8],
  ["a 401, while it waits for another token", 401, 16],
  ["a 403 under a group of this run, while it waits for a fresh token", 403, 7],
])("a create that a time limit ends after %s: nothing was created", async (_when, status, code) => {
  const ending = new AbortController();
  const passes = () => {
    ending.abort(new PlatformError("CALLER_ABORTED", "The time limit has passed."));
    return new Promise<never>(() => undefined);
  };
  const token = await fixture.platform.apiToken();
  let isRejected = false;
  const tokens = { token: () => (isRejected ? passes() : Promise.resolve(token)), forget: () => true, renew: passes };
  const clock = { now: () => performance.now(), sleep: passes };
  const run = newRun(new PlatformClient({ baseUrl: fixture.proxy.baseUrl, apiVersion: "v2beta1", tokens, clock }));
  const parent = await create(group, { parentUid: fixture.platform.root, name: fixture.name() }, run);
  fixture.proxy.interfere = ({ method }) => {
    if (method !== "POST") return undefined;
    isRejected = status === 401;
    return json(status, { code, message: "not now" });
  };
  const limited = { waits: ending.signal, sent: ending.signal };
  const error = await failureOf(interruptedBy(limited, () => create(group, { parentUid: parent.id, name: fixture.name() }, run)));
  expect(error).toMatchObject({ code: "NOT_CONNECTED" });
  expect(error.message).toContain("not accepted in time. The time limit has passed. Nothing was created.");
});
