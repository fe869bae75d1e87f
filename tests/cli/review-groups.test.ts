import { knownOffline } from "../../cli/review/known";
import { type Review, reviewOf } from "../../cli/review/review";
import type { InventoryObject } from "../../inventory/objects";
import { unknownValue } from "../../provider/kinds/inputs";
import { previewOf, root, stays, step } from "../support/preview-steps";

const offline = knownOffline();
const uidOf = (role: string) => [...offline.roles].find(([, { name }]) => name === role)?.[0] ?? "";
const [owner, viewer] = ["owner", "viewer"].map(uidOf);

/** What others have on the platform. */
const object = (kind: string, uid: string, value: object): InventoryObject => ({
  kind: `iam:${kind}`,
  uid,
  place: uid.split("/").slice(0, -1).join("/"),
  value: { ...value },
});
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
