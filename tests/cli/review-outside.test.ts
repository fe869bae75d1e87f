import { reviewDocumentOf } from "../../cli/review/document";
import type { Known } from "../../cli/review/known";
import type { Review } from "../../cli/review/review";
import { reviewText } from "../../cli/review/text";
import { unknownValue } from "../../provider/schema/inputs";
import {
  acme,
  deleted,
  dependingOn,
  giving,
  identity,
  issuer,
  made,
  object,
  reads,
  reviewed,
  roleUid,
  root,
  stays,
  step,
  type Step,
  undecidedIn,
} from "../support/preview-steps";

const anybody = { claimMatch: { issuer: "https://token.actions.githubusercontent.com", subjectPattern: ".*" } };

/** Groups and identities of others that the platform shows. */
const organization = [
  acme,
  object("Group", `${root}/shop`, { name: "shop" }),
  object("Group", `${root}/old`, { name: "old" }),
  object("Group", `${root}/old/shop`, { name: "shop" }),
  object("Identity", `${root}/old/shop/ci`, { name: "ci", ...anybody }),
];
const everything = { objects: organization };
const rootOnly = { objects: [acme] };

/** The uid, or the path of what has none. */
const shown = ({ uid = "", path = "" }: { uid?: string; path?: string }) => (/^unknown /.test(uid) ? path : uid);
const gains = ({ changes }: Review) =>
  changes
    .filter(({ effect }) => effect === "gain")
    .map(({ severity, holder, role, at }) => [severity, shown(holder), role.name, shown(at)].join(" "));

const ci = stays("Identity", "ci", identity("ci"));
const inShop = { ...identity("ci"), parentUid: `${root}/shop` };
const shopCi = stays("Identity", "ci", inShop, `${root}/shop`);
/** A new owner, named by a path or a login. */
const owns = (identityRef: unknown, more: object = { parentUid: root }) =>
  made("RoleBinding", "new", { ...giving("owner"), parentUid: undefined, identityUid: undefined, ...more, identityRef });
const rename = (name: string, to: string) => step("Group", name, { parentUid: root, name }, { parentUid: root, name: to });
const swapped = [rename("shop", "legacy"), rename("old", "shop")];

test("what an earlier update has deleted for a replacement is lost no more", () => {
  const was = giving("viewer", root, `${root}/shop/ci`);
  const removed = { ...deleted(stays("RoleBinding", "new", was)), op: "remove-pending-replace" };
  const { changes } = reviewed([shopCi, removed, made("RoleBinding", "new", was)]);
  expect(changes.map(({ effect, role }) => [effect, role.name])).toEqual([["gain", "viewer"]]);
});

const eva = object("Identity", `${root}/shop/eva`, identity("eva"));

test.each<[string, readonly Step[], unknown, Partial<Known>, string]>([
  ["the identity of the program at exactly that path", [shopCi], "acme/shop/ci", everything, "shop/ci"],
  ["one of others at exactly that path", [shopCi], "acme/old/shop/ci", everything, "old/shop/ci"],
  [
    "one in a group that is renamed, by its uid beside the old path",
    [rename("shop", "legacy"), shopCi],
    "acme/shop/ci",
    rootOnly,
    "shop/ci",
  ],
  ["one that the program only reads", [], "acme/old/shop/ci", everything, "old/shop/ci"],
  [
    "one of another program with that login",
    [shopCi],
    { issuer, subject: "eva" },
    { objects: [...organization, eva] },
    "shop/eva",
  ],
])("a reference means %s", (what, steps, reference, known, uid) => {
  const read = what.includes("reads") ? [reads("Identity", "ci", `${root}/${uid}`)] : [];
  const found = reviewed([...steps, ...read, owns(reference, { parentUid: root, identityUid: `${root}/${uid}` })], known);
  expect([gains(found), found.unknown]).toEqual([[`critical ${root}/${uid} owner ${root}`], []]);
  if (uid === "old/shop/ci" && read.length === 0) expect(reviewText(found)).toContain("acme/old/shop/ci (anybody ");
});

