import { deleted, giving, identity, root, stays, step, type Step, warningsIn } from "../support/preview-steps";
import { gate } from "../support/review-gate";

// The engine makes no call for a resource whose `deletedWith` names another one that the same update deletes or replaces.

const within = `${root}/shop`;
const shop = stays("Group", "shop", { parentUid: root, name: "shop" });
const eva = stays("Identity", "eva", identity("eva"));
const given = giving("owner", within, `${root}/eva`);
const binding = stays("RoleBinding", "b", given, within);
const members = { parentUid: within, access: { owner: { eva: `${root}/eva` } } };
const bindings = { roleUids: { owner: given.roleUid }, bindings: { owner: { eva: `${within}/b` } } };
const access = step("GroupAccess", "shop", members, members, { outputs: bindings });
const anchor = { urn: "urn:pulumi:a::b::acme:index:Anchor::anchor", type: "acme:index:Anchor", custom: false };
const { urn } = anchor;
const gone = { op: "delete", urn, oldState: anchor };
const stay = (name: string) => [expect.stringMatching(`^${name} stays .*deletedWith`) as string];

test.each<[string, Step, object, string]>([
  ["role binding with deletedWith of a resource that is deleted", binding, gone, "b"],
  ["role binding with deletedWith of one that is replaced", binding, { ...gone, op: "replace", newState: anchor }, "b"],
  ["role binding with deletedWith of one that is deleted for a replacement", binding, { ...gone, op: "delete-replaced" }, "b"],
  ["GroupAccess with deletedWith", access, gone, "shop"],
])("a %s stays: nothing is lost, and a warning says so", async (_how, resource, ending, name) => {
  const { code, document } = await gate([shop, eva, deleted(resource, { deletedWith: urn }), ending]);
  expect([code, document.changes, warningsIn(document)]).toEqual([0, [], stay(name)]);
});

test("a role binding whose deletedWith names a resource that stays is deleted", async () => {
  const { document } = await gate([
    shop,
    eva,
    deleted(binding, { deletedWith: urn }),
    { op: "same", urn, oldState: anchor, newState: anchor },
  ]);
  expect([document.changes.map(({ effect }) => effect), document.warnings]).toEqual([["loss"], []]);
});

test("the role binding that a replacement leaves behind by deletedWith keeps giving access", async () => {
  const moved = step("RoleBinding", "b", given, { ...given, parentUid: root }, { op: "replace", of: within });
  Object.assign(moved.oldState ?? {}, { deletedWith: urn });
  const { document } = await gate([shop, eva, { ...moved, replaceReasons: ["parentUid"] }, gone]);
  expect([document.changes.map(({ effect }) => effect), warningsIn(document)]).toEqual([["gain"], stay("b")]);
});
