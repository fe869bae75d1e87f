import type { Review } from "../../cli/review/review";
import {
  acme,
  deleted,
  giving,
  identity,
  issuer,
  made,
  object,
  reviewed,
  roleUid,
  root,
  stays,
  step,
  undecidedIn,
  warningsIn,
} from "../support/preview-steps";

const ci = stays("Identity", "ci", identity("ci"));
const known = { objects: [acme] };
const told = ({ changes }: Review) => changes.map(({ effect, severity, role }) => [effect, severity, role.name].join(" "));

const binding = { parentUid: root, identityUid: `${root}/ci` };
const outputs = { roleUid: roleUid("viewer"), identityUid: `${root}/ci`, parentUid: root };

// A secret looks the same before an update and after it.
describe.each(["update", "replace"])("an %s with a secret reference is undecided, whatever the state has:", (op) => {
  test.each<[string, string, object, string, string]>([
    ["the name of a role", "RoleBinding", { ...binding, roleName: "[secret]" }, "roleUid", "the role of x"],
    [
      "a login",
      "RoleBinding",
      { parentUid: root, roleUid: roleUid("owner"), identityRef: { issuer, subject: "[secret]" } },
      "identityUid",
      "the identity of x",
    ],
    [
      "a path",
      "RoleBinding",
      { ...giving("owner"), parentUid: undefined, parentPath: "[secret]" },
      "parentUid",
      "the place of x",
    ],
    [
      "a default role",
      "IdentityProvider",
      { parentUid: root, name: "sso", defaultRoleName: "[secret]", oidc: { issuer, clientId: "c" } },
      "defaultRole",
      "the role of x",
    ],
  ])("%s", (_, kind, inputs, reason, what) => {
    const shown = step(kind, "x", { ...inputs }, { ...inputs }, { outputs: { ...outputs, defaultRole: roleUid("viewer") }, op });
    expect(undecidedIn(reviewed([ci, { ...shown, replaceReasons: op === "replace" ? [reason] : [] }], known))).toContain(what);
  });
});

test("a login with a secret subject is undecided in a create", () => {
  const login = { issuer, subject: "[secret]" };
  const found = reviewed([made("RoleBinding", "x", { ...giving("viewer"), identityUid: undefined, identityRef: login })], known);
  expect(undecidedIn(found)).toContain("the identity of x");
});

test.each([
  ["a member", { access: { owner: { a: "[secret]" } } }, "who is owner by x"],
  ["who is exempt", { access: {}, exempt: "[secret]" }, "who is exempt by x"],
])("a GroupAccess of which %s is a secret is undecided", (_, inputs, what) => {
  const state = { roleUids: { owner: roleUid("owner") }, bindings: { owner: { a: `${root}/b` } } };
  const shown = step("GroupAccess", "x", { parentUid: root, ...inputs }, { parentUid: root, ...inputs }, { outputs: state });
  expect(undecidedIn(reviewed([ci, shown], known))).toContain(what);
});

test("a secret address of a subscription may be another one", () => {
  const inputs = { parentUid: root, sink: "[secret]" };
  expect(
    undecidedIn(reviewed([step("Subscription", "x", { ...inputs }, { ...inputs }, { form: "platform:events:" })], known)),
  ).toEqual(["sink of x"]);
});

test("a released identity that another resource takes over is as that one declares it, wherever it stands in the preview", () => {
  const open = { parentUid: root, name: "ci", claimMatch: { issuer, subjectPattern: ".*" } };
  const released = deleted(ci, { retainOnDelete: true });
  const steps = [stays("RoleBinding", "b", giving("owner")), made("Identity", "next", open)];
  for (const order of [
    [...steps, released],
    [released, ...steps],
  ]) {
    const found = reviewed(order, known);
    expect(told(found)).toContain("gain critical owner");
    expect(warningsIn(found).join()).not.toContain("stays");
  }
});

test("what is released in a group that the update deletes goes with the group", () => {
  const shop = stays("Group", "shop", { parentUid: root, name: "shop" });
  const owner = stays("RoleBinding", "b", giving("owner", `${root}/shop`), `${root}/shop`);
  const found = reviewed([ci, deleted(owner, { deletedWith: shop.urn }), deleted(shop)], known);
  expect(told(found)).toEqual([expect.stringMatching(/^loss .* owner$/)]);
});

const [low, high] = ["CAP_REPO_LIST", "CAP_IAM_ROLE_BINDINGS_CREATE"];
const dep = (capability: string, name = "dep") => ({ parentUid: root, name, capabilities: [capability] });

test("a binding that another one replaces gets the role that its name means there", () => {
  const [a, b] = ["a", "b"].map((name) => `${root}/${name}`) as [string, string];
  const groups = ["a", "b"].map((name) => stays("Group", name, { parentUid: root, name }));
  const role = stays("Role", "dep", { ...dep(low), parentUid: a }, a);
  const others = object("Role", `${b}/dep`, { ...dep(high), parentUid: b });
  const moved = step(
    "RoleBinding",
    "x",
    { parentUid: a, identityUid: `${root}/ci`, roleName: "dep" },
    { parentUid: b, identityUid: `${root}/ci`, roleName: "dep", roleUid: `${b}/dep` },
    { op: "replace", of: a, outputs: { roleUid: `${a}/dep` } },
  );
  const found = reviewed([ci, ...groups, role, { ...moved, replaceReasons: ["parentUid"] }], { objects: [acme, others] });
  expect(found.changes.find(({ effect }) => effect === "gain")).toMatchObject({ severity: "high", role: { uid: `${b}/dep` } });
});

test("a name that one object has until the update deletes it, and another one gets, may mean either: deletes come last", () => {
  const renamed = step("Role", "taker", dep(low, "old"), dep(low));
  const old = deleted(stays("Role", "dep", dep(high)));
  const named = made("RoleBinding", "new", { ...binding, roleName: "dep" });
  const gain = reviewed([ci, renamed, named, old], known).changes.find(({ effect, holder }) => effect === "gain" && holder.uid);
  expect([gain?.severity, gain?.role.capabilities]).toEqual(["critical", undefined]);
  const bot = identity("bot");
  const heir = step("Identity", "heir", identity("heir"), { ...identity("heir"), name: "bot" });
  const owns = made("RoleBinding", "new", { ...giving("owner"), identityUid: undefined, identityRef: "acme/bot" });
  expect(undecidedIn(reviewed([heir, owns, deleted(stays("Identity", "bot", bot))], known))).toContain("the identity of new");
  const shop = stays("Group", "shop", { parentUid: root, name: "shop" });
  const taker = step("Group", "old", { parentUid: root, name: "old" }, { parentUid: root, name: "shop" });
  const inShop = made("RoleBinding", "new", { ...giving("owner"), parentUid: undefined, parentPath: "acme/shop" });
  const found = reviewed([ci, taker, inShop, deleted(shop)], known);
  expect(undecidedIn(found)).toContain("the place of new");
});
