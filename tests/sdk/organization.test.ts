import * as pulumi from "@pulumi/pulumi";
import * as platform from "../../sdk";
import { Organization } from "../../sdk";
import { declaredBy, type Registered } from "./components";
import { refusalOf, settled } from "./support";

const claimMatch = { issuer: "https://gitlab.com", subject: "project_path:acme/shop:ref_type:branch:ref:main" };
const ci = { claimMatch };
const root = "0123456789abcdef0123456789abcdef01234567";
const uid = `${root}/0123456789abcdef`;

const construct = (groups: unknown, more: object = {}, opts?: pulumi.ComponentResourceOptions) =>
  new Organization("acme", { parentUid: root, groups, ...more } as never, opts);

const bindingsIn = (registered: Registered[]) =>
  registered.filter(({ type }) => type === "RoleBinding").map(({ name, inputs }) => [name, inputs]);

test("a tree is groups, identities and bindings, named by the component and their keys", async () => {
  const registered = await declaredBy(() =>
    construct({
      engineering: {
        description: "Everyone who builds",
        access: { viewer: ["acme/engineering/shop/ci"] },
        groups: { shop: { name: "storefront", identities: { ci }, access: { editor: ["ci"] } } },
      },
    }),
  );
  const names = registered.map(({ type, name }) => `${type} ${name}`);
  expect(names.sort()).toEqual([
    "Group acme/engineering",
    "Group acme/engineering/shop",
    "Identity acme/engineering/shop/ci",
    "Organization acme",
    "RoleBinding acme/engineering/shop:editor:engineering/shop/ci",
    "RoleBinding acme/engineering:viewer:engineering/shop/ci",
  ]);
  const inputsOf = (name: string) => registered.find((each) => each.name === name)?.inputs;
  expect(inputsOf("acme/engineering")).toEqual({ name: "engineering", description: "Everyone who builds", parentUid: root });
  expect(inputsOf("acme/engineering/shop")).toEqual({ name: "storefront", parentUid: "uid-of-acme/engineering" });
  expect(inputsOf("acme/engineering/shop/ci")).toEqual({ name: "ci", parentUid: "uid-of-acme/engineering/shop", claimMatch });
  expect(inputsOf("acme/engineering:viewer:engineering/shop/ci")).toEqual({
    parentUid: "uid-of-acme/engineering",
    identityUid: "uid-of-acme/engineering/shop/ci",
    roleName: "viewer",
  });
});

test("a role of the program is passed by its uid, and others by name", async () => {
  const access = { deployer: ["ci"], viewer: ["ci"] };
  const roles = { deployer: pulumi.output("uid-of-deployer") };
  const registered = await declaredBy(() => construct({}, { identities: { ci }, access, roles }));
  expect(bindingsIn(registered)).toEqual([
    ["acme:deployer:ci", { parentUid: root, identityUid: "uid-of-acme/ci", roleUid: "uid-of-deployer" }],
    ["acme:viewer:ci", { parentUid: root, identityUid: "uid-of-acme/ci", roleName: "viewer" }],
  ]);
  expect(refusalOf(() => construct({}, { roles: { deployer: "" } }))).toContain("roles.deployer");
});

test("the group at the top has identities and access too", async () => {
  const registered = await declaredBy(() => construct({}, { identities: { ci }, access: { owner: ["ci", uid] } }));
  expect(bindingsIn(registered)).toEqual([
    [`acme:owner:/${uid}`, expect.objectContaining({ parentUid: root, identityUid: uid })],
    ["acme:owner:ci", expect.objectContaining({ parentUid: root, identityUid: "uid-of-acme/ci" })],
  ]);
});

