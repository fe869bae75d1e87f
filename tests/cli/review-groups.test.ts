import { knownOffline } from "../../cli/review/known";
import { type Review, reviewOf } from "../../cli/review/review";
import type { InventoryObject } from "../../inventory/objects";
import { unknownValue } from "../../provider/kinds/inputs";
import { object, previewOf, root, stays, step } from "../support/preview-steps";

const offline = knownOffline();
const uidOf = (role: string) => [...offline.roles].find(([, { name }]) => name === role)?.[0] ?? "";
const [owner, viewer] = ["owner", "viewer"].map(uidOf);

/** What others have on the platform. */
const acme = object("Group", root, { name: "acme" });
const shop = object("Group", `${root}/shop`, { name: "shop" });
const team = object("Group", `${root}/shop/team`, { name: "team" });
const gives = (parentUid: string, roleUid = "") =>
  object("RoleBinding", `${parentUid}/b`, { parentUid, identityUid: `${root}/ci`, roleUid });
const ci = stays("Identity", "ci", { parentUid: root, name: "ci", claimMatch: { issuer: "https://gitlab.com", subject: "ci" } });

const review = (objects: readonly InventoryObject[], ...steps: object[]): Review =>
  reviewOf(previewOf(...steps), { ...offline, objects });
const words = ({ changes }: Review) =>
  changes.map(({ effect, severity, role, groups }) => [effect, severity, role.name, ...groups].join(" "));

/** A resource in a group whose uid is not known yet. */
function inside(group: { urn: string }, resource: ReturnType<typeof step>) {
  Object.assign(resource.newState, { propertyDependencies: { parentUid: [group.urn] } });
  return resource;
}

test("the path of a new group's place is not that of a group that moves into it and has the same last name: that inherits", () => {
  const made = step("Group", "made", undefined, { parentPath: "acme/shop", name: "team" });
  const was = { parentUid: root, name: "shop" };
  const moved = inside(made, step("Group", "moved", was, { ...was, parentUid: unknownValue }, { op: "replace" }));
  expect(words(review([acme, shop, gives(shop.uid, owner)], ci, made, moved))).toEqual([
    `gain high owner ${root}/shop/(new iam:Group made)/(new iam:Group moved)`,
  ]);
});

test("1,500 new groups of one name, each of which has a path that another one may have, are no endless search", () => {
  const made = Array.from({ length: 1_500 }, (_, index) =>
    step("Group", `g${index}`, undefined, { parentPath: `acme/a${index}/x`, name: "x" }),
  );
  expect(review([acme], ...made).unknown).toHaveLength(1_500);
});

test("a group of others that a create takes over is that group: a gain in it counts below it too, and what was there stays", () => {
  const adopted = step("Group", "shop", undefined, { parentUid: root, name: "shop" });
  const bound = { parentUid: unknownValue, identityUid: `${root}/ci`, roleUid: owner };
  const binding = inside(adopted, step("RoleBinding", "new", undefined, bound));
  expect(words(review([acme, shop, team, gives(shop.uid, viewer)], ci, adopted, binding))).toEqual([
    `gain high owner ${shop.uid} ${team.uid}`,
  ]);
});

test("a group that moves onto one of others is that group: who has access there gains what moves with it", () => {
  const moved = step(
    "Group",
    "team",
    { parentUid: root, name: "team" },
    { parentUid: shop.uid, name: "team" },
    { op: "replace" },
  );
  const [was, is] = [`${root}/team`, unknownValue].map((parentUid) => ({ parentUid, name: "pay" }));
  const below = step("Group", "pay", was, is ?? {}, { op: "replace" });
  const mallory = object("Identity", `${team.uid}/m`, { name: "m", claimMatch: { issuer: "https://gitlab.com", subject: "m" } });
  const binding = object("RoleBinding", `${team.uid}/b`, { parentUid: team.uid, identityUid: mallory.uid, roleUid: owner });
  const found = review([acme, shop, team, mallory, binding], moved, inside(moved, below));
  expect(words(found)).toEqual([`gain high owner ${team.uid}/(new iam:Group pay)`]);
});

/** A step that the preview shows as a replacement, for these inputs. */
const replaced = (reason: string, kind: string, was: object, is: object, more: object = {}) => {
  const shown = step(kind, kind.toLowerCase(), was, is, { op: "replace", of: shop.uid });
  Object.assign(shown.oldState ?? {}, more);
  return { ...shown, replaceReasons: [reason] };
};