test("where one group takes the name of another, nothing says whom a path means: it may be resolved before or after", () => {
  const other = stays("Identity", "ci", { parentUid: `${root}/old`, name: "ci", ...anybody }, `${root}/old`);
  for (const identityUid of [undefined, `${root}/shop/ci`]) {
    const found = reviewed([...swapped, shopCi, other, owns("acme/shop/ci", { parentUid: root, identityUid })], rootOnly);
    expect([gains(found), found.bounds]).toEqual([[`critical a identity that is not known yet (new) owner ${root}`], "lower"]);
    expect(undecidedIn(found)).toContain("the identity of new");
  }
});

describe("a path of a group", () => {
  const at = (parentPath: string, parentUid?: string) =>
    made("RoleBinding", "new", { ...giving("owner"), parentUid, parentPath });
  const group = (name: string, parentPath: string) => made("Group", name, { parentPath, name });

  test("that one group gives up and another takes names neither", () => {
    for (const binding of [at("acme/shop"), at("acme/shop", `${root}/shop`)]) {
      const found = reviewed([...swapped, ci, binding], rootOnly);
      expect(gains(found)).toEqual([`critical ${root}/ci owner a group that is not known yet (new)`]);
      expect(undecidedIn(found)).toEqual(["the place of new"]);
      expect(reviewText(found)).not.toMatch(/owner of acme\/(shop|legacy)/);
    }
  });

  test("above which a group is renamed names neither of two", () => {
    const below = (of: string) => stays("Group", "team", { parentUid: `${root}/${of}`, name: "team" }, `${root}/${of}`);
    const teams = [below("shop"), { ...below("old"), urn: "urn:pulumi:a::b::platform:iam:Group::other" }];
    for (const binding of [at("acme/shop/team"), at("acme/shop/team", `${root}/shop/team`)])
      expect(undecidedIn(reviewed([...swapped, ...teams, ci, binding], rootOnly))).toEqual(["the place of new"]);
  });

  test.each<[string, readonly object[]]>([
    ["that the update gives to a group", [rename("shop", "legacy"), at("acme/legacy")]],
    ["of a new group", [at("acme/a/b"), group("b", "acme/a"), group("a", "acme")]],
  ])("%s has no uid beside it, and is undecided", (_, steps) => {
    expect(undecidedIn(reviewed([ci, ...steps], rootOnly))).toContain("the place of new");
  });

  test.each<[string, readonly object[], Partial<Known>, string]>([
    ["is that of the group before", [rename("shop", "legacy"), at("acme/shop", `${root}/shop`)], rootOnly, `${root}/shop`],
    ["is that of a group of others", [at("acme/old", `${root}/old`)], everything, `${root}/old`],
  ])("%s, where no other group has it", (_, steps, known, place) => {
    const found = reviewed([ci, ...steps], known);
    expect([gains(found), found.unknown]).toEqual([[`high ${root}/ci owner ${place}`], []]);
  });

  test("names the place of a GroupAccess, and of a group that moves there, only where it is certain", () => {
    const access = made("GroupAccess", "access", { parentPath: "acme/shop", access: { owner: { ci: `${root}/ci` } } });
    const found = reviewed([...swapped, ci, access], rootOnly);
    expect(undecidedIn(found)).toEqual(["the place of access"]);
    expect(gains(found)).toEqual([`critical ${root}/ci owner a group that is not known yet (access)`]);
    const [was, is] = [{ parentUid: root }, { parentPath: "acme/unseen" }].map((place) => ({ ...place, name: "team" }));
    const moved = step("Group", "team", was, is ?? {}, { op: "replace" });
    expect(undecidedIn(reviewed([moved], rootOnly))).toEqual(["the place of team"]);
  });
});