test("a path outside the tree and a person's login are references that the platform resolves", async () => {
  const person = { issuer: "https://accounts.google.com", subject: "1234567890" };
  const viewer = ["acme/security/scanner", "acme/organization-admin", person];
  const registered = await declaredBy(() => construct({ eng: { access: { viewer } } }));
  expect(bindingsIn(registered)).toEqual([
    ["acme/eng:viewer:/acme/organization-admin", expect.objectContaining({ identityRef: "acme/organization-admin" })],
    [
      "acme/eng:viewer:/acme/security/scanner",
      { parentUid: "uid-of-acme/eng", identityRef: "acme/security/scanner", roleName: "viewer" },
    ],
    ["acme/eng:viewer:/https%3A//accounts.google.com 1234567890", expect.objectContaining({ identityRef: person })],
  ]);
});

test("a login of an identity of the tree is that identity: a changed login keeps the name of the binding", async () => {
  const { issuer, subject } = claimMatch;
  const registered = await declaredBy(() =>
    construct({ eng: { identities: { ci }, access: { viewer: [{ issuer, subject }] } } }),
  );
  expect(bindingsIn(registered)).toEqual([
    ["acme/eng:viewer:eng/ci", expect.objectContaining({ identityUid: "uid-of-acme/eng/ci" })],
  ]);
});

test("a path of the platform that may be an identity of the tree is looked up when that exists", async () => {
  const waits = new Map<string, unknown>();
  const transformation: pulumi.ResourceTransformation = ({ name, opts }) => {
    waits.set(name, opts.dependsOn);
    return undefined;
  };
  let acme: Organization | undefined;
  await declaredBy(() => {
    const groups = {
      eng: {
        name: "engineering",
        identities: { ci: { ...ci, name: "builder" } },
        access: { viewer: ["acme.example/engineering/builder"] },
      },
    };
    acme = construct(groups, {}, { transformations: [transformation] });
  });
  const dependsOn = waits.get("acme/eng:viewer:/acme.example/engineering/builder") as pulumi.Output<unknown>;
  expect((await settled(dependsOn)).value).toEqual([acme?.identities["acme/eng/ci"]]);
});

test("roles and identities with colons cannot give two bindings one name", async () => {
  const access = { a: [uid], "a:b": [uid], "a%3Ab": [uid], "a:": [uid] };
  const registered = await declaredBy(() => construct({ eng: { access } }));
  const names = registered.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  expect(names).toContain(`acme/eng:a%3Ab:/${uid}`);
});

test("groups and identities are outputs by their paths", async () => {
  let acme: Organization | undefined;
  await declaredBy(() => (acme = construct({ eng: { identities: { ci } } })));
  expect(Object.keys(acme?.groups ?? {})).toEqual(["acme/eng"]);
  expect(Object.keys(acme?.identities ?? {})).toEqual(["acme/eng/ci"]);
  expect(acme?.groups["acme/eng"]).toBeInstanceOf(platform.Group);
  expect(acme?.identities["acme/eng/ci"]).toBeInstanceOf(platform.Identity);
  expect((await settled(acme?.identities["acme/eng/ci"]?.uid ?? pulumi.output(""))).value).toBe("uid-of-acme/eng/ci");
});

test("outputs may be arguments, wherever a name does not follow from them", async () => {
  const registered = await declaredBy(() =>
    construct(
      { eng: { description: pulumi.output("later"), identities: { ci: { claimMatch: pulumi.output(claimMatch) } } } },
      { parentUid: pulumi.output(root) },
    ),
  );
  expect(registered.map(({ inputs }) => inputs)).toEqual(
    expect.arrayContaining([
      { name: "eng", description: "later", parentUid: root },
      { name: "ci", claimMatch, parentUid: "uid-of-acme/eng" },
    ]),
  );
});

