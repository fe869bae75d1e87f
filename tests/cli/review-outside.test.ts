import { reviewDocumentOf } from "../../cli/review/document";
import { type Review, reviewOf } from "../../cli/review/review";
import { type Known, knownOffline } from "../../cli/review/known";
import { reviewText } from "../../cli/review/text";
import type { InventoryObject } from "../../inventory/objects";
import { object, previewOf, root, stays, step } from "../support/preview-steps";

const offline = knownOffline();
const uidOf = (role: string) => [...offline.roles].find(([, { name }]) => name === role)?.[0] ?? "";
const [owner, viewer] = ["owner", "viewer"].map(uidOf);
const issuer = "https://login.acme.example";
const login = (subject: string) => ({ claimMatch: { issuer, subject } });
const anybody = { claimMatch: { issuer: "https://token.actions.githubusercontent.com", subjectPattern: ".*" } };

/** What the platform shows besides the program: groups, identities and role bindings of others. */
const organization = [
  object("Group", root, { name: "acme" }),
  object("Group", `${root}/shop`, { name: "shop" }),
  object("Group", `${root}/old`, { name: "old" }),
  object("Group", `${root}/old/shop`, { name: "shop" }),
  object("Identity", `${root}/old/shop/ci`, { name: "ci", ...anybody }),
];
const seeing = (objects: readonly InventoryObject[], more: Partial<Known> = {}): Known => ({ ...offline, objects, ...more });
const gains = ({ changes }: Review) =>
  changes
    .filter(({ effect }) => effect === "gain")
    .map(({ severity, holder, role, at }) => [severity, holder.uid, role.name, at.uid].join(" "));

const shopCi = stays("Identity", "ci", { parentUid: `${root}/shop`, name: "ci", ...login("ci") }, `${root}/shop`);
const bind = (identityRef: unknown, more: object = { parentUid: root }) =>
  step("RoleBinding", "new", undefined, { ...more, identityRef, roleUid: owner });

test("what an earlier update has deleted for a replacement is lost no more", () => {
  const was = { parentUid: root, identityUid: `${root}/shop/ci`, roleUid: viewer };
  const { newState: _, ...removed } = step("RoleBinding", "new", was, was);
  const steps = [{ ...removed, op: "remove-pending-replace" }, step("RoleBinding", "new", undefined, was)];
  const { changes } = reviewOf(previewOf(shopCi, ...steps), offline);
  expect(changes.map(({ effect, role }) => [effect, role.name])).toEqual([["gain", "viewer"]]);
});

test("a path means the identity of exactly that path, in the program or outside it", () => {
  expect(gains(reviewOf(previewOf(shopCi, bind("acme/shop/ci")), seeing(organization)))).toEqual([
    `critical ${root}/shop/ci owner ${root}`,
  ]);
  const other = reviewOf(previewOf(shopCi, bind("acme/old/shop/ci")), seeing(organization));
  expect(gains(other)).toEqual([`critical ${root}/old/shop/ci owner ${root}`]);
  expect(reviewText(other)).toContain("acme/old/shop/ci (anybody whose token of GitHub");
  expect(other.unknown).toEqual([]);
});

const rename = (name: string, to: string) => step("Group", name, { parentUid: root, name }, { parentUid: root, name: to });

test("where one group takes the name of another, nothing says whom a path means: it may be resolved before or after", () => {
  const swapped = [rename("shop", "legacy"), rename("old", "shop")];
  const other = stays("Identity", "ci", { parentUid: `${root}/old`, name: "ci", ...anybody }, `${root}/old`);
  const seen = [object("Group", root, { name: "acme" })];
  const found = reviewOf(previewOf(...swapped, shopCi, other, bind("acme/shop/ci")), seeing(seen));
  expect(gains(found)).toEqual([`critical acme/shop/ci owner ${root}`]);
  expect(found.undecided.map(({ what }) => what)).toContain("the identity of new");
  expect(found.bounds).toBe("lower");
});