test("a group whose place is written as its path is still that group, with all that is in it", () => {
  const place = { parentUid: root, name: "shop" };
  const group = step("Group", "shop", place, { parentPath: "acme", name: "shop" }, { op: "replace" });
  const referring = replaced("parentUid", "Group", { parentUid: shop.uid, name: "a" }, { parentUid: unknownValue, name: "a" });
  const plain = stays("Group", "b", { parentUid: shop.uid, name: "b" }, shop.uid);
  const bound = { parentUid: unknownValue, identityUid: `${root}/ci`, roleUid: owner };
  const binding = inside(group, step("RoleBinding", "new", undefined, bound));
  const shown = [{ ...group, replaceReasons: ["parentPath"] }, inside(group, referring), plain, binding];
  const found = review([acme], ci, ...shown);
  expect(words(found)).toEqual([`gain high owner ${shop.uid} ${shop.uid}/b ${shop.uid}/group`]);
  expect([...found.undecided, ...found.warnings]).toEqual([]);
});

test("with retainOnDelete, what is no replacement leaves nothing behind, and what may be one is undecided", () => {
  const group = stays("Group", "shop", { parentUid: root, name: "shop" });
  const was = { parentUid: shop.uid, identityUid: `${root}/ci`, roleUid: owner };
  const retained = { retainOnDelete: true };
  const inPlace = { parentPath: "acme/shop", identityUid: `${root}/ci`, roleUid: viewer };
  const changed = review([acme], ci, group, replaced("parentPath", "RoleBinding", was, inPlace, retained));
  expect(words(changed)).toEqual([`loss critical owner ${shop.uid}`, `gain info viewer ${shop.uid}`]);
  const other = step("Identity", "other", undefined, { parentUid: root, name: "other" });
  const rebound = replaced("identityUid", "RoleBinding", was, { ...was, identityUid: unknownValue }, retained);
  Object.assign(rebound.newState, { propertyDependencies: { identityUid: [other.urn] } });
  // Another text for the place may mean the same group.
  for (const reasons of [["identityUid"], ["identityUid", "parentPath"]])
    expect(review([acme], ci, group, other, { ...rebound, replaceReasons: reasons }).undecided).toContainEqual({
      what: "whether the old rolebinding stays (retainOnDelete)",
      reason: "the update may change it in place",
    });
  // Another place replaces it, whatever the other references mean.
  const elsewhere = replaced("parentUid", "RoleBinding", was, { ...was, parentUid: team.uid, roleUid: unknownValue }, retained);
  const found = review([acme], ci, group, { ...elsewhere, replaceReasons: ["parentUid", "roleUid"] });
  expect(found.warnings.map(({ message }) => message)).toEqual([
    "rolebinding stays on the platform (retainOnDelete), with all its access",
  ]);
});

/** An object that the update imports: the preview has its uid as `importID` alone. */
function imported(kind: string, name: string, inputs: object) {
  const { newState, urn } = step(kind, name, undefined, inputs);
  return { op: "import", urn, newState: { ...newState, id: undefined, importID: `${root}/${name}` } };
}

test("what an update imports as it is changes nothing, and is what references by path mean", () => {
  const bot = { parentUid: root, name: "bot", claimMatch: { issuer: "https://gitlab.com", subject: "bot" } };
  const bound = imported("RoleBinding", "b", { parentUid: root, identityUid: `${root}/bot`, roleUid: owner });
  expect(review([], imported("Identity", "bot", bot), bound)).toMatchObject({ changes: [], bounds: "exact" });
  const byPath = step("RoleBinding", "new", undefined, { parentUid: root, identityRef: "acme/bot", roleUid: owner });
  const found = review([acme, object("Identity", `${root}/bot`, bot)], imported("Identity", "bot", bot), byPath);
  expect(found).toMatchObject({ changes: [{ effect: "gain", holder: { path: "acme/bot" } }], undecided: [] });
});

test("an import with the update that follows it is one object, which gains and loses by the update", () => {
  const was = { parentUid: root, identityUid: `${root}/ci`, roleUid: viewer };
  const is = { ...was, roleUid: owner };
  const found = review([acme, gives(root, viewer)], ci, imported("RoleBinding", "b", is), step("RoleBinding", "b", was, is));
  expect(words(found)).toEqual([`gain critical owner ${root}`, `loss info viewer ${root}`]);
});