describe("the name of a custom role", () => {
  const role = (name: string, ...capabilities: string[]) => ({ parentUid: root, name, capabilities });
  const renamed = (is: string, was: ReturnType<typeof role>) => step("Role", was.name, was, { ...was, name: is });
  const named = made("RoleBinding", "new", { ...giving("owner"), roleUid: undefined, roleName: "deployer" });
  const taker = renamed("deployer", role("reader", "CAP_REPO_LIST"));

  test("that one gives up and another takes is a role that may allow anything", () => {
    const giver = renamed("old", role("deployer", "CAP_IAM_ROLE_BINDINGS_UPDATE"));
    const [gain] = reviewed([giver, taker, ci, named]).changes;
    expect(gain).toMatchObject({ severity: "critical", role: { name: "a role that is not known yet (new)" } });
    expect(gain?.role.capabilities).toBeUndefined();
  });

  const deployer = role("deployer", "CAP_REPO_LIST");
  test.each([
    ["that one takes", [taker]],
    ["whose object another resource takes over", [deleted(stays("Role", "deployer", deployer)), made("Role", "other", deployer)]],
  ])("%s has no uid beside it, and is undecided", (_, steps) => {
    const found = reviewed([...steps, ci, named]);
    expect(undecidedIn(found)).toEqual(["the role of new"]);
    expect(found.changes).toMatchObject([{ severity: "critical" }]);
  });
});

test("resources of one logical name in different components are different objects", () => {
  const [open, safe] = [
    made("Identity", "ci", { ...identity("open"), ...anybody }, { within: "my:A$" }),
    made("Identity", "ci", identity("safe"), { within: "my:B$" }),
  ];
  const bound = (name: string, to: Step) =>
    dependingOn(made("RoleBinding", name, giving("viewer", root, unknownValue)), { identityUid: [to] });
  const { changes } = reviewed([open, safe, bound("one", open), bound("two", safe)]);
  expect(changes.map(({ severity, holder }) => [severity, holder.path])).toEqual([
    ["high", `${root}/open`],
    ["low", `${root}/safe`],
  ]);
});

const relogged = (name: string, was: string, is: string) =>
  step("Identity", name, identity(name, was), { ...identity(name, is), ...(was === is && { name: "b" }) });

test.each([
  ["one identity has before and another after may mean either", [relogged("a", "ci", "x"), relogged("b", "y", "ci")], true],
  ["an identity has only before may mean another one", [relogged("a", "ci", "x")], true],
  ["an identity has only after may mean another one", [relogged("a", "x", "ci")], true],
  ["an identity keeps that is renamed means that one", [relogged("a", "ci", "ci")], false],
])("a login that %s", (_, steps, isOpen) => {
  const named = (identityUid?: string) => owns({ issuer, subject: "ci" }, { parentUid: root, identityUid });
  expect(undecidedIn(reviewed([...steps, named(`${root}/a`)])).includes("the identity of new")).toBe(isOpen);
  expect(undecidedIn(reviewed([...steps, named()]))).toContain("the identity of new");
});

test.each([
  [
    "a path that no identity of the program can have",
    [stays("Group", "shop", { parentUid: root, name: "shop" })],
    "acme/old/shop/ci",
  ],
  ["a path of a group whose name is not known", [], "acme/old/ci"],
])("without the platform, %s is not taken for one that it has", (_, steps, reference) => {
  const found = reviewed([...steps, shopCi, owns(reference)]);
  expect([found.unknown.map(({ what }) => what), found.bounds]).toEqual([["the identity of new"], "lower"]);
  expect(gains(found)[0]).not.toContain(`${root}/shop/ci`);
});

test.each([
  ["a path, by another form in its place", { parentUid: `${root}/shop`, staticKeys: { issuer, subject: "ci" } }, "acme/shop/ci"],
  ["issuer and subject, in another group", { ...identity("ci"), parentUid: `${root}/old` }, { issuer, subject: "ci" }],
])("an identity that the update replaces is not meant any more by %s", (_what, is, reference) => {
  const replaced = step("Identity", "ci", inShop, { name: "ci", ...is }, { op: "replace", of: `${root}/shop` });
  const objects = [...organization, object("Identity", `${root}/shop/ci`, inShop)];
  for (const identityUid of [undefined, `${root}/shop/ci`]) {
    const found = reviewed([replaced, owns(reference, { parentUid: root, identityUid })], { objects });
    expect(undecidedIn(found)).toEqual(["the identity of new"]);
    expect(gains(found).join()).not.toContain(`${root}/shop/ci owner`);
  }
});

test("the name of an account association is not that of its group", () => {
  const place = { parentUid: `${root}/x`, name: "aws" };
  const accounts = step("AccountAssociation", "x", { name: "aws" }, place);
  const binding = made("RoleBinding", "new", giving("viewer", `${root}/x`, `${root}/shop/ci`));
  expect(reviewText(reviewed([accounts, shopCi, binding]))).not.toContain("/aws");
});

