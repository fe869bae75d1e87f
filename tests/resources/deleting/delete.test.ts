import type { Kind } from "../../../provider/schema/kind";
import { declare, expectFailure, failureOf, group, identity, keyedKinds, kinds, repo } from "../../support/resource-fixture";
import { type Resource, ResourceFixture, roleBinding } from "../../support/resource-fixture";
import { pairs } from "../../support/tier";

const fixture = ResourceFixture.forFile();

/** An object of `kind` in the group of another one. */
const inside = (parent: Resource, kind: Kind, more = {}) => fixture.theirs(kind, { parentUid: parent.uid, ...more });

/** Resolves when the platform has refused a delete of `uid`. */
function refusal(uid: string): Promise<void> {
  return new Promise((resolve) => {
    fixture.proxy.interfere = async ({ method, path }, forward) => {
      const answer = await forward();
      if (method === "DELETE" && path.endsWith(uid) && answer.status === 400) resolve();
      return answer;
    };
  });
}

test("a group that is blocked after access in it was removed says what is gone, and what blocks", async () => {
  const run = fixture.run();
  const parent = await fixture.theirs(group);
  const [ci, other] = [await inside(parent, identity), await inside(parent, identity, { name: "other" })];
  await ci.remove(run);
  const { message } = await expectFailure(parent.remove(run), "FAILED_PRECONDITION", `identity "other" (${other.uid})`);
  expect(message).toMatch(new RegExp(`already deleted, in it:\n {2}identity .*\\(${ci.uid}\\)$`, "m"));
});

test("an identity takes none of its role bindings along while one of them is not a member's of a GroupAccess", async () => {
  const run = fixture.run();
  const ci = await fixture.theirs(identity);
  const [follows, stays] = [
    await fixture.theirs(roleBinding, { identityUid: ci.uid }),
    await fixture.theirs(roleBinding, { identityUid: ci.uid }),
  ];
  run.ledger.following.add(roleBinding.collection, follows.uid);
  await expectFailure(ci.remove(run), "FAILED_PRECONDITION", follows.uid, stays.uid);
  expect([await follows.exists(), await stays.exists()]).toEqual([true, true]);
  run.ledger.following.add(roleBinding.collection, stays.uid);
  await ci.remove(run);
  expect(await ci.exists()).toBe(false);
});

describe.each(kinds)("a %s", (_noun, kind) => {
  test.each(["empty", "object"])("is deleted by one write, whose answer is %s", async (deleteBody) => {
    const object = await fixture.theirs(kind);
    await fixture.platform.settings({ deleteBody });
    await object.remove();
    const path = `/${kind.collection.area}/v2beta1/${kind.collection.segment}/${object.uid}`;
    expect(await fixture.platform.writes()).toMatchObject([{ method: "DELETE", path, query: "", body: null }]);
    expect(await object.exists()).toBe(false);
  });

  test("that is already gone counts as deleted", async () => {
    const object = await fixture.theirs(kind);
    await object.deletedByHand();
    await object.remove();
  });

  test("that is replaced under another parent is deleted", async () => {
    const [object, run] = [await fixture.theirs(kind), fixture.run()];
    const moved = { [kind.parentInput]: await fixture.place(kind) };
    expect(object.declared(run, moved).replaces).toEqual([kind.parentInput]);
    await declare(kind, { ...object.inputs, ...moved }, run, object.path);
    await object.remove(run);
    expect(await fixture.asked("DELETE")).toHaveLength(1);
  });

  test("that may not be deleted keeps the platform's message", async () => {
    const object = await fixture.theirs(kind);
    await fixture.platform.fault({ method: "DELETE" }, { status: 403, code: 7, message: "not yours" });
    const parts = [`delete ${kind.collection.noun}`, object.uid, "not yours"];
    await expectFailure(object.remove(), "PERMISSION_DENIED", ...parts);
  });
});

test.each(
  pairs<[Kind], [object]>(kinds, [
    ["the connection is lost after it was applied", { reset: "after" }],
    ["the connection is lost before it is applied", { reset: "before" }],
    ["the platform is unavailable for a moment", { status: 503 }],
  ]),
)("an object is deleted although its DELETE fails: %s", async (_what, kind, fault) => {
  const object = await fixture.theirs(kind);
  await fixture.platform.fault({ method: "DELETE" }, fault);
  await object.remove();
  expect(await object.exists()).toBe(false);
});

test.each(
  pairs<[Kind], [object]>(kinds, [
    ["a 404 of another server", { status: 404, body: "<html>Not Found</html>", contentType: "text/html" }],
    ["404 with code 5 to everything", { status: 404, code: 5, message: "Not Found" }],
  ]),
)("an object is not deleted by an answer that proves nothing: %s", async (_what, kind, fault) => {
  const object = await fixture.theirs(kind);
  await fixture.platform.fault({ path: "^/(iam|registry|events)/" }, fault, { times: 0 });
  const error = await failureOf(object.remove());
  expect(["NOT_GONE", "UNEXPECTED_ANSWER"]).toContain(error["code"]);
  expect(error.message).toContain(object.uid);
});

test.each(keyedKinds)("a %s that the program declares, as a diff of this run found, is kept", async (_noun, kind) => {
  const [object, run] = [await fixture.theirs(kind), fixture.run()];
  object.declared(run);
  await object.remove(run);
  expect(await fixture.platform.requests()).toEqual([]);
});

test.each(keyedKinds)("a %s that a resource of this run has adopted is kept", async (_noun, kind) => {
  const [object, run] = [await fixture.theirs(kind), fixture.run({ adopt: true })];
  expect((await declare(kind, object.inputs, run)).id).toBe(object.uid);
  await object.remove(run);
  expect(await fixture.platform.writes()).toEqual([]);
});

