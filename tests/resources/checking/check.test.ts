import { duplicates } from "../../../provider/resources/object/duplicates";
import { check } from "../../../provider/resources/object/check";
import { unknownValue } from "../../../provider/schema/inputs";
import { type Inputs, naturalKeyOf, type Kind } from "../../../provider/schema/kind";
import { Ledger } from "../../../provider/resources/ledger/ledger";
import { group, identity, roleBinding } from "../../support/resource-fixture";

const parentUid = "0123456789abcdef0123456789abcdef01234567/0123456789abcdef";
const claimMatch = { issuer: "https://issuer.example", subject: "ci" };
const valid = {
  group: { parentUid, name: "team" },
  identity: { parentUid, name: "ci", claimMatch },
  roleBinding: { parentUid, identityUid: `${parentUid}/fedcba9876543210`, roleUid: "0123456789abcdef0123456789abcdef01234567" },
};

const checked = (kind: Kind, news: Inputs, organization?: string) => check({ kind, olds: {}, news }, { organization });
const refused = (kind: Kind, news: Inputs) => checked(kind, news).failures.map(({ property }) => property);

const good: [string, Kind, Inputs][] = [
  ["a group", group, valid.group],
  ["an identity", identity, valid.identity],
  ["a role binding", roleBinding, valid.roleBinding],
  ...["team", "a", "a b", "a.b_c-d", " ", "0", "x".repeat(500)].map((name): [string, Kind, Inputs] => [
    `a group called "${name.slice(0, 9)}"`,
    group,
    { parentUid, name },
  ]),
  ...["ci", " ", "constructor", "__proto__"].map((name): [string, Kind, Inputs] => [
    `an identity called "${name}"`,
    identity,
    { ...valid.identity, name },
  ]),
  ...["a", "platform", "A.b_c-d", "a/b/c", "...", "a..b", "0123/ABCD"].map((uid): [string, Kind, Inputs] => [
    `the uid ${uid}`,
    roleBinding,
    { parentUid: uid, identityUid: uid, roleUid: uid },
  ]),
  ...[
    "https://a.example",
    "https://a.example/x/y",
    "https://[::1]",
    "http://localhost",
    "http://localhost:4010/issuer",
    "http://127.0.0.1",
    "http://127.1.2.3:1",
    "http://[::1]:4010",
    "HTTPS://A.EXAMPLE",
  ].map((issuer): [string, Kind, Inputs] => [
    `the issuer ${issuer}`,
    identity,
    { ...valid.identity, claimMatch: { ...claimMatch, issuer } },
  ]),
  ["no description", group, { ...valid.group, description: undefined }],
  ["a null description", group, { ...valid.group, description: null }],
  ["an empty description", group, { ...valid.group, description: "" }],
  ["a long description", group, { ...valid.group, description: "é ".repeat(256) }],
  ["a subject of any text", identity, { ...valid.identity, claimMatch: { ...claimMatch, subject: "repo:a/b:ref:*" } }],
  ["adopt", group, { ...valid.group, adopt: true }],
];

test.each(good)("%s passes", (_what, kind, news) => {
  expect(checked(kind, news).failures).toEqual([]);
});

const badUids = [
  "",
  "/",
  "a/",
  "/a",
  "a//b",
  ".",
  "..",
  "a/../b",
  "a/.",
  "a b",
  "a\n",
  "ä",
  "a?b",
  "a#b",
  "a%2Fb",
  "a\\b",
  "\u0000",
  " a",
];
const control = ["\n", "\t", "\r", "\u0000", "\u001b", "\u007f", "\u0085"];

