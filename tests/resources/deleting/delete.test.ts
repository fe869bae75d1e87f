import { check } from "../../../provider/resources/check";
import { markFollowing } from "../../../provider/resources/claims/following";
import { remove } from "../../../provider/resources/delete";
import { diff } from "../../../provider/resources/diff";
import type { Kind } from "../../../provider/kinds/kind";
import type { Run } from "../../../provider/resources/run";
import {
  declare,
  failureOf,
  group,
  identity,
  keyedKinds,
  kinds,
  ResourceFixture,
  roleBinding,
} from "../../support/resource-fixture";
import { SharedClock } from "../../support/shared-clock";

const fixture = ResourceFixture.forFile();

/** Gives up soon. */
const brief = { timing: { budgetMs: 2_500 } };

/** An object made by an earlier run. */
async function existing(kind: Kind, parentUid?: string) {
  const inputs = await fixture.inputs(kind, parentUid ?? (await fixture.place(kind)));
  const { uid } = await fixture.colleague(kind, inputs);
  await fixture.platform.clearRequests();
  return { uid, inputs, delete: (run: Run) => remove(kind, uid, inputs, run) };
}

/** Resolves when the platform has refused a delete of `uid`. */
async function refusal(uid: string): Promise<void> {
  for (;;) {
    const requests = await fixture.platform.requests();
    if (requests.some(({ method, path, status }) => method === "DELETE" && path.endsWith(uid) && status === 400)) return;
  }
}

test("a group that is blocked after access in it was removed says what is gone, and what blocks", async () => {
  const run = fixture.run(brief);
  const parent = await existing(group);
  const [ci, other] = [await existing(identity, parent.uid), await existing(identity, parent.uid)];
  await ci.delete(run);
  const error = await failureOf(parent.delete(run));
  expect(error.message).toContain(`blocked by identity "${String(other.inputs["name"])}" (${other.uid})`);
  expect(error.message).toMatch(new RegExp(`This run has already deleted, in it, identity .*\\(${ci.uid}\\)\\.$`));
});

test("an identity takes none of its role bindings along while one of them is not a member's of a GroupAccess", async () => {
  const run = fixture.run({ ...brief, clock: new SharedClock(fixture.platform) });
  const ci = await existing(identity);
  const binding = async () => {
    const inputs = await fixture.inputs(roleBinding, await fixture.place(roleBinding));
    return (await fixture.colleague(roleBinding, { ...inputs, identityUid: ci.uid })).uid;
  };
  const [follows, stays] = [await binding(), await binding()];
  markFollowing(follows, run);
  const error = await failureOf(ci.delete(run));
  expect(error).toMatchObject({ code: "FAILED_PRECONDITION" });
  for (const uid of [follows, stays]) expect(error.message).toContain(uid);
  const left = (await fixture.platform.objects("roleBindings")).map(({ uid }) => uid);
  expect(left).toEqual(expect.arrayContaining([follows, stays]));
  markFollowing(stays, run);
  await ci.delete(run);
  expect((await fixture.platform.objects("identities")).map(({ uid }) => uid)).not.toContain(ci.uid);
});

