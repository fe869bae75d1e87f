import { accessKey, groupAccess, membersIn } from "../../provider/kinds/group-access";
import { unknownValue } from "../../provider/schema/inputs";
import { changedInputs, declaredInputs, type Inputs } from "../../provider/schema/kind";
import { check } from "../../provider/resources/object/check";
import { Ledger } from "../../provider/resources/ledger/ledger";

const hex = "0123456789abcdef0123456789abcdef01234567";
const [group, zoe, max] = [`${hex}/0123456789abcdef`, `${hex}/aaaaaaaaaaaaaaaa`, `${hex}/bbbbbbbbbbbbbbbb`];

function failuresOf(inputs: Inputs): string[] {
  const run = { ledger: new Ledger(), organization: hex };
  return check({ kind: groupAccess, olds: {}, news: { parentUid: group, ...inputs } }, run).failures.map(
    ({ property, reason }) => `${property}: ${reason}`,
  );
}

test.each<[string, Inputs]>([
  ["nobody", { access: {} }],
  ["a role without members", { access: { owner: {} } }],
  ["an identity with two roles", { access: { owner: { zoe }, viewer: { zoe } } }],
  ["any label", { access: { owner: { "Zoë, on call": zoe, zoe__: max } } }],
  ["a role by its uid", { access: { [`${hex}/cccccccccccccccc`]: { zoe } } }],
  ["nobody in a managed role", { access: {}, roles: ["owner"] }],
  ["unknown uids", { access: { owner: { zoe: unknownValue, max: unknownValue } } }],
  ["unknown members", { access: { owner: unknownValue } }],
  ["an unknown access", { access: unknownValue }],
  ["unknown roles", { access: { owner: { zoe } }, roles: unknownValue }],
  ["a role among unknown ones", { access: { owner: { zoe } }, roles: [unknownValue] }],
  ["unknown exempt identities", { access: { owner: { zoe } }, exempt: { identityUids: [unknownValue] } }],
])("declares %s", (_what, inputs) => {
  expect(failuresOf(inputs)).toEqual([]);
});

test.each<[string, Inputs, RegExp]>([
  ["no access", {}, /^access: access is required/],
  ["an identity twice in a role", { access: { owner: { zoe, other: zoe } } }, /^access\.owner\.other: .*already, as "zoe"/],
  [
    "a role that is not managed",
    { access: { viewer: { zoe } }, roles: ["owner"] },
    /^access\.viewer: .*not one of the managed roles/,
  ],
  ["an exempt member", { access: { owner: { zoe } }, exempt: { identityUids: [zoe] } }, /^access\.owner\.zoe: .*`exempt`/],
  ["an empty label", { access: { owner: { "": zoe } } }, /label "" must not be empty/],
  ["an empty role", { access: { "": { zoe } } }, /role "" must not be empty/],
  ["a label with a line break", { access: { owner: { "a\nb": zoe } } }, /control characters/],
  ["a name as a uid", { access: { owner: { zoe: "zoe" } } }, /^access\.owner\.zoe: .*not its name/],
  ["an empty uid", { access: { owner: { zoe: "" } } }, /^access\.owner\.zoe: .*must not be empty/],
  ["a list of members", { access: { owner: [zoe] } }, /must be an object/],
  ["a uid instead of members", { access: { owner: zoe } }, /must be an object/],
  ["no managed role at all", { access: {}, roles: [] }, /^roles: .*must not be empty/],
  ["an exempt role", { access: { owner: { zoe } }, exempt: { roles: ["owner"] } }, /^access\.owner: .*`exempt`/],
  ["a label that previews hide", { access: { owner: { __zoe: zoe } } }, /^access\.owner\.__zoe: .*previews do not show/],
  ["a role that previews hide", { access: { __owner: { zoe } } }, /^access\.__owner: .*previews do not show/],
  ["a misspelt argument", { access: {}, exmpt: {} }, /did you mean "exempt"/],
  ["a misspelt exemption", { access: {}, exempt: { identities: [zoe] } }, /is not an argument/],
  ["adopt that is no flag", { access: {}, adopt: "yes" }, /adopt must be true or false/],
])("rejects %s", (_what, inputs, expected) => {
  expect(failuresOf(inputs).join("\n")).toMatch(expected);
});

test("an unknown argument is one problem, with each argument once", () => {
  expect(failuresOf({ access: {}, members: {} })).toEqual([
    'members: "members" is not an argument of group access; the arguments are "parentUid", "parentPath", "access", "others", "roles", "exempt" and "adopt".',
  ]);
});

test("an unknown argument of a member is one problem, which names it", () => {
  expect(failuresOf({ access: { owner: { zoe: { identity: zoe } } } })).toEqual([
    'access.owner.zoe: access.owner.zoe has an unknown member "identity"',
  ]);
});

test("a member `__proto__` is a member", () => {
  const access = { owner: JSON.parse(`{ "__proto__": "${zoe}" }`) as object };
  expect(membersIn(declaredInputs(groupAccess, { access })["access"])).toEqual([
    { role: "owner", label: "__proto__", identityUid: zoe },
  ]);
});

test("a role without members, and the order of roles and labels, are no difference", () => {
  const before = { parentUid: group, access: { owner: { zoe, max } }, roles: ["a", "b"] };
  const after = { parentUid: group, access: { viewer: {}, owner: { max, zoe } }, roles: ["b", "a"] };
  expect(changedInputs(groupAccess, before, after)).toEqual([]);
  expect(changedInputs(groupAccess, { access: {} }, { access: { owner: {} } })).toEqual([]);
  expect(changedInputs(groupAccess, before, { ...after, access: { owner: { max, zoe: max } } })).toEqual(["access"]);
});

test("the key is the group and the managed roles, once they are known", () => {
  const key = accessKey({ parentUid: group, roles: ["b", "a"] });
  expect(key).toBe(accessKey({ parentUid: group, roles: ["a", "b"] }));
  expect(new Set([key, accessKey({ parentUid: group }), accessKey({ parentUid: hex }), undefined]).size).toBe(4);
  for (const unknown of [
    { parentUid: unknownValue },
    { parentUid: group, roles: [unknownValue] },
    { parentUid: group, roles: unknownValue },
  ])
    expect(accessKey(unknown)).toBeUndefined();
});