const bad: [string, Kind, Inputs, string[]][] = [
  ...badUids.map((uid): [string, Kind, Inputs, string[]] => [
    `the uid ${JSON.stringify(uid)}`,
    roleBinding,
    { parentUid: uid, identityUid: uid, roleUid: uid },
    ["parentUid", "identityUid", "roleUid"],
  ]),
  ...["", "Team", "a/b", "é", "a\n", "a\u00a0b", "🦊", "a\tb"].map((name): [string, Kind, Inputs, string[]] => [
    `a group called ${JSON.stringify(name)}`,
    group,
    { parentUid, name },
    ["name"],
  ]),
  ...control.map((character): [string, Kind, Inputs, string[]] => [
    `the control character ${JSON.stringify(character)}`,
    identity,
    { parentUid, name: `a${character}b`, description: character, claimMatch: { ...claimMatch, subject: `s${character}` } },
    ["name", "description", "claimMatch.subject"],
  ]),
  ...[
    "",
    "issuer.example",
    "http://issuer.example",
    "http://localhost.example",
    "http://127.0.0.1.example",
    "http://[::2]",
    "ftp://issuer.example",
    "javascript:alert(1)",
    "https://",
    "https:// a.example",
    " https://a.example",
    "https://a.example\n",
    "//a.example",
    "https://a.example@b.example",
    "https://a.example?tenant=b",
    "https://a.example#b",
  ].map((issuer): [string, Kind, Inputs, string[]] => [
    `the issuer ${JSON.stringify(issuer)}`,
    identity,
    { ...valid.identity, claimMatch: { ...claimMatch, issuer } },
    ["claimMatch.issuer"],
  ]),
  ["an empty subject", identity, { ...valid.identity, claimMatch: { ...claimMatch, subject: "" } }, ["claimMatch.subject"]],
  ["no claim match", identity, { parentUid, name: "ci" }, ["claimMatch"]],
  ["a claim match that is text", identity, { ...valid.identity, claimMatch: "any" }, ["claimMatch"]],
  ["a claim match that is a list", identity, { ...valid.identity, claimMatch: [] }, ["claimMatch"]],
  ["nothing for a group", group, {}, ["parentUid", "name"]],
  ["nothing for an identity", identity, {}, ["parentUid", "name", "claimMatch"]],
  ["nothing for a role binding", roleBinding, {}, ["parentUid", "identityUid", "roleUid"]],
  ["null for all", roleBinding, { parentUid: null, identityUid: null, roleUid: null }, ["parentUid", "identityUid", "roleUid"]],
  ["values of another type", group, { parentUid: 1, name: ["a"], description: {} }, ["parentUid", "name", "description"]],
  ["a description of 513 characters", group, { ...valid.group, description: "é".repeat(513) }, ["description"]],
  ...["Team", "a/b", "é", "🦊"].map((name): [string, Kind, Inputs, string[]] => [
    `an identity called ${JSON.stringify(name)}`,
    identity,
    { ...valid.identity, name },
    ["name"],
  ]),
  ["adopt of another type", group, { ...valid.group, adopt: "yes" }, ["adopt"]],
];

test.each(bad)("%s is refused, each input by its name", (_what, kind, news, properties) => {
  const { failures, inputs } = checked(kind, news);
  expect([...new Set(failures.map(({ property }) => property))]).toEqual(properties);
  for (const { property, reason } of failures) expect(reason).toContain(property);
  expect(inputs).not.toHaveProperty("adopt");
});

test("every failure is reported at once", () => {
  const news = {
    parentUid: "",
    name: "Team",
    descripton: "x",
    description: "\n",
    adopt: 1,
    claimMatch: { issuer: "x", sub: "" },
  };
  expect(refused(identity, news).sort()).toEqual(
    [
      "adopt",
      "claimMatch.issuer",
      "claimMatch.sub",
      "claimMatch.subject",
      "description",
      "descripton",
      "name",
      "parentUid",
    ].sort(),
  );
});

const misspelt: [Kind, Inputs, string, string][] = [
  [
    group,
    { ...valid.group, descripton: "x" },
    "descripton",
    '"descripton" is not an argument of group; did you mean "description"?',
  ],
  [group, { ...valid.group, parent: "x" }, "parent", '"parentUid"'],
  [group, { ...valid.group, Adopt: true }, "Adopt", '"adopt"'],
  [roleBinding, { ...valid.roleBinding, role: "x" }, "role", '"roleUid"'],
  [identity, { ...valid.identity, claimmatch: {} }, "claimmatch", '"claimMatch"'],
  [
    identity,
    { ...valid.identity, claimMatch: { ...claimMatch, subjet: "x" } },
    "claimMatch.subjet",
    '"subjet" is not an argument of identity claimMatch; did you mean "subject"?',
  ],
  [
    identity,
    { ...valid.identity, claimMatch: { ...claimMatch, subjectPatern: ".*" } },
    "claimMatch.subjectPatern",
    '"subjectPattern"',
  ],
  ...["constructor", "toString", "hasOwnProperty"].map((name): [Kind, Inputs, string, string] => [
    group,
    { ...valid.group, [name]: "x" },
    name,
    "is not an argument of group",
  ]),
];