describe.each(kinds)("a %s", (_noun, kind) => {
  test.each(["empty", "object"])("is deleted by one write, whose answer is %s", async (deleteBody) => {
    const object = await existing(kind);
    await fixture.platform.settings({ deleteBody });
    await object.delete(fixture.run());
    expect(await fixture.platform.writes()).toMatchObject([
      {
        method: "DELETE",
        path: `/${kind.collection.area}/v2beta1/${kind.collection.segment}/${object.uid}`,
        query: "",
        body: null,
      },
    ]);
    expect(await fixture.platform.objects(kind.collection.segment)).not.toContainEqual(
      expect.objectContaining({ uid: object.uid }),
    );
  });

  test("that is already gone counts as deleted", async () => {
    const object = await existing(kind);
    await fixture.platform.delete(kind.collection.segment, object.uid);
    await object.delete(fixture.run());
  });

  test.each([
    ["the connection is lost after it was applied", { reset: "after" }],
    ["the connection is lost before it is applied", { reset: "before" }],
    ["the platform is unavailable for a moment", { status: 503 }],
  ])("is deleted when %s", async (_what, fault) => {
    const object = await existing(kind);
    await fixture.platform.fault({ method: "DELETE" }, fault);
    await object.delete(fixture.run());
    expect(await fixture.platform.objects(kind.collection.segment)).not.toContainEqual(
      expect.objectContaining({ uid: object.uid }),
    );
  });

  test.each([
    ["a 404 of another server", { status: 404, body: "<html>Not Found</html>", contentType: "text/html" }],
    ["404 with code 5 to everything", { status: 404, code: 5, message: "Not Found" }],
  ])("is not deleted by %s", async (_what, fault) => {
    const object = await existing(kind);
    await fixture.platform.fault({ path: "^/(iam|registry|events)/" }, fault, { times: 0 });
    const error = await failureOf(object.delete(fixture.run()));
    expect(["NOT_GONE", "UNEXPECTED_ANSWER"]).toContain(error["code"]);
    expect(error.message).toContain(object.uid);
  });

  test("that is replaced under another parent is deleted", async () => {
    const [object, run] = [await existing(kind), fixture.run()];
    const news = { ...object.inputs, [kind.parentInput]: await fixture.place(kind) };
    expect(check(kind, {}, news, run).failures).toEqual([]);
    expect(diff(kind, object.uid, object.inputs, news, run).replaces).toEqual([kind.parentInput]);
    await declare(kind, news, run);
    await object.delete(run);
    expect(await fixture.asked("DELETE")).toHaveLength(1);
  });

  test("that may not be deleted keeps the platform's message", async () => {
    const object = await existing(kind);
    await fixture.platform.fault({ method: "DELETE" }, { status: 403, code: 7, message: "not yours" });
    const error = await failureOf(object.delete(fixture.run()));
    expect(error).toMatchObject({ code: "PERMISSION_DENIED" });
    for (const part of [`delete ${kind.collection.noun}`, object.uid, "not yours"]) expect(error.message).toContain(part);
  });
});

describe.each(keyedKinds)("a %s", (_noun, kind) => {
  test("that the program declares, as a diff of this run found, is kept", async () => {
    const [object, run] = [await existing(kind), fixture.run()];
    expect(check(kind, {}, object.inputs, run).failures).toEqual([]);
    diff(kind, object.uid, object.inputs, object.inputs, run);
    await object.delete(run);
    expect(await fixture.platform.requests()).toEqual([]);
  });

  test("that a resource of this run has adopted is kept", async () => {
    const [object, run] = [await existing(kind), fixture.run({ adopt: true })];
    expect((await declare(kind, object.inputs, run)).id).toBe(object.uid);
    await object.delete(run);
    expect(await fixture.platform.writes()).toEqual([]);
  });
});

describe("a role binding, whose delete the platform answers with success even when it is missing", () => {
  test("is not deleted where its place cannot be seen, because every delete would succeed there", async () => {
    const object = await existing(roleBinding);
    await fixture.platform.fault({ method: "GET", path: "^/iam/" }, { status: 404, code: 5, message: "Not Found" }, { times: 0 });
    const error = await failureOf(object.delete(fixture.run()));
    expect(error).toMatchObject({ code: "NOT_GONE" });
    for (const part of [object.uid, "was not deleted", "pulumi state delete <urn>"]) expect(error.message).toContain(part);
    expect(await fixture.platform.writes()).toEqual([]);
  });

  test("is deleted where its place may not be read, and stays in state where its List may not be read either", async () => {
    const [hidden, unlisted] = [await existing(roleBinding), await existing(roleBinding)];
    await fixture.platform.fault({ method: "GET", path: "^/iam/v2beta1/groups" }, { status: 403, code: 7 }, { times: 0 });
    await hidden.delete(fixture.run());
    expect(await fixture.platform.objects("roleBindings")).not.toContainEqual(expect.objectContaining({ uid: hidden.uid }));
    await fixture.platform.fault({ method: "GET", path: "^/iam/" }, { status: 403, code: 7 }, { times: 0 });
    const error = await failureOf(unlisted.delete(fixture.run()));
    expect(error).toMatchObject({ code: "NOT_GONE" });
    expect(error.message).toContain("its DELETE succeeded");
  });

  test("checks its place once for all", async () => {
    const [parent, run] = [await fixture.parent(), fixture.run()];
    const objects = await Promise.all([1, 2, 3, 4].map(() => existing(roleBinding, parent)));
    await Promise.all(objects.map((object) => object.delete(run)));
    expect(await fixture.asked("GET", parent)).toHaveLength(1);
  });
});

