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
  reviewed,
  roleUid,
  root,
  stays,
  step,
  type Step,
  undecidedIn,
} from "../support/preview-steps";

// Where a preview can mean several things, a review says so: it never picks one.

const ci = stays("Identity", "ci", identity("ci"));
const ofShop = { parentUid: root, name: "shop" };
const inside = (group: Step, resource: Step) => dependingOn(resource, { parentUid: [group] });
const ownerOf = (group: Step) => inside(group, made("RoleBinding", "new", giving("owner", unknownValue)));

describe("a resource of a kind that this release does not know", () => {
  const policy = { parentUid: root, name: "policy", grants: "owner" };
  const more = { ...policy, grants: "viewer" };

  test.each<[string, object]>([
    ["is created", made("AccessPolicy", "p", policy)],
    ["is changed", step("AccessPolicy", "p", policy, more)],
    [
      "is changed, by the dynamic provider",
      step("AccessPolicy", "p", policy, more, { form: "pulumi-nodejs:dynamic/platform/iam:" }),
    ],
    ["is replaced", step("AccessPolicy", "p", policy, more, { op: "replace" })],
    ["is deleted", deleted(stays("AccessPolicy", "p", policy))],
  ])("is undecided where it %s", (_, shown) => {
    const found = reviewed([ci, shown], { objects: [acme] });
    expect(undecidedIn(found)).toEqual([expect.stringContaining("p")]);
    expect(found.undecided[0]?.reason).toContain("iam:AccessPolicy");
  });

  test("does not matter where it stays", () => {
    expect(reviewed([ci, stays("AccessPolicy", "p", policy)])).toMatchObject({ changes: [], undecided: [], bounds: "exact" });
  });
});

test("a resource that an alias makes of one of another kind is undecided", () => {
  const shown = step("RoleBinding", "b", giving("viewer"), giving("viewer"), { op: "update" });
  for (const type of ["platform:iam:Role", "acme:index:Anything"]) {
    const found = reviewed([ci, { ...shown, oldState: { ...shown.oldState, type } }], { objects: [acme] });
    expect(undecidedIn(found)).toEqual([expect.stringContaining("b")]);
  }
});

test("credentials, which are no object of the platform, change nothing", () => {
  const made = step("RegistryCredentials", "pull", undefined, { registry: "r.example" }, { form: "platform:registry:" });
  expect(reviewed([ci, made])).toMatchObject({ changes: [], undecided: [], bounds: "exact" });
});

describe("a create that may take over one of several objects is undecided", () => {
  const group = made("Group", "made", ofShop);
  const others = ["one", "other"].map((uid) => object("Group", `${root}/${uid}`, { name: "shop" }));

  test("two of others have its name", () => {
    for (const objects of [others, others.toReversed()])
      expect(undecidedIn(reviewed([ci, group, ownerOf(group)], { objects: [acme, ...objects] }))).toEqual([
        expect.stringContaining("made"),
      ]);
  });

  test("one of others has it, and one that the program gives up", () => {
    const old = deleted(stays("Group", "old", ofShop));
    expect(undecidedIn(reviewed([ci, group, old], { objects: [acme, ...others.slice(1)] }))).toEqual([
      expect.stringContaining("made"),
    ]);
  });

  test.each([unknownValue, "[secret]"])("its name is not shown: %s", (name) => {
    const unnamed = made("Group", "made", { parentUid: root, name });
    const shop = object("Group", `${root}/shop`, { name: "shop" });
    expect(undecidedIn(reviewed([ci, unnamed, ownerOf(unnamed)], { objects: [acme, shop] }))).toEqual([
      expect.stringContaining("made"),
    ]);
  });
});

test.each([1, 2, 3])("groups that are in one another in a circle of %i are undecided", (length) => {
  const groups = Array.from({ length }, (_, index) => made("Group", `g${index}`, { parentUid: unknownValue, name: `g${index}` }));
  const circle = groups.map((group, index) => inside(groups[(index + 1) % length] ?? group, group));
  const [first] = circle;
  for (const order of [circle, circle.toReversed()])
    expect(undecidedIn(reviewed([ci, ...order, ...(first ? [ownerOf(first)] : [])], { objects: [acme] }))).not.toEqual([]);
});

describe("a name that the preview does not show may be any, so what is named may be that object", () => {
  const [low, high] = ["CAP_REPO_LIST", "CAP_IAM_ROLE_BINDINGS_CREATE"];
  const role = (name: string, capability: string) => ({ parentUid: root, name, capabilities: [capability] });
  const hidden = ["[secret]", unknownValue];

  test.each(hidden)("a role: %s", (name) => {
    const steps = [
      step("Role", "deployer", role("deployer", low), role("old", low)),
      step("Role", "admin", role("admin", high), role(name, high)),
      made("RoleBinding", "new", { parentUid: root, identityUid: `${root}/ci`, roleName: "deployer" }),
    ];
    const [gain] = reviewed([ci, ...steps], { objects: [acme] }).changes.filter(({ effect }) => effect === "gain");
    expect([gain?.severity, gain?.role.capabilities]).toEqual(["critical", undefined]);
  });

  test.each(hidden)("an identity: %s", (name) => {
    const anybody = { parentUid: root, claimMatch: { issuer, subjectPattern: ".*" } };
    const steps = [
      step("Identity", "ci", identity("ci"), { ...identity("ci"), name: "old" }),
      step("Identity", "open", { ...anybody, name: "open" }, { ...anybody, name }),
      made("RoleBinding", "new", { parentUid: root, identityRef: "acme/ci", roleUid: roleUid("viewer") }),
    ];
    expect(undecidedIn(reviewed(steps, { objects: [acme] }))).toEqual(["the identity of new"]);
  });

  test.each(hidden)("a group, also above what is named: %s", (name) => {
    const steps = [
      step("Group", "shop", ofShop, { parentUid: root, name: "old" }),
      step("Group", "top", { parentUid: root, name: "top" }, { parentUid: root, name }),
      ...["shop", "top"].map((of) => ({
        ...stays("Group", "team", { parentUid: `${root}/${of}`, name: "team" }, `${root}/${of}`),
        urn: `urn:pulumi:a::b::platform:iam:Group::${of}-team`,
      })),
    ];
    for (const parentPath of ["acme/shop", "acme/shop/team"]) {
      const named = made("RoleBinding", "new", { ...giving("owner"), parentUid: undefined, parentPath });
      expect(undecidedIn(reviewed([ci, ...steps, named], { objects: [acme] }))).toEqual(["the place of new"]);
    }
  });
});