test.each(["acme/shop/ci", "acme/legacy/ci"])("a renamed group whose old name nothing takes is meant by %s", (reference) => {
  const found = reviewOf(
    previewOf(rename("shop", "legacy"), shopCi, bind(reference)),
    seeing([object("Group", root, { name: "acme" })]),
  );
  expect(gains(found)).toEqual([`critical ${root}/shop/ci owner ${root}`]);
  expect(found.unknown).toEqual([]);
});

describe("a path of a group", () => {
  const acme = [object("Group", root, { name: "acme" })];
  const at = (parentPath: string) => bind(undefined, { parentPath, identityUid: `${root}/ci` });
  const ci = stays("Identity", "ci", { parentUid: root, name: "ci", ...login("ci") });
  const undecided = (found: Review) => found.undecided.map(({ what }) => what);

  test("that one group gives up and another takes names neither", () => {
    const swapped = [rename("shop", "legacy"), rename("old", "shop")];
    const found = reviewOf(previewOf(...swapped, ci, at("acme/shop")), seeing(acme));
    expect(gains(found)).toEqual([`critical ${root}/ci owner (unknown place of new)`]);
    expect(undecided(found)).toEqual(["the place of new"]);
    expect(reviewText(found)).not.toMatch(/owner of acme\/(shop|legacy)/);
  });

  test("above which a group is renamed names neither of two", () => {
    const below = (of: string) => stays("Group", "team", { parentUid: `${root}/${of}`, name: "team" }, `${root}/${of}`);
    const swapped = [rename("shop", "legacy"), rename("old", "shop")];
    const teams = [below("shop"), { ...below("old"), urn: "urn:pulumi:a::b::platform:iam:Group::other" }];
    expect(undecided(reviewOf(previewOf(...swapped, ...teams, ci, at("acme/shop/team")), seeing(acme)))).toEqual([
      "the place of new",
    ]);
  });

  test.each(["acme/shop", "acme/legacy"])("that a renamed group has before or after, and no other has, is that: %s", (path) => {
    const found = reviewOf(previewOf(rename("shop", "legacy"), ci, at(path)), seeing(acme));
    expect(gains(found)).toEqual([`high ${root}/ci owner ${root}/shop`]);
    expect(found.unknown).toEqual([]);
  });

  test("that the same update makes is that of the new group, also in a new one that is named by its path", () => {
    const made = (name: string, parentPath: string) => step("Group", name, undefined, { parentPath, name });
    const found = reviewOf(previewOf(at("acme/a/b"), made("b", "acme/a"), made("a", "acme"), ci), seeing(acme));
    expect(gains(found)).toEqual([`high ${root}/ci owner ${root}/(new iam:Group a)/(new iam:Group b)`]);
    expect(found.unknown).toEqual([]);
  });

  test("that the update deletes is none that is meant", () => {
    const deleted = { ...stays("Group", "shop", { parentUid: root, name: "shop" }), op: "delete", newState: undefined };
    const found = reviewOf(previewOf(deleted, rename("old", "shop"), ci, at("acme/shop")), seeing(organization));
    expect(gains(found)).toEqual([`high ${root}/ci owner ${root}/old`]);
  });

  test("names the place of a GroupAccess, and of a group that moves there, only where it is certain", () => {
    const swapped = [rename("shop", "legacy"), rename("old", "shop")];
    const access = step("GroupAccess", "access", undefined, { parentPath: "acme/shop", access: { owner: { ci: `${root}/ci` } } });
    const found = reviewOf(previewOf(...swapped, ci, access), seeing(acme));
    expect(undecided(found)).toEqual(["the place of access"]);
    expect(gains(found)).toEqual([`critical ${root}/ci owner (unknown place of access)`]);
    const was = { parentUid: root, name: "team" };
    const moved = step("Group", "team", was, { parentPath: "acme/unseen", name: "team" }, { op: "replace" });
    expect(undecided(reviewOf(previewOf(moved), seeing(acme)))).toEqual(["the place of team"]);
  });
});