describe("a role binding, whose delete the platform answers with success even when it is missing", () => {
  const hide = (path: string, fault: object) => fixture.platform.fault({ method: "GET", path }, fault, { times: 0 });

  test("is not deleted where its place cannot be seen, because every delete would succeed there", async () => {
    const object = await fixture.theirs(roleBinding);
    await hide("^/iam/", { status: 404, code: 5, message: "Not Found" });
    await expectFailure(object.remove(), "NOT_GONE", object.uid, "was not deleted", `pulumi-platform forget ${object.uid}`);
    expect(await fixture.platform.writes()).toEqual([]);
  });

  test("is deleted where its place may not be read, and stays in state where its List may not be read either", async () => {
    const [hidden, unlisted] = [await fixture.theirs(roleBinding), await fixture.theirs(roleBinding)];
    await hide("^/iam/v2beta1/groups", { status: 403, code: 7 });
    await hidden.remove();
    expect(await hidden.exists()).toBe(false);
    await hide("^/iam/", { status: 403, code: 7 });
    await expectFailure(unlisted.remove(), "NOT_GONE", "its DELETE succeeded");
  });

  test("checks its place once for all", async () => {
    const [parentUid, run] = [await fixture.parent(), fixture.run()];
    const objects = await Promise.all([1, 2, 3, 4].map(() => fixture.theirs(roleBinding, { parentUid })));
    await Promise.all(objects.map((object) => object.remove(run)));
    expect(await fixture.asked("GET", parentUid)).toHaveLength(1);
  });
});

describe("what blocks", () => {
  test("and is being deleted by this run is waited for", async () => {
    const [parent, run] = [await fixture.theirs(group), fixture.run()];
    const all = [parent, await inside(parent, group), await inside(parent, identity)];
    const path = all.slice(1).map(({ uid }) => uid);
    await fixture.platform.fault({ method: "DELETE", path: path.join("|") }, { delayMs: 250 }, { times: 2 });
    await Promise.all(all.map((object) => object.remove(run)));
    expect(await parent.exists()).toBe(false);
  });

  test("and is deleted by this run a moment later is waited for", async () => {
    const [someone, run] = [await fixture.theirs(identity), fixture.run()];
    const binding = await fixture.theirs(roleBinding, { identityUid: someone.uid });
    const refused = refusal(someone.uid);
    const deletion = someone.remove(run);
    await refused;
    await Promise.all([deletion, binding.remove(run)]);
    expect(await someone.exists()).toBe(false);
  });

  test("and stays is named by kind, name and uid, in bounded time, and nothing is deleted", async () => {
    const parent = await fixture.theirs(group);
    const blocking: [Kind, object][] = [
      [group, { name: "team" }],
      [identity, { name: "ci" }],
      [roleBinding, {}],
      [repo, { name: "images" }],
    ];
    const objects = await Promise.all(blocking.map(([kind, more]) => inside(parent, kind, more)));
    const uids = objects.map(({ uid }) => uid);
    const named = ['group "team"', 'identity "ci"', "(role binding ", 'repo "images"', "retainOnDelete"];
    await expectFailure(parent.remove(), "FAILED_PRECONDITION", ...uids, ...named);
    for (const object of [parent, ...objects]) expect(await object.exists()).toBe(true);
  });

  test("and has a path is named by it, one a line, at most five, and no uid is said twice", async () => {
    const run = fixture.run();
    const parent = await fixture.theirs(group, { name: "department" });
    const ci = await inside(parent, identity, { name: "ci" });
    for (let count = 0; count < 8; count++) await inside(parent, roleBinding, { identityUid: ci.uid });
    await run.client.list(group.collection, {});
    const { message } = await expectFailure(parent.remove(run), "FAILED_PRECONDITION", "blocked by 9 objects:\n");
    expect(message).toMatch(/^ {2}identity "ci" in \S*\/department$/m);
    expect(message).toMatch(/^ {2}role binding of "ci" as \S+ in \S*\/department$/m);
    expect(message.match(/^ {2}(?:identity|role binding) /gm)).toHaveLength(5);
    expect(message).toContain("\n  and 4 more\n");
    expect(message).not.toContain(ci.uid);
    expect(message).toMatch(/^The platform says: .*RESOURCE_NOT_EMPTY/m);
    expect(message.split(parent.uid)).toHaveLength(2);
  });

  test("and is numerous is shortened; without permission to list, the platform's message remains", async () => {
    const [full, hidden] = [await fixture.theirs(group), await fixture.theirs(group)];
    for (let count = 0; count < 12; count++) await inside(full, group);
    await inside(hidden, group, { name: "team" });
    await fixture.platform.fault({ method: "GET", query: hidden.uid.replaceAll("/", "%2F") }, { status: 403 }, { times: 0 });
    await expectFailure(full.remove(), "FAILED_PRECONDITION", "blocked by 12 objects:\n  group ", "and 7 more");
    const unseen = await expectFailure(hidden.remove(), "FAILED_PRECONDITION", "RESOURCE_NOT_EMPTY");
    expect(unseen.message).not.toContain("team");
  });

  test("and could not be deleted by this run is named, and not waited for any longer", async () => {
    const [parent, run] = [await fixture.theirs(group), fixture.run({ timing: { budgetMs: 60_000 } })];
    const child = await inside(parent, group);
    await fixture.platform.fault({ method: "DELETE", path: `${child.uid}$` }, { status: 403, code: 7, message: "not yours" });
    const [ofParent, ofChild] = await Promise.all([parent, child].map((object) => failureOf(object.remove(run))));
    expect(ofChild?.message).toContain("not yours");
    expect(ofParent?.message).toMatch(/: blocked by group "[^"]+" [^\n]+\.$/m);
  });
});
