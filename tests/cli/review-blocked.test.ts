import { unknownValue } from "../../provider/schema/inputs";
import {
  acme,
  deleted,
  dependingOn,
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
import { gate, review } from "../support/review-gate";

const shop = `${root}/shop`;
const shown = object("Group", shop, { name: "shop" });
const group = (more: object = {}, options: object = {}) =>
  deleted(stays("Group", "shop", { parentUid: root, name: "shop", ...more }), options);
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
/** The repo, which moves to another group: the old one stays. */
const moved = (): Step => {
  const inputs = { parentUid: shop, name: "images" };
  const options = { of: shop, form: "platform:registry:", op: "replace" };
  return step("Repo", "images", inputs, { ...inputs, parentUid: root }, options);
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

const places = [{ parentUid: root }, { parentPath: "acme", parentUid: root }].map((place) => ({ ...place, name: "shop" }));
const rewritten = step("Group", "shop", places[0], places[1] ?? {});

test.each([
  ["what is in it goes with it", [group(), deleted(stays("Identity", "ci", machine, shop))], ci],
  ["forceDestroy deletes what is in it", [group({ forceDestroy: true })], ci],
  ["the resource of the repo in it deletes that", [group(), deleted(image({ deletionPolicy: "delete" }))], repo],
  ["it stays, with its place written as a path", [rewritten], ci],
])("the platform does not refuse to delete a group where %s", (_, steps, content) => {
  expect(reviewed(steps, { objects: [acme, shown, content] }).warnings).toEqual([]);
});

test("a binding that follows its replaced identity in place does not keep the old one from being deleted", () => {
  const place = `${root}/two`;
  const identityStep = step("Identity", "ci", machine, { ...machine, parentUid: place }, { of: shop, op: "replace" });
  const inputs = giving("viewer", root, `${shop}/ci`);
  const bindingStep = (identityUid: string) =>
    dependingOn(step("RoleBinding", "b", inputs, { ...inputs, identityUid }, { of: root }), { identityUid: [identityStep] });
  const objects = [acme, shown, ci, object("RoleBinding", `${root}/b`, inputs)];
  const moved = { ...identityStep, replaceReasons: ["parentUid"] };
  const refused = (steps: object[]) => warningsIn(reviewed(steps, { objects })).filter((each) => each.includes("will refuse"));
  expect(refused([moved, bindingStep(unknownValue)])).toEqual([]);
  expect(refused([moved, stays("RoleBinding", "b", inputs)])).toHaveLength(1);
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

describe("an update that certainly fails at a deletion, after it has removed access", () => {
  const kept = [group(), deleted(image({}))];

  test.each<[string, object[], Parameters<typeof reviewed>[1], boolean]>([
    ["a repo that the program lets go", kept, { objects: [acme, shown, repo] }, true],
    ["the same, by the preview alone", kept, {}, true],
    ["one that the platform provably lacks", kept, { objects: [acme, shown], isGone: () => true }, false],
    ["a repo of others", [group()], { objects: [acme, shown, repo] }, true],
    ["a repo of others, with forceDestroy", [group({ forceDestroy: true })], { objects: [acme, shown, repo] }, true],
    ["a repo with retainOnDelete", [group(), deleted(image({ deletionPolicy: "delete" }), { retainOnDelete: true })], {}, true],
    ["a repo that moves, and stays behind", [group(), moved()], { objects: [acme, shown, repo] }, true],
    ["a repo that is deleted with it", [group(), deleted(image({ deletionPolicy: "delete" }))], {}, false],
    ["a group that stays", [stays("Group", "shop", { parentUid: root, name: "shop" }), deleted(image({}))], {}, false],
    ["a group with retainOnDelete", [group({}, { retainOnDelete: true }), deleted(image({}))], {}, false],
  ])("is told: %s", (_what, steps, known, isCertain) => {
    expect(reviewed(steps, known).warnings.map(({ failsUpdate }) => failsUpdate)).toEqual(isCertain ? [true] : []);
  });

  test("fails every gate, at any severity, and says why; without a gate it is a warning", async () => {
    for (const least of ["critical", "any"]) {
      const ended = await gate(kept, "--fail-on", least);
      expect(ended).toMatchObject({ code: 7, document: { warnings: [{ failsUpdate: true }] } });
      expect(ended.stderr).toMatch(/will fail half-way:\n- the platform will refuse to delete group .*repo .*images/);
    }
    expect(await review(kept)).toMatchObject({ code: 0, stdout: expect.stringContaining("refuse to delete") as string });
  });

  test("names only ways out that work", () => {
    const way = (steps: object[], ...objects: Parameters<typeof object>[]) =>
      warningsIn(reviewed(steps, { objects: [acme, shown, ...objects.map((each) => object(...each))] }))[0];
    const others: Parameters<typeof object> = ["Identity", `${shop}/eve`, { name: "eve" }];
    const nested: Parameters<typeof object>[] = [["Group", `${shop}/a`, { name: "a" }]];
    expect(way([group()], others)).toContain("forceDestroy");
    expect(way([group()], ...nested)).toContain("forceDestroy");
    expect(way(kept)).not.toContain("forceDestroy");
    expect(way(kept)).toContain('`deletionPolicy: "delete"` in an `up` before');
    const inside = reviewed([group()], {
      objects: [
        acme,
        shown,
        object("Group", `${shop}/a`, { name: "a" }),
        { ...repo, uid: `${shop}/a/images`, place: `${shop}/a` },
      ],
    });
    expect(warningsIn(inside)[0]).not.toContain("forceDestroy");
  });
});
