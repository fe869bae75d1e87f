import {
  acme,
  deleted,
  giving,
  identity,
  object,
  reviewed,
  root,
  stays,
  step,
  type Step,
  warningsIn,
} from "../support/preview-steps";

const shop = `${root}/shop`;
const shown = object("Group", shop, { name: "shop" });
const group = (more: object = {}) => deleted(stays("Group", "shop", { parentUid: root, name: "shop", ...more }));
const machine = { ...identity("ci"), parentUid: shop };
const ci = object("Identity", `${shop}/ci`, machine);
const repo = { ...object("Repo", `${shop}/images`, { name: "images" }), kind: "registry:Repo" };
const others = [
  object("Identity", `${root}/zoe`, { name: "zoe" }),
  object("RoleBinding", `${shop}/b`, giving("viewer", shop, `${root}/zoe`)),
];
const image = (policy: object): Step => {
  const inputs = { parentUid: shop, name: "images", ...policy };
  return step("Repo", "images", inputs, inputs, { of: shop, form: "platform:registry:" });
};

test.each([
  ["what others made in it", [group()], [ci], "identity acme/shop/ci (of others)"],
  ["a role binding of others", [group()], others, "role binding of acme/zoe as viewer (of others)"],
  ["a repo", [group()], [repo], "repo acme/shop/images (of others)"],
  ["a repo, also with forceDestroy", [group({ forceDestroy: true })], [repo], "repo acme/shop/images (of others)"],
  ["what the program keeps", [group(), stays("Identity", "ci", machine, shop)], [ci], "identity acme/shop/ci (of this program)"],
  ["a repo whose resource keeps it by default", [group(), deleted(image({}))], [repo], "repo acme/shop/images"],
])("the platform refuses to delete a group because of %s", (_, steps, objects, blocker) => {
  const { warnings } = reviewed(steps, { objects: [acme, shown, ...objects] });
  expect(warnings).toMatchObject([{ urn: expect.stringContaining("Group::shop") as string }]);
  expect(warnings[0]?.message).toContain("refuse to delete group acme/shop");
  expect(warnings[0]?.message).toContain(blocker);
});

const places = [{ parentUid: root }, { parentPath: "acme" }].map((place) => ({ ...place, name: "shop" }));
const rewritten = { ...step("Group", "shop", places[0], places[1] ?? {}, { op: "replace" }), replaceReasons: ["parentPath"] };

test.each([
  ["what is in it goes with it", [group(), deleted(stays("Identity", "ci", machine, shop))], ci],
  ["forceDestroy deletes what is in it", [group({ forceDestroy: true })], ci],
  ["the resource of the repo in it deletes that", [group(), deleted(image({ deletionPolicy: "delete" }))], repo],
  ["only the preview replaces it, because its place is written as a path", [rewritten], ci],
])("the platform does not refuse to delete a group where %s", (_, steps, content) => {
  expect(reviewed(steps, { objects: [acme, shown, content] }).warnings).toEqual([]);
});

test("an identity and a role that others have bound are not deleted either", () => {
  const puller = { parentUid: root, name: "puller", capabilities: ["CAP_REPO_LIST"] };
  const binding = object("RoleBinding", `${root}/b`, { identityUid: `${shop}/ci`, roleUid: `${root}/puller` });
  const objects = [acme, shown, ci, object("Role", `${root}/puller`, puller), binding];
  const steps = [deleted(stays("Identity", "ci", machine, shop)), deleted(stays("Role", "puller", puller))];
  expect(warningsIn(reviewed(steps, { objects }))).toEqual([
    expect.stringContaining("identity acme/shop/ci"),
    expect.stringContaining("role acme/puller"),
  ]);
});