test("what a program only reads is as the platform shows it: a preview has nothing of it", () => {
  const binding = made("RoleBinding", "new", giving("viewer", `${root}/shop`, `${root}/old/shop/ci`));
  expect(gains(reviewed([reads("Identity", "ci", `${root}/old/shop/ci`), binding], everything))).toEqual([
    `high ${root}/old/shop/ci viewer ${root}/shop`,
  ]);
});

test("an object that stays when it is replaced keeps its access, and the new one gains its own", () => {
  const replaced = step("Identity", "ci", identity("ci"), { ...identity("ci"), ...anybody }, { op: "replace" });
  Object.assign(replaced.oldState ?? {}, { retainOnDelete: true });
  const binding = dependingOn(made("RoleBinding", "new", giving("owner", root, unknownValue)), { identityUid: [replaced] });
  const { changes } = reviewed([replaced, binding], { objects: [object("RoleBinding", `${root}/a`, giving("owner"))] });
  expect(changes.map(({ effect, severity, role }) => [effect, severity, role.name])).toEqual([["gain", "critical", "owner"]]);
});

const hiding = { ...everything, unreadable: [{ what: "roleBindings", reason: "forbidden" }] };
const others = step(
  "Identity",
  "ci",
  inShop,
  { ...inShop, ...identity("ci", "eva"), parentUid: `${root}/shop` },
  { of: `${root}/shop` },
);
const deployer = (capabilities: unknown) => ({ parentUid: root, name: "deployer", capabilities });
const widened = (capabilities: unknown) => step("Role", "deployer", deployer(["CAP_REPO_LIST"]), deployer(capabilities));
const wider = widened(["CAP_REPO_LIST", "CAP_IAM_ROLE_BINDINGS_UPDATE"]);

test.each<[string, Partial<Known>, string]>([
  ["anything", {}, "high"],
  ["not everything", hiding, "high"],
  ["everything", everything, "medium"],
])(
  "others who log in as an identity of which no role is known may get any, unless the platform shows %s",
  (_, known, severity) => {
    expect(reviewed([others], known).changes.map((change) => change.severity)).toEqual([severity]);
  },
);

test.each<[string, Partial<Known>, string]>([
  ["anything", {}, "high"],
  ["everything", everything, "medium"],
])("a role that allows more is a gain, although no holder is known; the platform shows %s", (_, known, severity) => {
  const found = reviewed([wider], known);
  expect(found.changes.map((change) => change.severity)).toEqual([severity]);
  expect(reviewText(found)).toMatch(/\+ any holder of the role deployer of .* CAP_IAM_ROLE_BINDINGS_UPDATE/);
});

test("a role without a known holder that allows less is no change", () => {
  const [was, is] = [["CAP_REPO_LIST", "CAP_TAG_LIST"], ["CAP_TAG_LIST"]].map(deployer);
  expect(reviewed([step("Role", "deployer", was, is ?? {})]).changes).toEqual([]);
});

test("a role whose capabilities are known only after the update may allow control, also if the platform shows no holder", () => {
  const found = reviewed([widened(unknownValue)], everything);
  expect(found.changes.map(({ severity }) => severity)).toEqual(["medium"]);
  expect(reviewDocumentOf(found).changes).toMatchObject([{ withoutHolder: true, identity: {} }]);
});

test.each<[string, object, Partial<Known>, string[]]>([
  ["an identity by its uid", { identityUid: `${root}/shop/ci` }, rootOnly, [`how ${root}/shop/ci logs in`]],
  [
    "an identity by its path",
    { identityRef: "acme/shop/ci", identityUid: `${root}/shop/ci` },
    rootOnly,
    [`how ${root}/shop/ci logs in`],
  ],
  ["an identity that the platform shows", { identityUid: `${root}/old/shop/ci` }, everything, []],
  ["a person", { identityUid: "5".repeat(40) }, rootOnly, []],
  ["a login", { identityRef: { issuer, subject: "eva" }, identityUid: "5".repeat(40) }, rootOnly, []],
  ["an identity, if the platform is not asked", { identityUid: `${root}/shop/ci` }, {}, []],
])("how %s that gains logs in is undecided where nothing shows it", (_, who, known, what) => {
  const gain = made("RoleBinding", "new", { ...giving("viewer"), identityUid: undefined, ...who });
  expect(undecidedIn(reviewed([gain], known))).toEqual(what);
});