test("a name that one custom role gives up and another takes is a role that may allow anything", () => {
  const role = (name: string, is: string, capability: string) => {
    const was = { parentUid: root, name, capabilities: [capability] };
    return step("Role", name, was, { ...was, name: is });
  };
  const ci = stays("Identity", "ci", { parentUid: root, name: "ci", ...login("ci") });
  const named = step("RoleBinding", "new", undefined, { parentUid: root, identityUid: `${root}/ci`, roleName: "deployer" });
  const swapped = [role("deployer", "old", "CAP_IAM_ROLE_BINDINGS_UPDATE"), role("reader", "deployer", "CAP_REPO_LIST")];
  const [gain] = reviewOf(previewOf(...swapped, ci, named), offline).changes;
  expect(gain).toMatchObject({ severity: "critical", role: { name: "deployer" } });
  expect(gain?.role.capabilities).toBeUndefined();
  expect(reviewOf(previewOf(swapped[1] ?? {}, ci, named), offline).changes).toMatchObject([{ severity: "low" }]);
});

test("a role that another resource of the program takes over is still meant by its name", () => {
  const was = { parentUid: root, name: "deployer", capabilities: ["CAP_REPO_LIST"] };
  const deleted = { ...stays("Role", "deployer", was), op: "delete", newState: undefined };
  const ci = stays("Identity", "ci", { parentUid: root, name: "ci", ...login("ci") });
  const named = step("RoleBinding", "new", undefined, { parentUid: root, identityUid: `${root}/ci`, roleName: "deployer" });
  const found = reviewOf(previewOf(deleted, step("Role", "other", undefined, was), ci, named), offline);
  expect(found.changes).toMatchObject([{ severity: "low" }]);
});

test("resources of one logical name in different components are different objects", () => {
  const made = (within: string, more: object) => step("Identity", "ci", undefined, { parentUid: root, ...more }, { within });
  const bound = (name: string, { urn }: { urn: string }) => {
    const { newState, ...rest } = step("RoleBinding", name, undefined, {
      parentUid: root,
      identityUid: "04da6b54-80e4-46f7-96ec-b56ff0331ba9",
      roleUid: viewer,
    });
    return { ...rest, newState: { ...newState, propertyDependencies: { identityUid: [urn] } } };
  };
  const [open, safe] = [made("my:A$", { name: "open", ...anybody }), made("my:B$", { name: "safe", ...login("ci") })];
  const found = reviewOf(previewOf(open, safe, bound("one", open), bound("two", safe)), offline);
  expect(found.changes.map(({ severity, holder }) => [severity, holder.path])).toEqual([
    ["high", `${root}/open`],
    ["low", `${root}/safe`],
  ]);
});

test("a login that one identity gives up and another takes means either", () => {
  const takes = (name: string, was: string, is: string) =>
    step("Identity", name, { parentUid: root, name, ...login(was) }, { parentUid: root, name, ...login(is) });
  const found = reviewOf(previewOf(takes("a", "ci", "x"), takes("b", "y", "ci"), bind({ issuer, subject: "ci" })), offline);
  expect(found.undecided.map(({ what }) => what)).toContain("the identity of new");
});

test.each([
  ["ci", "x", ["the identity of new"]],
  ["x", "ci", ["the identity of new"]],
  ["ci", "ci", []],
])(
  "from the login %s to %s: where an identity has a login only before or only after, the reference may mean another identity",
  (was, is, open) => {
    const of = (name: string, subject: string) => ({ parentUid: root, name, ...login(subject) });
    const found = reviewOf(previewOf(step("Identity", "a", of("a", was), of("b", is)), bind({ issuer, subject: "ci" })), offline);
    expect(found.undecided.map(({ what }) => what)).toEqual(open);
  },
);

test("without the platform, a path that no identity of the program can have is not taken for one that it has", () => {
  const shop = stays("Group", "shop", { parentUid: root, name: "shop" });
  const found = reviewOf(previewOf(shop, shopCi, bind("acme/old/shop/ci")), offline);
  expect(found.unknown.map(({ what }) => what)).toEqual(["the identity of new"]);
  expect(gains(found)[0]).not.toContain(`${root}/shop/ci`);
});

