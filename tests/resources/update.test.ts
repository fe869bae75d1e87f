import type { Inputs, Kind } from "../../provider/schema/kind";
import { expectFailure, group, identity, kinds, ResourceFixture, roleBinding } from "../support/resource-fixture";

const fixture = ResourceFixture.forFile();

/** An object that this run made, and the requests that an update to `change` sends. */
async function updated(kind: Kind, change: Inputs) {
  const made = await fixture.made(kind);
  const after = await made.update(change);
  const requests = (await fixture.platform.requests()).map(({ method, path, query, body }) => ({
    method,
    path,
    mask: new URLSearchParams(query).get("updateMask"),
    body,
  }));
  return { after, requests, path: `/${kind.collection.area}/v2beta1/${kind.collection.segment}/${made.uid}` };
}

/** The read of an object before its change, for the comparison with the state. */
const read = (path: string) => ({ method: "GET", path, mask: null, body: null });

const claimMatch = { issuer: "https://other.example", subject: "other" };
const changes: [string, Kind, Inputs, string, object][] = [
  ["the name of a group", group, { name: "renamed" }, "name", { name: "renamed" }],
  ["the description of a group", group, { description: "new" }, "description", { description: "new" }],
  ["both", group, { name: "renamed too", description: "new" }, "name,description", { name: "renamed too", description: "new" }],
  ["no description", group, { description: undefined }, "description", { description: "" }],
  ["a claim match, as one field", identity, { claimMatch }, "claim_match", { claimMatch }],
  [
    "name and claim match",
    identity,
    { name: "renamed", claimMatch, description: undefined },
    "name,description,claim_match",
    { name: "renamed", description: "", claimMatch },
  ],
];

test.each(changes)("a change of %s sends exactly that", async (_what, kind, change, mask, body) => {
  const { after, requests, path } = await updated(kind, change);
  expect(requests).toEqual([read(path), { method: "PATCH", path, mask, body }]);
  const { description: _, ...rest } = change;
  expect(after).toMatchObject(rest);
});

test("identity and role of a binding change in place, one or both", async () => {
  const [identityUid, roleUid] = [await fixture.identity(), await fixture.platform.role("editor")];
  for (const [change, mask] of [
    [{ identityUid }, "identity_uid"],
    [{ roleUid }, "role_uid"],
    [{ identityUid, roleUid }, "identity_uid,role_uid"],
  ] as const) {
    const { after, requests, path } = await updated(roleBinding, change);
    expect(requests).toEqual([read(path), { method: "PATCH", path, mask, body: change }]);
    expect(after).toMatchObject(change);
  }
});

test.each(kinds)("a %s without a change is read and returned", async (_noun, kind) => {
  const { after, requests, path } = await updated(kind, {});
  expect(requests).toEqual([read(path)]);
  expect(after["createTime"] !== undefined).toBe("createTime" in kind.fields);
});

test("a description that was changed by hand meanwhile stays, unless it is what changes", async () => {
  const made = await fixture.made(group);
  await made.byHand({ description: "by hand" });
  expect(await made.update({ name: "renamed-only" })).toMatchObject({
    name: "renamed-only",
    description: "by hand",
  });
});

test.each([
  ["subjectPattern", { subject: null, subjectPattern: ".*" }],
  ["audience", { audience: "elsewhere" }],
  ["claims", { claims: { team: "x" } }],
  ["claimPatterns", { claimPatterns: { team: ".*" } }],
])("a claim match that was widened by %s is completely repaired", async (_member, widened) => {
  const made = await fixture.made(identity);
  await made.byHand({ claimMatch: widened });
  const seen = await made.refreshed();
  expect(seen.diff().changes).toBe(true);
  expect(await seen.update()).toMatchObject({ claimMatch: made.inputs["claimMatch"] });
});

test.each([
  ["503", { status: 503 }],
  ["429", { status: 429 }],
  ["a reset before it is applied", { reset: "before" }],
  ["a reset after it was applied", { reset: "after" }],
])("after %s it is sent again", async (_what, fault) => {
  const made = await fixture.made(group);
  await fixture.platform.fault({ method: "PATCH" }, fault);
  expect(await made.update({ name: "again" })).toMatchObject({ name: "again" });
  expect(await fixture.asked("PATCH")).toHaveLength(2);
});

test("an object that was deleted is named, with the command that recreates it", async () => {
  const made = await fixture.made(group);
  await made.deletedByHand();
  for (const change of [{ description: "new" }, {}]) {
    await expectFailure(made.update(change), "NOT_FOUND", made.uid, "was deleted", "up --refresh --run-program");
  }
});