test("provider, protect, dependsOn and transformations of the component reach everything in it; so do those of a subclass", async () => {
  class Mine extends Organization {
    constructor(name: string, opts: pulumi.ComponentResourceOptions) {
      super(name, { parentUid: root, groups: { eng: { identities: { ci }, access: { viewer: ["ci"] } } } }, opts);
    }
  }
  const seen = new Map<string, pulumi.CustomResourceOptions>();
  let other: platform.Provider | undefined;
  let role: platform.Role | undefined;
  let mine: Mine | undefined;
  await declaredBy(() => {
    other = new platform.Provider("other", { baseUrl: "https://api.example.com" });
    role = new platform.Role("puller", { parentUid: root, capabilities: ["CAP_REPO_LIST"] });
    const transformation: pulumi.ResourceTransformation = ({ name, opts }) => {
      seen.set(name, opts);
      return undefined;
    };
    mine = new Mine("acme", { provider: other, protect: true, dependsOn: role, transformations: [transformation] });
  });
  const children = [...seen].filter(([name]) => name !== "acme");
  expect(children.map(([name]) => name)).toEqual(["acme/eng", "acme/eng/ci", "acme/eng:viewer:eng/ci"]);
  for (const [, opts] of children) {
    expect(opts.parent).toBe(mine);
    expect(opts.dependsOn).toBe(role);
  }
  const internals = (resource: unknown) => resource as { __prov?: pulumi.ProviderResource; __protect?: boolean };
  expect(internals(mine?.groups["acme/eng"]).__prov).toBe(other);
  expect(internals(mine?.identities["acme/eng/ci"]).__protect).toBe(true);
});

test("a name that is an output is never made text, which PULUMI_ERROR_OUTPUT_STRING makes an error", async () => {
  const named = (name: string) => {
    const toString = () => {
      throw new Error("an output was made text");
    };
    return Object.assign(pulumi.output(name), { toString });
  };
  const eng = { name: named("eng"), identities: { ci: { name: named("ci"), claimMatch } }, groups: { shop: {} } };
  const registered = await declaredBy(() => construct({ eng, ops: { access: { viewer: ["root/eng/ci"] } } }));
  expect(registered.map(({ name }) => name)).toContain("acme/ops:viewer:/root/eng/ci");
});

test("isInstance is true for this component only, also for one of another copy of the package", async () => {
  let [acme, other]: [unknown, unknown] = [undefined, undefined];
  await declaredBy(() => {
    acme = construct({});
    other = new pulumi.ComponentResource("a:b:C", "c");
  });
  const own = [acme, { __pulumiType: "platform:iam:Organization" }];
  expect([...own, other, null, undefined, {}].filter((each) => Organization.isInstance(each))).toEqual(own);
});

/** Trees of one group `e`. */
const e = (entry: unknown) => ({ e: entry });
const viewers = (...viewer: unknown[]) => e({ identities: { ci }, access: { viewer } });
const matching = (claims: object) => e({ identities: { ci: { claimMatch: claims } } });
const twins = { a: { identities: { ci } }, b: { identities: { ci }, access: { viewer: [claimMatch] } } };
const nested = e({ identities: { ci }, groups: { s: { identities: { ci }, access: { viewer: ["ci"] } } } });