test("without the platform, an identity in a group whose name is not known may be at no path", () => {
  const found = reviewOf(previewOf(shopCi, bind("acme/old/ci")), offline);
  expect(found.unknown.map(({ what }) => what)).toEqual(["the identity of new"]);
  expect(found.bounds).toBe("lower");
  const inRoot = stays("Identity", "ci", { parentUid: root, name: "ci", ...login("ci") });
  expect(gains(reviewOf(previewOf(inRoot, bind("acme/ci")), offline))).toEqual([`critical ${root}/ci owner ${root}`]);
});

test.each([
  ["a path, by another form in its place", { parentUid: `${root}/shop`, staticKeys: { issuer, subject: "ci" } }, "acme/shop/ci"],
  ["issuer and subject, in another group", { parentUid: `${root}/old`, ...login("ci") }, { issuer, subject: "ci" }],
])("an identity that the update replaces is not meant any more by %s", (_what, is, reference) => {
  const was = { parentUid: `${root}/shop`, name: "ci", ...login("ci") };
  const replaced = step("Identity", "ci", was, { name: "ci", ...is }, { op: "replace", of: `${root}/shop` });
  const platform = [...organization, object("Identity", `${root}/shop/ci`, was)];
  const found = reviewOf(previewOf(replaced, bind(reference)), seeing(platform));
  expect(found.unknown).toEqual([]);
  expect(gains(found).filter((gain) => gain.includes("owner"))).toEqual([
    `critical ${is.parentUid}/(new iam:Identity ci) owner ${root}`,
  ]);
});

test("an identity that the program only reads is found by its path on the platform", () => {
  const read = stays("Identity", "ci", { __provider: "text" }, `${root}/old/shop`);
  const { oldState: _, ...first } = { ...read, op: "read", newState: { ...read.newState, external: true, outputs: {} } };
  expect(gains(reviewOf(previewOf(first, bind("acme/old/shop/ci")), seeing(organization)))).toEqual([
    `critical ${root}/old/shop/ci owner ${root}`,
  ]);
});

test("issuer and subject mean the identity that has them, also one of another program", () => {
  const eva = object("Identity", `${root}/shop/eva`, { name: "eva", ...login("eva") });
  const found = reviewOf(previewOf(shopCi, bind({ issuer, subject: "eva" })), seeing([...organization, eva]));
  expect(gains(found)).toEqual([`critical ${root}/shop/eva owner ${root}`]);
});

test("a path means the group that has it, also one of another program", () => {
  const found = reviewOf(previewOf(shopCi, bind("acme/shop/ci", { parentPath: "acme/old" })), seeing(organization));
  expect(gains(found)).toEqual([`high ${root}/shop/ci owner ${root}/old`]);
  expect(found.unknown).toEqual([]);
});

test("the name of an account association is not that of its group", () => {
  const accounts = step("AccountAssociation", "accounts", { name: "aws" }, { name: "aws", parentUid: `${root}/x` });
  Object.assign(accounts.oldState ?? {}, { id: `${root}/x` });
  Object.assign(accounts.newState, { id: `${root}/x` });
  const binding = step("RoleBinding", "new", undefined, {
    parentUid: `${root}/x`,
    identityUid: `${root}/shop/ci`,
    roleUid: viewer,
  });
  expect(reviewText(reviewOf(previewOf(accounts, shopCi, binding), offline))).not.toContain("/aws");
});

test("what a program only reads is as the platform shows it: a preview has nothing of it", () => {
  const read = stays("Identity", "ci", { __provider: "text" }, `${root}/old/shop`);
  const { oldState: _, ...first } = { ...read, op: "read", newState: { ...read.newState, external: true, outputs: {} } };
  const binding = step("RoleBinding", "new", undefined, {
    parentUid: `${root}/shop`,
    identityUid: `${root}/old/shop/ci`,
    roleUid: viewer,
  });
  expect(gains(reviewOf(previewOf(first, binding), seeing(organization)))).toEqual([
    `high ${root}/old/shop/ci viewer ${root}/shop`,
  ]);
});

