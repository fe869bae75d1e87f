import fc from "fast-check";
import { diff } from "../../provider/resources/object/diff";
import { unknownValue } from "../../provider/schema/inputs";
import { type Inputs, naturalKeyOf, type Kind } from "../../provider/schema/kind";
import { Ledger } from "../../provider/resources/ledger/ledger";
import { group, identity, roleBinding } from "../support/resource-fixture";

const claimMatch = { issuer: "https://issuer.example", subject: "ci" };
const base = {
  group: { parentUid: "a/b", name: "team", description: "d" },
  identity: { parentUid: "a/b", name: "ci", description: "d", claimMatch },
  roleBinding: { parentUid: "a/b", identityUid: "a/i", roleUid: "r" },
};

function diffed(kind: Kind, olds: Inputs, news: Inputs) {
  const ledger = new Ledger();
  ledger.declarations.check(naturalKeyOf(kind, news) ?? "", { old: null });
  return { ...diff({ kind, uid: "a/b/c", olds, news }, { ledger }), claimed: ledger.keyOf(kind, "a/b/c") };
}

const inPlace: [string, Kind, Inputs, Inputs][] = [
  ["the name of a group", group, base.group, { name: "other" }],
  ["the description of a group", group, base.group, { description: "other" }],
  ["a removed description", group, base.group, { description: undefined }],
  ["an issuer", identity, base.identity, { claimMatch: { ...claimMatch, issuer: "https://other.example" } }],
  ["the identity of a binding", roleBinding, base.roleBinding, { identityUid: "a/j" }],
  ["the role of a binding", roleBinding, base.roleBinding, { roleUid: "s" }],
  ["an unknown description", group, base.group, { description: unknownValue }],
  ["an unknown claim match", identity, base.identity, { claimMatch: unknownValue }],
  ["an unknown subject", identity, base.identity, { claimMatch: { ...claimMatch, subject: unknownValue } }],
];

test.each(inPlace)("%s changes in place", (_what, kind, olds, change) => {
  expect(diffed(kind, olds, { ...olds, ...change })).toMatchObject({ changes: true, replaces: [] });
});

test.each([
  ["another parent", "a/z"],
  ["an unknown parent", unknownValue],
])("%s replaces the object, and the old one is not claimed", (_what, parentUid) => {
  for (const [kind, olds] of [
    [group, base.group],
    [identity, base.identity],
    [roleBinding, base.roleBinding],
  ] as [Kind, Inputs][]) {
    const result = diffed(kind, olds, { ...olds, parentUid, name: olds["name"] && "renamed" });
    expect(result).toEqual({ changes: true, replaces: ["parentUid"], deleteBeforeReplace: false, claimed: undefined });
  }
});

const { group: team, identity: ci, roleBinding: binding } = base;
const same: [string, Kind, Inputs, Inputs][] = [
  ["empty and null", group, { ...team, description: "" }, { ...team, description: null }],
  ["absent and empty", group, { ...team, description: undefined }, { ...team, description: "" }],
  ["what the platform fills in and nothing", group, { ...team, createTime: "2026-01-01T00:00:00Z" }, team],
  ["members in another order", identity, ci, { ...ci, claimMatch: { subject: "ci", issuer: "https://issuer.example" } }],
  [
    "empty members of a claim match and none",
    identity,
    { ...ci, claimMatch: { ...claimMatch, audience: "", claims: {}, claimPatterns: null } },
    ci,
  ],
  ["the names of what is bound and nothing", roleBinding, { ...binding, identity: { name: "x" }, role: { name: "z" } }, binding],
];

test.each(same)("%s are no change, and the object is claimed for its key", (_what, kind, olds, news) => {
  const { claimed, ...result } = diffed(kind, olds, news);
  expect(result).toEqual({ changes: false, replaces: [], deleteBeforeReplace: false });
  expect(claimed).toBe(naturalKeyOf(kind, news));
});

test.each([
  ["subjectPattern", ".*"],
  ["issuerPattern", ".*"],
  ["audience", "elsewhere"],
  ["claims", { team: "x" }],
  ["claimPatterns", { team: ".*" }],
  ["memberOfTomorrow", [1]],
])("a claim match with a %s added by hand is a change", (member, value) => {
  const olds = { ...base.identity, claimMatch: { ...claimMatch, [member]: value } };
  expect(diffed(identity, olds, base.identity)).toMatchObject({ changes: true, replaces: [] });
});

test.each(["identityUid", "roleUid"])(
  "a reference that blocks its target's deletion replaces the object while it is unknown, so that the target can be replaced: %s",
  (name) => {
    const result = diffed(roleBinding, base.roleBinding, { ...base.roleBinding, [name]: unknownValue });
    expect(result).toMatchObject({ changes: true, replaces: [name], deleteBeforeReplace: false });
  },
);

test.each(["identityUid", "roleUid"])("once the binding is checked, an unknown reference changes it in place: %s", (name) => {
  const ledger = new Ledger();
  ledger.declarations.checkedFrom(naturalKeyOf(roleBinding, base.roleBinding));
  const operation = { kind: roleBinding, uid: "a/b/c", olds: base.roleBinding };
  const result = diff({ ...operation, news: { ...base.roleBinding, [name]: unknownValue } }, { ledger });
  expect(result).toEqual({ changes: true, replaces: [], deleteBeforeReplace: false });
});

const text = fc.string({ unit: "binary" });
/** As the engine's protocol carries it. */
const copy = (inputs: Inputs) => JSON.parse(JSON.stringify(inputs)) as Inputs;
const json = fc.jsonValue();
const anyInputs = fc.record(
  {
    parentUid: text,
    name: text,
    description: fc.option(text),
    identityUid: text,
    roleUid: text,
    claimMatch: fc.dictionary(text, json),
    stranger: json,
  },
  { requiredKeys: [] },
);

test.each([
  ["group", group],
  ["identity", identity],
  ["role binding", roleBinding],
] as [string, Kind][])("a %s never differs from itself, whatever its values", (_noun, kind) => {
  fc.assert(
    fc.property(anyInputs, (inputs) => {
      expect(diffed(kind, copy(inputs), copy(inputs))).toMatchObject({ changes: false, replaces: [] });
    }),
    { seed: 20_261_121, numRuns: 300 },
  );
});