describe("what blocks", () => {
  test("and is being deleted by this run is waited for", async () => {
    const [parent, run] = [await existing(group), fixture.run()];
    const children = [await existing(group, parent.uid), await existing(identity, parent.uid)];
    await fixture.platform.fault(
      { method: "DELETE", path: children.map(({ uid }) => uid).join("|") },
      { delayMs: 250 },
      { times: 2 },
    );
    await Promise.all([parent, ...children].map((object) => object.delete(run)));
    expect(await fixture.platform.objects("groups")).not.toContainEqual(expect.objectContaining({ uid: parent.uid }));
  });

  test("and is deleted by this run a moment later is waited for", async () => {
    const [someone, run] = [await existing(identity), fixture.run()];
    const inputs = { parentUid: await fixture.parent(), identityUid: someone.uid, roleUid: fixture.viewer };
    const { uid } = await fixture.colleague(roleBinding, inputs);
    const deletion = someone.delete(run);
    await refusal(someone.uid);
    await Promise.all([deletion, remove(roleBinding, uid, inputs, run)]);
    expect(await fixture.platform.objects("identities")).not.toContainEqual(expect.objectContaining({ uid: someone.uid }));
  });

  test("and stays is named by kind, name and uid, in bounded time, and nothing is deleted", async () => {
    const parent = await existing(group);
    const repo = await fixture.platform.create("repos", parent.uid, { name: "images" });
    const inside = [
      await fixture.colleague(group, { parentUid: parent.uid, name: "team" }),
      await fixture.colleague(identity, { ...(await fixture.inputs(identity, parent.uid)), name: "ci" }),
      await fixture.colleague(roleBinding, await fixture.inputs(roleBinding, parent.uid)),
      repo,
    ];
    const error = await failureOf(parent.delete(fixture.run(brief)));
    expect(error).toMatchObject({ code: "FAILED_PRECONDITION" });
    for (const { uid } of inside) expect(error.message).toContain(uid);
    for (const part of ['group "team"', 'identity "ci"', "role binding (", 'repo "images"', "retainOnDelete"]) {
      expect(error.message).toContain(part);
    }
    expect(await fixture.children(group, parent.uid)).toHaveLength(1);
  });

  test("and is numerous is shortened; without permission to list, the platform's message remains", async () => {
    const [full, hidden] = [await existing(group), await existing(group)];
    for (let count = 0; count < 12; count++) await fixture.colleague(group, { parentUid: full.uid, name: `g${count}` });
    await fixture.colleague(group, { parentUid: hidden.uid, name: "team" });
    await fixture.platform.fault({ method: "GET", query: hidden.uid.replaceAll("/", "%2F") }, { status: 403 }, { times: 0 });
    const [many, unseen] = await Promise.all([full, hidden].map((object) => failureOf(object.delete(fixture.run(brief)))));
    expect(many?.message).toContain("and 2 more");
    expect(unseen?.message).toContain("RESOURCE_NOT_EMPTY");
    expect(unseen?.message).not.toContain("team");
  });

  test("and could not be deleted by this run is named, and not waited for any longer", async () => {
    const [parent, run] = [await existing(group), fixture.run({ timing: { budgetMs: 60_000 } })];
    const child = await existing(group, parent.uid);
    await fixture.platform.fault({ method: "DELETE", path: `${child.uid}$` }, { status: 403, code: 7, message: "not yours" });
    const [ofParent, ofChild] = await Promise.all([parent, child].map((object) => failureOf(object.delete(run))));
    expect(ofChild?.message).toContain("not yours");
    expect(ofParent?.message).toContain(child.uid);
  });
});