test("an identity whose login is in part a secret, and not shown by the platform, may let in anybody", () => {
  const login = { parentUid: root, name: "bot", claimMatch: { issuer, subject: "[secret]" } };
  const steps = [stays("Identity", "bot", login), made("RoleBinding", "new", giving("viewer", root, `${root}/bot`))];
  expect(undecidedIn(reviewed(steps, { objects: [acme] }))).toEqual(["how acme/bot logs in"]);
  const { changes, undecided } = reviewed(steps, {
    objects: [acme, object("Identity", `${root}/bot`, { name: "bot", claimMatch: { issuer, subjectPattern: ".*" } })],
  });
  expect([changes.map(({ severity }) => severity), undecided]).toEqual([["high"], []]);
});

test("what a replacement imports is that object: who gains it gains what is below it", () => {
  const shop = object("Group", `${root}/shop`, { name: "shop" });
  const team = object("Group", `${root}/shop/team`, { name: "team" });
  const group = step("Group", "old", { parentUid: root, name: "old" }, ofShop, { op: "replace" });
  const imports = { ...group, newState: { ...group.newState, importID: shop.uid } };
  const { changes } = reviewed([ci, imports, ownerOf(group)], { objects: [acme, shop, team] });
  expect(changes.map(({ effect, at, reach }) => [effect, at.uid, reach])).toEqual([["gain", shop.uid, 1]]);
});

test("a role of a GroupAccess whose name may mean several is said", () => {
  const role = (name: string, capability: string) => ({ parentUid: root, name, capabilities: [capability] });
  const steps = [
    step("Role", "a", role("dep", "CAP_REPO_LIST"), role("x", "CAP_REPO_LIST")),
    step("Role", "b", role("y", "CAP_REPO_CREATE"), role("dep", "CAP_REPO_CREATE")),
    made("GroupAccess", "access", { parentUid: root, access: { dep: { ci: `${root}/ci` } } }),
  ];
  const { bounds, unknown } = reviewed([ci, ...steps], { objects: [acme] });
  expect([bounds, unknown.map(({ what }) => what)]).toEqual(["lower", expect.arrayContaining(["the role dep of access"])]);
});

test("the built-in role of this platform is meant by the uid beside its name, not the published one of another uid", () => {
  const uid = "7".repeat(40);
  const binding = made("RoleBinding", "new", { parentUid: root, identityUid: `${root}/ci`, roleName: "viewer" });
  Object.assign(binding.newState.inputs, { roleUid: uid });
  const roles = new Map([
    [uid, { name: "viewer", capabilities: ["CAP_REPO_LIST"] }],
    [roleUid("viewer"), { name: "viewer" }],
  ]);
  expect(reviewed([ci, binding], { objects: [acme], roles }).changes).toMatchObject([{ role: { uid, name: "viewer" } }]);
});

test("a name that the state has resolved is undecided where a replacement would resolve it to another role", () => {
  const role = (name: string, capability: string) => ({ parentUid: root, name, capabilities: [capability] });
  const bot = step("Identity", "bot", identity("bot"), { ...identity("bot"), name: "new" }, { op: "replace" });
  const was = { parentUid: root, identityUid: `${root}/bot`, roleName: "dep" };
  const binding = step(
    "RoleBinding",
    "b",
    was,
    { ...was, identityUid: unknownValue },
    { op: "replace", outputs: { roleUid: `${root}/old` } },
  );
  const steps = [
    stays("Role", "old", role("old", "CAP_REPO_LIST")),
    stays("Role", "dep", role("dep", "CAP_IAM_ROLE_BINDINGS_CREATE")),
    bot,
    { ...dependingOn(binding, { identityUid: [bot] }), replaceReasons: ["identityUid"] },
  ];
  expect(undecidedIn(reviewed(steps, { objects: [acme] }))).toEqual(["the role of b"]);
});

test("a login that somebody else has changed since is undecided where the update changes its identity", () => {
  const was = { ...identity("ci"), description: "old" };
  const changed = step("Identity", "ci", was, { ...was, description: "new" });
  const shown = (subject: string) => ({ objects: [object("Identity", `${root}/ci`, { ...was, ...identity("ci", subject) })] });
  expect(undecidedIn(reviewed([changed], shown("other")))).toEqual(["claimMatch of ci"]);
  expect(undecidedIn(reviewed([changed], shown("ci")))).toEqual([]);
});
