import { boundLogin } from "../../provider/kinds/bound-login";
import { refresh } from "../../provider/resources/object/read";
import { AccessFixture } from "../support/access-fixture";
import { group, identity, roleBinding } from "../support/resource-fixture";

// The login of the identity in the state of a role binding.

const access = AccessFixture.forFile();
const { fixture } = access;

const issuer = "https://issuer.example";
const loginAs = (uid: string, subject: string) =>
  fixture.platform.change(identity.collection.segment, uid, { claimMatch: { issuer, subject } });
const digest = (subject: string) => boundLogin("root/a", { issuer, subject });

test.each<[string, unknown, unknown, unknown]>([
  [
    "an exact login is a short text that shows nothing of it",
    "root/a",
    { issuer, subject: "s" },
    expect.stringMatching(/^[\w-]{16}$/),
  ],
  ["neither is one", "root/a", { issuer: "", subject: "" }, "-"],
  ["members that are left out are unset", "root/a", {}, "-"],
  ["a person's is none", "0a", { issuer, subject: "s" }, undefined],
  ["one that is not shown is none", "root/a", null, undefined],
])("%s", (_, uid, shown, wanted) => {
  expect(boundLogin(uid, shown)).toEqual(wanted);
});

test("issuer and subject both count, and nothing else", () => {
  const all = [
    ["a", "b"],
    ["a", "c"],
    ["b", "b"],
    ['a","b', ""],
    ["", "a"],
  ].map(([from, subject]) => boundLogin("root/a", { issuer: from, subject }));
  expect(new Set(all).size).toBe(all.length);
  expect(boundLogin("root/a", { issuer, subject: "s", name: "other", email: "x" })).toBe(digest("s"));
});

test("a binding keeps the first one through refreshes and updates, as long as it names this identity", async () => {
  const made = await fixture.made(roleBinding);
  const uid = String(made.inputs["identityUid"]);
  const first = made.outs["login"];
  expect(first).toEqual(expect.stringMatching(/^[\w-]{16}$/));
  await loginAs(uid, "somebody else");
  expect((await made.refreshed()).outs["login"]).toBe(first);
  const updated = await made.updated({ roleUid: await fixture.platform.role("editor") });
  expect(updated.outs["login"]).toBe(first);
  const other = await fixture.identity();
  await loginAs(other, "other");
  expect((await updated.updated({ identityUid: other })).outs["login"]).toBe(digest("other"));
});

test("its create sends nothing more than before: one POST, with the login in its answer", async () => {
  const inputs = await fixture.inputs(roleBinding, await fixture.parent());
  await loginAs(String(inputs["identityUid"]), "known");
  const made = await fixture.made(roleBinding, inputs);
  expect(made.outs["login"]).toBe(digest("known"));
});

test("states of an earlier release get it by a refresh through Lists, without a difference and without more requests", async () => {
  const place = await fixture.parent();
  const made = await Promise.all(Array.from({ length: 15 }, () => fixture.made(roleBinding, { parentUid: place })));
  await fixture.platform.clearRequests();
  const run = fixture.run();
  for (const { uid, outs } of made) {
    const { login, ...old } = outs;
    const found = await refresh(roleBinding, uid, old, run);
    expect(found?.props).toEqual({ ...old, login });
  }
  expect((await fixture.asked("GET", roleBinding.collection.segment)).length).toBeLessThanOrEqual(4);
  expect(made[0]?.outs).toHaveProperty("login");
  expect(group.fields).not.toHaveProperty("login");
});

test("a GroupAccess keeps that of each member, the first through refreshes and other members' changes", async () => {
  const stack = await access.brought({ access: { viewer: ["zoe"] } });
  const logins = () => stack.state?.outputs["logins"];
  expect(logins()).toEqual({ viewer: { zoe: digest("zoe") } });
  await loginAs(await access.person("zoe"), "evil");
  expect(await stack.refresh()).toBe(false);
  await stack.up({ access: { viewer: ["zoe", "max"], owner: ["zoe"] } });
  expect(logins()).toEqual({ viewer: { zoe: digest("zoe"), max: digest("max") }, owner: { zoe: digest("evil") } });
  await stack.up({ access: { viewer: ["max"] } });
  expect(logins()).toEqual({ viewer: { max: digest("max") } });
});

test("a GroupAccess of an earlier release gets them by a refresh, without a difference", async () => {
  const stack = await access.brought({ access: { viewer: ["ada"] } });
  const { logins, ...outputs } = stack.state?.outputs ?? {};
  if (stack.state !== undefined) stack.state = { ...stack.state, outputs };
  expect(await stack.refresh()).toBe(false);
  expect(stack.state?.outputs["logins"]).toEqual(logins);
});