test.each(misspelt)("%#: an undeclared argument is rejected, with the nearest name", (kind, news, property, reason) => {
  const { failures } = checked(kind, news);
  expect(failures).toHaveLength(1);
  expect(failures[0]?.property).toBe(property);
  expect(failures[0]?.reason).toContain(reason);
});

test("a prototype in the arguments never replaces an argument", () => {
  const own = JSON.parse(`{ "parentUid": "a", "name": "b", "__proto__": { "description": "inherited" } }`) as Inputs;
  expect(refused(group, own)).toEqual(["__proto__"]);
  const inherited = Object.assign(Object.create({ name: "inherited", parentUid: "inherited" }) as Inputs, { description: "own" });
  expect(refused(group, inherited)).toEqual(["parentUid", "name"]);
  const nested = { ...valid.identity, claimMatch: Object.create(claimMatch) as unknown };
  expect(refused(identity, nested)).toEqual(["claimMatch.issuer", "claimMatch.subject"]);
});

const unknowns: [string, Kind, Inputs][] = [
  ["the parent of a group", group, { ...valid.group, parentUid: unknownValue }],
  ["the name of a group", group, { ...valid.group, name: unknownValue }],
  [
    "every input of a group",
    group,
    { parentUid: unknownValue, name: unknownValue, description: unknownValue, adopt: unknownValue },
  ],
  ["a whole claim match", identity, { ...valid.identity, claimMatch: unknownValue }],
  ["an issuer", identity, { ...valid.identity, claimMatch: { ...claimMatch, issuer: unknownValue } }],
  ["issuer and subject", identity, { ...valid.identity, claimMatch: { issuer: unknownValue, subject: unknownValue } }],
  ["every input of a binding", roleBinding, { parentUid: unknownValue, identityUid: unknownValue, roleUid: unknownValue }],
];

test.each(unknowns)("%s that is not known yet passes", (_what, kind, news) => {
  const { adopt: _, ...expected } = news;
  expect(checked(kind, news)).toEqual({ inputs: expected, failures: [] });
});

test("known values are checked beside unknown ones", () => {
  expect(refused(identity, { parentUid: unknownValue, name: "", claimMatch: { issuer: unknownValue, subject: "" } })).toEqual([
    "name",
    "claimMatch.subject",
  ]);
  expect(refused(group, { parentUid: unknownValue, name: "a", other: unknownValue })).toEqual(["other"]);
});

test("inputs come back in canonical form, without adopt", () => {
  expect(checked(group, { ...valid.group, description: "", adopt: true }).inputs).toEqual(valid.group);
  expect(checked(group, { description: null, ...valid.group, adopt: null }).inputs).toEqual(valid.group);
  expect(checked(identity, { adopt: false, ...valid.identity }).inputs).toEqual(valid.identity);
});

test.each([
  [true, [true, true]],
  [false, [false, false]],
  [undefined, [true, false]],
  [null, [true, false]],
  [unknownValue, [true, false]],
])("adopt %p is remembered for the create, under the natural key: with the defaults true and false, %p", (adopt, remembered) => {
  const key = naturalKeyOf(group, valid.group) ?? "";
  const adopts = [true, false].map((adoptByDefault) => {
    const ledger = new Ledger({ adoptByDefault });
    duplicates({ kind: group, olds: {}, news: valid.group }, adopt, { ledger });
    return ledger.declarations.has(key) && ledger.declarations.adopts(key);
  });
  expect(adopts).toEqual(remembered);
});