test("the platform's words, when they end without a full stop, do not run into what to do", async () => {
  const made = await fixture.made(group);
  fixture.proxy.interfere = async ({ method }, forward) =>
    method === "PATCH" ? { status: 404, headers: {}, body: '{"code":5,"message":"no such group"}' } : forward();
  await expectFailure(made.update({ description: "new" }), "NOT_FOUND", "no such group. `pulumi up --refresh --run-program`");
});

test("a natural key that another object holds is an error that names it", async () => {
  const made = await fixture.made(group);
  const { uid } = await fixture.colleague(group, { parentUid: made.place, name: "taken" });
  await expectFailure(made.update({ name: "taken" }), "ALREADY_EXISTS", uid, made.uid);
});

test("a natural key that another resource gives up meanwhile is an error that says what to do", async () => {
  const made = await fixture.made(group);
  const holder = await fixture.colleague(group, { parentUid: made.place, name: "taken" });
  fixture.proxy.interfere = async ({ method, path }, forward) => {
    const answer = await forward();
    if (method === "PATCH" && path.includes(made.uid)) await fixture.platform.change("groups", holder.uid, { name: "free" });
    return answer;
  };
  const { message } = await expectFailure(made.update({ name: "taken" }), "ALREADY_EXISTS", "Run `pulumi up` again");
  expect(message).not.toContain("delete that one");
});

test("the platform's message about the key is kept where no List may be read", async () => {
  const made = await fixture.made(group);
  await fixture.colleague(group, { parentUid: made.place, name: "taken" });
  await fixture.platform.fault({ method: "GET", path: "/groups$" }, { status: 403 }, { times: 0 });
  await expectFailure(made.update({ name: "taken" }), "ALREADY_EXISTS");
});

const wider = { issuer: "https://issuer.example", subject: "wanted", subjectPattern: ".*" };
const kept: [string, Kind, Inputs, object][] = [
  ["name", group, { name: "wanted" }, { name: "other" }],
  ["description", group, { description: "wanted" }, { description: "as before" }],
  ["claimMatch", identity, { claimMatch: { ...wider, subjectPattern: undefined } }, { claimMatch: wider }],
  ["roleUid", roleBinding, { roleUid: "editor" }, { role: { uid: "0000000000000000", name: "owner" } }],
];

/** Updates an object to `change`, while requests of `method` are answered with `rewrite`. */
async function updatedWhile(kind: Kind, change: Inputs, rewrite: object, method: "PATCH" | ".*") {
  const made = await fixture.made(kind);
  const roleUid = "roleUid" in change && { roleUid: await fixture.platform.role(String(change["roleUid"])) };
  const news: Inputs = { ...change, ...roleUid };
  let isSent = false;
  fixture.proxy.interfere = async (request, forward) => {
    const answer = await forward();
    isSent ||= request.method === "PATCH";
    const isMeant = isSent && request.path.endsWith(made.uid) && (method === ".*" || request.method === method);
    return isMeant ? { ...answer, body: JSON.stringify({ ...(JSON.parse(answer.body) as object), ...rewrite }) } : answer;
  };
  return { id: made.uid, news, outcome: made.update(news) };
}

test.each(kept)(
  "a %s that the platform reports as changed and is not is an error that names it",
  async (name, kind, change, rewrite) => {
    const { id, outcome } = await updatedWhile(kind, change, rewrite, ".*");
    const error = await expectFailure(outcome, "WRONG_OBJECT", id, name, "declare it in that form");
    expect(error.message).not.toContain("wanted");
  },
);

test.each(kept)("if only the answer has another %s, state gets the object as read", async (name, kind, change, rewrite) => {
  const { news, outcome } = await updatedWhile(kind, change, rewrite, "PATCH");
  expect((await outcome)[name]).toEqual(news[name]);
});

test.each(["{}", ""])("an answer of %j to a change is completed by reading the object", async (body) => {
  const made = await fixture.made(group);
  fixture.proxy.interfere = async ({ method }, forward) => ({ ...(await forward()), ...(method === "PATCH" && { body }) });
  expect(await made.update({ description: "new" })).toMatchObject({ description: "new" });
});

test("an answer about another object never reaches state", async () => {
  const { id, outcome } = await updatedWhile(group, { name: "wanted" }, { uid: "somebody/else" }, "PATCH");
  await expectFailure(outcome, "WRONG_OBJECT", id);
});

test("a kind that the platform cannot change is an error that says what to do", async () => {
  const made = await fixture.made(group);
  await fixture.platform.fault({ method: "PATCH" }, { status: 501 });
  await expectFailure(made.update({ name: "renamed" }), "UNIMPLEMENTED", "--replace");
});