/** The problem of a tree, its place, the tree, and the texts that the message must name, such as the way out. */
const refused: [string, unknown, object, ...string[]][] = [
  ["no tree and no file", undefined, {}, 'Organization "acme": ', "groups and file."],
  ["a tree and a file", {}, { file: "acme.yaml" }, "not groups and file."],
  ["access beside a file", undefined, { file: "acme.yaml", access: {} }, '"access" is not an argument'],
  ["no parent", {}, { parentUid: undefined }, "parentUid is required."],
  ["an empty parent", {}, { parentUid: "" }, "parentUid must not be empty."],
  ["an unknown argument", {}, { gruops: {} }, '"gruops" is not an argument', 'did you mean "groups"?'],
  ["an unknown key of a group", e({ acess: {} }), {}, 'groups.e: "acess" ', 'did you mean "access"?'],
  ["a parent of an entry", e({ parentUid: root }), {}, 'groups.e: "parentUid" is not a key'],
  ["a key with a slash", { "a/b": {} }, {}, 'groups["a/b"]: the key "a/b" '],
  ["a key that is no name, with a name", { Shop: { name: "shop" } }, {}, 'groups.Shop: the key "Shop" '],
  ["a name of a group", e({ name: "Eng" }), {}, 'groups.e: name "Eng" '],
  ["two groups of one name", { a: { name: "b" }, b: {} }, {}, 'groups.b: has the name "b", and so has "a"'],
  ["a group that is a list", e([]), {}, "groups.e: must be an object"],
  ["groups that are an output", pulumi.output({}), {}, "groups: is an output"],
  ["an identity that is an output", e({ identities: { ci: pulumi.output(ci) } }), {}, "groups.e.identities.ci: is an output"],
  ["no form", e({ identities: { ci: {} } }), {}, "claimMatch, staticKeys, awsIdentity and servicePrincipal must be set"],
  ["an unknown claim", matching({ ...claimMatch, audiense: "a" }), {}, 'did you mean "audience"?'],
  ["a pattern", matching({ issuer: "https://a.example", subjectPattern: "(" }), {}, "not a regular expression"],
  ["a pattern for anybody", matching({ issuer: "https://a.example", subjectPattern: ".*" }), {}, "lets in anybody"],
  ["a function", e({ description: () => "x" }), {}, "groups.e: description must be a string"],
  ["access that is a list", e({ access: ["ci"] }), {}, "groups.e.access: must be an object"],
  ["one identity, not a list", e({ identities: { ci }, access: { viewer: "ci" } }), {}, "groups.e.access.viewer: must be a list"],
  ["an empty role", e({ access: { "": [] } }), {}, "groups.e.access: ", "role must not be empty"],
  ["a number as identity", viewers(7), {}, '"acme/shop/ci", or { issuer, subject }'],
  ["an output as identity", viewers(pulumi.output("ci")), {}, "Declare a RoleBinding"],
  ["an empty identity", viewers(""), {}, 'an identity "" '],
  ["an unknown identity", viewers("cj"), {}, 'identity "cj"', 'did you mean "ci"?'],
  ["nobody at all", e({ access: { viewer: ["ci"] } }), {}, "Declare it, ", '"acme/engineering/ci"'],
  ["an identity below", e({ access: { viewer: ["ci"] }, groups: { s: { identities: { ci } } } }), {}, 'its path: "acme/e/s/ci"'],
  ["an unknown path", viewers("acme/e/cj"), {}, '"acme/e" declares no identity "cj"', 'did you mean "acme/e/ci"?'],
  [
    "a path without the top",
    viewers("e/ci"),
    {},
    'begin with "acme"',
    'did you mean "acme/e/ci"?',
    'another "e/ci", write its uid',
  ],
  ["a path with an empty segment", viewers("acme//ci"), {}, 'an identity "acme//ci" '],
  ["a member twice", viewers("ci", "ci"), {}, '"ci" is in the list twice'],
  ["a member twice, in two forms", viewers("ci", "acme/e/ci"), {}, '"acme/e/ci" is in the list twice: as "ci" too'],
  ["a login that two identities have", twins, {}, '"acme/a/ci" or "acme/b/ci"', "Write the path"],
  ["an identity that two groups declare", nested, {}, '"acme/e/ci" or "acme/e/s/ci"', "Write the path"],
];

test.each(refused)("%s is rejected before anything is declared", async (_, groups, more, ...parts) => {
  let text = "";
  expect(await declaredBy(() => (text = refusalOf(() => construct(groups, more))))).toEqual([]);
  for (const part of parts) expect(text).toContain(part);
});

test("a tree that contains itself is refused", () => {
  const eng: Record<string, unknown> = {};
  eng["groups"] = { eng };
  expect(refusalOf(() => construct({ eng }))).toContain("groups.eng.groups.eng: contains itself");
});

test("everything that is wrong is reported at once, up to 50 problems", () => {
  const many = Object.fromEntries(Array.from({ length: 60 }, (_, index) => [`g${index}`, { descripton: "x" }]));
  const message = refusalOf(() => construct(many));
  expect(message).toContain('Organization "acme" has 60 problems. Nothing was declared.');
  expect(message.split("\n")).toHaveLength(52);
  expect(message).toMatch(/\n {2}and 10 more\.$/);
});