test.each<[string, Partial<Known>, string[]]>([
  ["shows a part", hiding, ["which roles acme/shop/ci has", "who has the role deployer"]],
  ["is not asked", {}, []],
  ["shows all", everything, []],
])("who may have what at the top of the organisation is undecided where the platform %s", (_, known, what) => {
  expect(undecidedIn(reviewed([others, wider], known))).toEqual(what);
});

test("another installation of the same app, and another identity of the same service, are accounts of others", () => {
  const accounts = (installationId: string, name: string) => ({
    parentUid: root,
    name: "accounts",
    github: { appInstallations: { 7: { installations: [{ installationId }] } } },
    chainguard: { serviceBindings: { INGESTER: `${root}/${name}` } },
  });
  const { changes } = reviewed([step("AccountAssociation", "accounts", accounts("1", "one"), accounts("2", "two"))]);
  expect(changes.map(({ effect, holder }) => `${effect} ${holder.account ?? ""}`)).toEqual([
    "gain GitHub app 7, installation 2",
    `gain service INGESTER of the platform, as identity ${root}/two`,
    "loss GitHub app 7, installation 1",
    `loss service INGESTER of the platform, as identity ${root}/one`,
  ]);
});

test("a service acts as the same identity under another name; the change of an account has the URN of the association, not of its group", () => {
  const group = stays("Group", "shop", { parentUid: root, name: "shop" });
  const renamed = step("Identity", "ci", inShop, { ...inShop, name: "new" }, { of: `${root}/shop` });
  const accounts = { parentUid: `${root}/shop`, name: "a", chainguard: { serviceBindings: { INGESTER: `${root}/shop/ci` } } };
  const update = (more: object) => {
    const association = step("AccountAssociation", "shop", accounts, { ...accounts, ...more });
    const { changes } = reviewed([renamed, association, group], rootOnly);
    return changes.map(({ effect, holder, urn }) => [effect, holder.account, urn]);
  };
  const urn = expect.stringMatching(/AccountAssociation::shop$/) as string;
  expect(update({})).toEqual([]);
  expect(update({ amazon: { account: "111111111111" } })).toEqual([["gain", "AWS account 111111111111", urn]]);
  expect(update({ chainguard: undefined })).toEqual([
    ["loss", "service INGESTER of the platform, as identity acme/shop/ci", urn],
  ]);
});

test.each([{}, { email: "eve@example.com" }])("an invite that is renewed lets somebody in again: %j", (more) => {
  const invite = { ...giving("owner"), identityUid: undefined, ttl: "60s", ...more };
  const renewed = step("GroupInvite", "invite", invite, { ...invite }, { op: "replace" });
  const { changes } = reviewed([renewed]);
  expect(changes.map(({ effect, severity, urn }) => [effect, severity, urn])).toEqual([
    ["gain", "critical", renewed.urn],
    ["loss", expect.any(String), renewed.urn],
  ]);
});

test("what others have in an identity provider that the update replaces or deletes is lost with it", () => {
  const oidc = { issuer: "https://sso.acme.example", clientId: "c" };
  const mapping = { identityProviderUid: `${root}/sso`, externalGroupId: "staff", roleUid: roleUid("viewer"), scope: root };
  const known = { objects: [acme, object("ExternalGroupRoleMapping", `${root}/sso/staff`, mapping)] };
  const sso = stays("IdentityProvider", "sso", { parentUid: root, name: "sso", oidc });
  const moved = step(
    "IdentityProvider",
    "sso",
    { parentUid: root, name: "sso", oidc },
    { parentUid: `${root}/shop`, name: "sso", oidc },
    { op: "replace" },
  );
  for (const each of [deleted(sso), moved]) {
    const { changes } = reviewed([each], known);
    expect(changes).toContainEqual(
      expect.objectContaining({ effect: "loss", holder: expect.objectContaining({ externalGroupId: "staff" }) as object }),
    );
  }
});