test("an object that stays when it is replaced keeps its access, and the new one gains its own", () => {
  const was = { parentUid: root, name: "ci", ...login("ci") };
  const replaced = step("Identity", "ci", was, { ...was, ...anybody }, { op: "replace" });
  Object.assign(replaced.oldState ?? {}, { retainOnDelete: true });
  const binding = step("RoleBinding", "new", undefined, {
    parentUid: root,
    identityUid: "04da6b54-80e4-46f7-96ec-b56ff0331ba9",
    roleUid: owner,
  });
  Object.assign(binding.newState, { propertyDependencies: { identityUid: [replaced.urn] } });
  const others = [object("RoleBinding", `${root}/a`, { parentUid: root, identityUid: `${root}/ci`, roleUid: owner })];
  const found = reviewOf(previewOf(replaced, binding), seeing(others));
  expect(found.changes.map(({ effect, severity, role }) => [effect, severity, role.name])).toEqual([
    ["gain", "critical", "owner"],
  ]);
});

test.each([
  ["anything", [], "high"],
  ["not everything", [{ what: "role bindings", reason: "403" }], "high"],
  ["everything", [], "medium"],
])(
  "others who can log in as an identity of which no role is known may get any, unless the platform shows %s",
  (what, unreadable, severity) => {
    const was = { parentUid: `${root}/shop`, name: "ci", ...login("ci") };
    const other = step("Identity", "ci", was, { ...was, ...login("eva") }, { of: `${root}/shop` });
    const known = what === "anything" ? offline : seeing(organization, { unreadable });
    expect(reviewOf(previewOf(other), known).changes.map((change) => change.severity)).toEqual([severity]);
  },
);

test.each([
  ["anything", "high"],
  ["everything", "medium"],
])(
  "a role that allows more is a gain of whoever has it, although no holder is known; the platform shows %s",
  (what, severity) => {
    const role = (...capabilities: string[]) => ({ parentUid: root, name: "deployer", capabilities });
    const wider = step("Role", "deployer", role("CAP_REPO_LIST"), role("CAP_REPO_LIST", "CAP_IAM_ROLE_BINDINGS_UPDATE"));
    const found = reviewOf(previewOf(wider), what === "anything" ? offline : seeing(organization));
    expect(found.changes.map((change) => change.severity)).toEqual([severity]);
    expect(reviewText(found)).toMatch(
      /\+ whoever has the role deployer of \S+, of whom no one is known here, can now also do CAP_IAM_ROLE_BINDINGS_UPDATE/,
    );
    expect(
      reviewOf(previewOf(step("Role", "deployer", role("CAP_REPO_LIST", "CAP_TAG_LIST"), role("CAP_TAG_LIST"))), offline).changes,
    ).toEqual([]);
  },
);

test("how an identity that gains logs in is undecided where nothing shows it, unless it is a person", () => {
  const gain = (identity: object) => step("RoleBinding", "new", undefined, { parentUid: root, ...identity, roleUid: viewer });
  const undecided = (identity: object, known = seeing([object("Group", root, { name: "acme" })])) =>
    reviewOf(previewOf(gain(identity)), known).undecided.map(({ what }) => what);
  expect(undecided({ identityUid: `${root}/shop/ci` })).toEqual([`how ${root}/shop/ci logs in`]);
  expect(undecided({ identityRef: "acme/shop/ci" })).toEqual(["how acme/shop/ci logs in"]);
  expect(undecided({ identityUid: "5".repeat(40) })).toEqual([]);
  expect(undecided({ identityUid: `${root}/old/shop/ci` }, seeing(organization))).toEqual([]);
  expect(undecided({ identityRef: { issuer, subject: "eva" } })).toEqual([]);
  expect(undecided({ identityUid: `${root}/shop/ci` }, offline)).toEqual([]);
});

