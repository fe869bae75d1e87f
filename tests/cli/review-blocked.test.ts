import { type Known, knownOffline } from "../../cli/review/known";
import { reviewOf } from "../../cli/review/review";
import type { InventoryObject } from "../../inventory/objects";
import { object, previewOf, root, stays, step } from "../support/preview-steps";

const offline = knownOffline();
const viewer = [...offline.roles].find(([, { name }]) => name === "viewer")?.[0] ?? "";
const shop = `${root}/shop`;
const seeing = (...objects: InventoryObject[]): Known => ({
  ...offline,
  objects: [object("Group", root, { name: "acme" }), ...objects],
});
const deleted = (kind: string, name: string, inputs: object, of = root) => {
  const { newState: _, ...removed } = step(kind, name, inputs, inputs, { of });
  return { ...removed, op: "delete" };
};
const group = (more: object = {}) => deleted("Group", "shop", { parentUid: root, name: "shop", ...more });
const ci = { parentUid: shop, name: "ci", claimMatch: { issuer: "https://sso.example.com", subject: "ci" } };
const bound = { parentUid: shop, identityUid: `${root}/zoe`, roleUid: viewer };
const zoe = object("Identity", `${root}/zoe`, { name: "zoe" });
const repo = { ...object("Repo", `${shop}/images`, { name: "images" }), kind: "registry:Repo" };

test.each([
  ["what others made in it", [group()], [object("Identity", `${shop}/ci`, ci)], "identity acme/shop/ci (of others)"],
  [
    "a role binding of others",
    [group()],
    [zoe, object("RoleBinding", `${shop}/b`, bound)],
    "role binding of acme/zoe as viewer (of others)",
  ],
  ["a repo", [group()], [repo], "repo acme/shop/images (of others)"],
  ["a repo, also with forceDestroy", [group({ forceDestroy: true })], [repo], "repo acme/shop/images (of others)"],
  [
    "what the program keeps",
    [group(), stays("Identity", "ci", ci, shop)],
    [object("Identity", `${shop}/ci`, ci)],
    "identity acme/shop/ci (of this program)",
  ],
] as const)("the platform refuses to delete a group because of %s", (_, steps, objects, words) => {
  const { warnings } = reviewOf(previewOf(...steps), seeing(object("Group", shop, { name: "shop" }), ...objects));
  expect(warnings).toMatchObject([{ urn: expect.stringContaining("Group::shop") as string }]);
  expect(warnings[0]?.message).toMatch(
    /^the platform will refuse to delete group acme\/shop: the update leaves .*stops half-way there\. Delete or move it first/,
  );
  expect(warnings[0]?.message).toContain(words);
});

test.each([
  ["goes with it", [group(), deleted("Identity", "ci", ci, shop)]],
  ["is deleted with it by forceDestroy", [group({ forceDestroy: true })]],
])("a group is deleted where what is in it %s", (_, steps) => {
  const shown = [object("Group", shop, { name: "shop" }), object("Identity", `${shop}/ci`, ci)];
  expect(reviewOf(previewOf(...steps), seeing(...shown)).warnings).toEqual([]);
});

test("a group that only the preview replaces, because its place is written as a path, is not deleted", () => {
  const [was, is] = [
    { parentUid: root, name: "shop" },
    { parentPath: "acme", name: "shop" },
  ];
  const replaced = { ...step("Group", "shop", was, is, { op: "replace" }), replaceReasons: ["parentPath"] };
  const shown = [object("Group", shop, { name: "shop" }), object("Identity", `${shop}/ci`, ci)];
  expect(reviewOf(previewOf(replaced), seeing(...shown)).warnings).toEqual([]);
});

test.each([
  ["deletes", "delete", 0],
  ["keeps, as it does by default", undefined, 1],
])("a repo that its own resource %s", (_, deletionPolicy, count) => {
  const state = { parentUid: shop, name: "images", ...(deletionPolicy && { deletionPolicy }) };
  const { newState: _none, ...removed } = step("Repo", "images", state, state, { of: shop, form: "platform:registry:" });
  const steps = [group(), { ...removed, op: "delete" }];
  const { warnings } = reviewOf(previewOf(...steps), seeing(object("Group", shop, { name: "shop" }), repo));
  expect(warnings).toHaveLength(count);
});

test("an identity and a role that others have bound are not deleted either", () => {
  const puller = { parentUid: root, name: "puller", capabilities: ["CAP_REPO_LIST"] };
  const binding = object("RoleBinding", `${root}/b`, { identityUid: `${shop}/ci`, roleUid: `${root}/puller` });
  const shown = [
    object("Group", shop, { name: "shop" }),
    object("Identity", `${shop}/ci`, ci),
    object("Role", `${root}/puller`, puller),
  ];
  const steps = [deleted("Identity", "ci", ci, shop), deleted("Role", "puller", puller)];
  const { warnings } = reviewOf(previewOf(...steps), seeing(...shown, binding));
  expect(warnings.map(({ message }) => message.slice(0, 65))).toEqual([
    "the platform will refuse to delete identity acme/shop/ci: the upd",
    "the platform will refuse to delete role acme/puller: the update l",
  ]);
});
