import type { Review } from "../../cli/review/review";
import { unknownValue } from "../../provider/schema/inputs";
import {
  acme,
  dependingOn,
  giving,
  identity,
  made,
  object,
  reviewed,
  root,
  stays,
  step,
  type Step,
  undecidedIn,
  warningsIn,
} from "../support/preview-steps";

/** Others' objects on the platform. */
const shop = object("Group", `${root}/shop`, { name: "shop" });
const team = object("Group", `${root}/shop/team`, { name: "team" });
const given = (role: string, place: string) => object("RoleBinding", `${place}/b`, giving(role, place));
const ci = stays("Identity", "ci", identity("ci"));
const ofShop = { parentUid: root, name: "shop" };

const words = ({ changes }: Review) =>
  changes.map(({ effect, severity, role, groups }) => [effect, severity, role.name, ...groups].join(" "));
const inside = (group: Step, resource: Step) => dependingOn(resource, { parentUid: [group] });
/** Who owns a group that the preview only knows as a resource. */
const ownerOf = (group: Step) => inside(group, made("RoleBinding", "new", giving("owner", unknownValue)));
const moves = (name: string, was: string, is: string) =>
  step("Group", name, { parentUid: was, name }, { parentUid: is, name }, { op: "replace" });

test("the path of a new group's place is not that of a group that moves into it and has the same last name: that inherits", () => {
  const place = made("Group", "made", { parentPath: "acme/shop", parentUid: shop.uid, name: "team" });
  const moved = step("Group", "moved", ofShop, { ...ofShop, parentUid: unknownValue }, { op: "replace" });
  const found = reviewed([ci, place, inside(place, moved)], { objects: [acme, shop, given("owner", shop.uid)] });
  expect(words(found)).toEqual([`gain high owner ${root}/shop/platform:iam:Group::made/platform:iam:Group::moved`]);
});

test("1,500 new groups of one name, each of which has a path that another one may have, are no endless search", () => {
  const groups = Array.from({ length: 1_500 }, (_, index) =>
    made("Group", `g${index}`, { parentPath: `acme/a${index}/x`, name: "x" }),
  );
  expect(reviewed(groups, { objects: [acme] }).unknown).toHaveLength(1_500);
});

test("a group of others that a create takes over is that group: a gain in it counts below it too, and what was there stays", () => {
  const adopted = made("Group", "shop", ofShop);
  const found = reviewed([ci, adopted, ownerOf(adopted)], { objects: [acme, shop, team, given("viewer", shop.uid)] });
  expect(words(found)).toEqual([`gain high owner ${shop.uid} ${team.uid}`]);
});

test("what moves with a group that moves onto one of others is undecided", () => {
  const moved = moves("team", root, shop.uid);
  const below = inside(moved, moves("pay", `${root}/team`, unknownValue));
  const mallory = object("Identity", `${team.uid}/m`, identity("m"));
  const binding = object("RoleBinding", `${team.uid}/b`, giving("owner", team.uid, mallory.uid));
  const found = reviewed([moved, below], { objects: [acme, shop, team, mallory, binding] });
  expect(undecidedIn(found)).toEqual(["the place of pay"]);
});

/** A replacement as the preview shows it, for these inputs. */
const replaced = (reasons: readonly string[], shown: Step, more: object = {}) => {
  Object.assign(shown.oldState ?? {}, more);
  return { ...shown, replaceReasons: reasons };
};

test("a group that the preview replaces because its path has no uid may stay: it is undecided, with all that is in it", () => {
  const group = step("Group", "shop", ofShop, { parentPath: "acme", name: "shop" }, { op: "replace" });
  const place = { op: "replace", of: shop.uid };
  const [was, is] = [shop.uid, unknownValue].map((parentUid) => ({ parentUid, name: "a" }));
  const referring = replaced(["parentUid"], inside(group, step("Group", "group", was, is ?? {}, place)));
  const plain = stays("Group", "b", { parentUid: shop.uid, name: "b" }, shop.uid);
  const found = reviewed([ci, replaced(["parentPath"], group), referring, plain, ownerOf(group)], { objects: [acme] });
  expect(undecidedIn(found)).toEqual(["the place of shop", "the place of group", "the place of new"]);
});

describe("with retainOnDelete", () => {
  const was = giving("owner", shop.uid);
  const retained = (reasons: readonly string[], is: object, ...others: readonly Step[]) => {
    const shown = step("RoleBinding", "b", was, is, { op: "replace", of: shop.uid });
    const binding = replaced(reasons, dependingOn(shown, { identityUid: others }), { retainOnDelete: true });
    return reviewed([ci, stays("Group", "shop", ofShop), ...others, binding], { objects: [acme] });
  };

  test("whether a path without a uid replaces it is undecided", () => {
    const found = retained(["parentPath"], { ...giving("viewer"), parentUid: undefined, parentPath: "acme/shop" });
    expect(undecidedIn(found)).toEqual(["whether the old b stays (retainOnDelete)", "the place of b"]);
  });

  // Another text for the place may mean the same group.
  test.each([[["identityUid"]], [["identityUid", "parentPath"]]])("what may be one is undecided: for %j", (reasons) => {
    const [one, other] = ["one", "other"].map((name) => made("Identity", name, identity(name))) as [Step, Step];
    const place = reasons.includes("parentPath") ? { parentUid: undefined, parentPath: "acme/shop" } : {};
    const { undecided } = retained(reasons, { ...was, identityUid: unknownValue, ...place }, one, other);
    expect(undecided).toContainEqual({
      what: expect.stringMatching(/ b .*retainOnDelete/) as string,
      reason: expect.any(String) as string,
    });
  });

  test("another place replaces it, whatever the other references mean", () => {
    const found = retained(["parentUid", "roleUid"], { ...was, parentUid: team.uid, roleUid: unknownValue });
    expect(warningsIn(found)).toEqual([expect.stringMatching(/^b stays .*retainOnDelete/)]);
  });
});

/** An object that the update imports: the preview has its uid as `importID` alone. */
function imported(kind: string, name: string, inputs: object) {
  const { newState, urn } = made(kind, name, inputs);
  return { op: "import", urn, newState: { ...newState, id: undefined, importID: `${root}/${name}` } };
}

test("what an update imports as it is changes nothing, and is what references by path mean", () => {
  const bot = imported("Identity", "bot", identity("bot"));
  const bound = imported("RoleBinding", "b", giving("owner", root, `${root}/bot`));
  expect(reviewed([bot, bound])).toMatchObject({ changes: [], bounds: "exact" });
  const byPath = made("RoleBinding", "new", { ...giving("owner"), identityUid: `${root}/bot`, identityRef: "acme/bot" });
  const found = reviewed([bot, byPath], { objects: [acme, object("Identity", `${root}/bot`, identity("bot"))] });
  expect(found).toMatchObject({ changes: [{ effect: "gain", holder: { path: "acme/bot" } }], undecided: [] });
});

test("an import with the update that follows it is one object, which gains and loses by the update", () => {
  const [was, is] = [giving("viewer"), giving("owner")];
  const steps = [ci, imported("RoleBinding", "b", is), step("RoleBinding", "b", was, is)];
  expect(words(reviewed(steps, { objects: [acme, given("viewer", root)] }))).toEqual([
    `gain critical owner ${root}`,
    `loss info viewer ${root}`,
  ]);
});