test("who may have what at the top of the organisation is undecided, unless the platform shows it", () => {
  const was = { parentUid: `${root}/shop`, name: "ci", ...login("ci") };
  const other = step("Identity", "ci", was, { ...was, ...login("eva") }, { of: `${root}/shop` });
  const role = { parentUid: root, name: "deployer", capabilities: ["CAP_REPO_LIST"] };
  const wider = step("Role", "deployer", role, { ...role, capabilities: ["CAP_IAM_ROLES_UPDATE"] });
  const undecided = (known: Known) => reviewOf(previewOf(other, wider), known).undecided.map(({ what }) => what);
  const hidden = { what: "roleBindings", reason: "forbidden" };
  const partly = seeing(organization, { unreadable: [hidden] });
  expect(undecided(partly)).toEqual(["which roles acme/shop/ci has", "who has the role deployer"]);
  expect(undecided(offline)).toEqual([]);
  expect(undecided(seeing(organization))).toEqual([]);
});

test("a role whose capabilities are known after the update only may allow control, also if the platform shows no holder", () => {
  const role = { parentUid: root, name: "deployer", capabilities: ["CAP_REPO_LIST"] };
  const pending = { ...role, capabilities: "04da6b54-80e4-46f7-96ec-b56ff0331ba9" };
  const found = reviewOf(previewOf(step("Role", "deployer", role, pending)), seeing(organization));
  expect(found.changes.map(({ severity }) => severity)).toEqual(["medium"]);
  expect(reviewDocumentOf(found).changes).toMatchObject([{ withoutHolder: true, identity: {} }]);
});

test("another installation of the same app, and another identity of the same service, are accounts of others", () => {
  const accounts = (installationId: string, identity: string) => ({
    parentUid: root,
    name: "accounts",
    github: { appInstallations: { 7: { installations: [{ installationId }] } } },
    chainguard: { serviceBindings: { INGESTER: `${root}/${identity}` } },
  });
  const found = reviewOf(previewOf(step("AccountAssociation", "accounts", accounts("1", "one"), accounts("2", "two"))), offline);
  expect(found.changes.map(({ effect, holder }) => `${effect} ${holder.account ?? ""}`)).toEqual([
    "gain GitHub app 7, installation 2",
    `gain service INGESTER of the platform, as identity ${root}/two`,
    "loss GitHub app 7, installation 1",
    `loss service INGESTER of the platform, as identity ${root}/one`,
  ]);
});

test("a service acts as the same identity under another name; the change of an account has the URN of the association, not of its group", () => {
  const group = stays("Group", "shop", { parentUid: root, name: "shop" });
  const was = { parentUid: `${root}/shop`, name: "ci", ...login("ci") };
  const renamed = step("Identity", "ci", was, { ...was, name: "new" }, { of: `${root}/shop` });
  const accounts = { parentUid: `${root}/shop`, name: "a", chainguard: { serviceBindings: { INGESTER: `${root}/shop/ci` } } };
  const update = (more: object) => {
    const made = step("AccountAssociation", "accounts", accounts, { ...accounts, ...more });
    for (const state of [made.oldState, made.newState]) Object.assign(state ?? {}, { id: `${root}/shop` });
    return reviewOf(previewOf(renamed, made, group), seeing([object("Group", root, { name: "acme" })]));
  };
  expect(update({}).changes).toEqual([]);
  expect(update({ amazon: { account: "111111111111" } }).changes.map(({ holder, urn }) => [holder.account, urn])).toEqual([
    ["AWS account 111111111111", expect.stringMatching(/AccountAssociation::accounts$/)],
  ]);
  const gone = update({ chainguard: undefined }).changes;
  expect(gone.map(({ effect, holder }) => [effect, holder.account])).toEqual([
    ["loss", "service INGESTER of the platform, as identity acme/shop/ci"],
  ]);
});

test.each([{}, { email: "eve@example.com" }])("an invite that is renewed lets somebody in again: %j", (more) => {
  const invite = { parentUid: root, roleUid: owner, ttl: "60s", ...more };
  const renewed = step("GroupInvite", "invite", invite, { ...invite }, { op: "replace" });
  const { changes } = reviewOf(previewOf(renewed), offline);
  expect(changes.map(({ effect, severity, urn }) => [effect, severity, urn])).toEqual([
    ["gain", "critical", renewed.urn],
    ["loss", expect.any(String), renewed.urn],
  ]);
});