test("of inputs with an unknown key, nothing is remembered", () => {
  const ledger = new Ledger();
  const declare = jest.spyOn(ledger.declarations, "check");
  duplicates({ kind: group, olds: {}, news: { ...valid.group, parentUid: unknownValue } }, true, { ledger });
  expect(declare).not.toHaveBeenCalled();
});

describe("where the uids of the platform are known to have its own form", () => {
  const root = parentUid.slice(0, 40);
  test.each<[string, Kind, Inputs, string | undefined, string[]]>([
    ["the name of a group", group, { parentUid: "engineering", name: "team" }, root, ["parentUid"]],
    ["the path of a group", group, { parentUid: "acme/engineering", name: "team" }, root, ["parentUid"]],
    ["the name of an identity", roleBinding, { ...valid.roleBinding, identityUid: "ci" }, undefined, ["identityUid"]],
    ["the name of a built-in role", roleBinding, { ...valid.roleBinding, roleUid: "viewer" }, undefined, ["roleUid"]],
  ])("%s is rejected instead of a uid", (_what, kind, news, organization, properties) => {
    expect(checked(kind, news, organization).failures.map(({ property }) => property)).toEqual(properties);
  });

  test.each<[string, Inputs]>([
    ["a role with a flat uid of another form", { ...valid.roleBinding, roleUid: "role-7" }],
    ["children with uids of another form", { ...valid.roleBinding, parentUid: `${root}/g1`, identityUid: `${root}/g1/i.2` }],
    ["an unknown value", { ...valid.roleBinding, identityUid: unknownValue }],
  ])("%s passes", (_what, news) => {
    expect(checked(roleBinding, news, root).failures).toEqual([]);
  });
});

test("without such evidence any text can be a uid", () => {
  expect(checked(roleBinding, { parentUid: "acme", identityUid: "ci", roleUid: "viewer" }, "acme").failures).toEqual([]);
});

test("an issuer is not quoted, because it may contain a password", () => {
  const issuer = "https://user:hunter2hunter2@issuer.example";
  const { failures } = checked(identity, { ...valid.identity, claimMatch: { ...claimMatch, issuer } });
  expect(failures.map(({ property }) => property)).toEqual(["claimMatch.issuer"]);
  expect(JSON.stringify(failures)).not.toContain("hunter2");
});

describe("a value that is in state already, under an older rule", () => {
  const old = { ...valid.identity, name: "Main Pipeline", description: "x".repeat(600) };
  const failing = (olds: Inputs, news: Inputs) =>
    check({ kind: identity, olds, news }, { organization: undefined }).failures.map(({ property }) => property);

  test("passes as long as it stays", () => {
    expect(failing(old, old)).toEqual([]);
    expect(failing(old, { ...old, claimMatch: { ...claimMatch, subject: "other" } })).toEqual([]);
    const claims = { claimMatch: { issuer: "https://issuer.example?tenant=1", subject: "ci" } };
    expect(failing({ ...old, ...claims }, { ...old, ...claims, description: "Short" })).toEqual([]);
  });

  test("is rejected where it changes", () => {
    expect(failing(old, { ...old, name: "Other Pipeline" })).toEqual(["name"]);
    expect(failing(old, { ...old, description: "y".repeat(600) })).toEqual(["description"]);
  });

  test("is rejected for a new object, so also for the second check of a replacement", () => {
    expect(failing({}, old)).toEqual(["name", "description"]);
  });

  test.each<[string, Inputs]>([
    ["an empty parent", { ...valid.identity, parentUid: "" }],
    ["a missing subject", { ...valid.identity, claimMatch: { issuer: claimMatch.issuer } }],
    ["a value of another type", { ...valid.identity, name: 7 }],
    ["an undeclared argument", { ...valid.identity, nmae: "ci" }],
    ["an undeclared member", { ...valid.identity, claimMatch: { ...claimMatch, subjectPatern: "x" } }],
  ])("excuses nothing else: %s is rejected although state holds it", (_what, inputs) => {
    expect(failing(inputs, inputs)).toHaveLength(1);
  });
});
