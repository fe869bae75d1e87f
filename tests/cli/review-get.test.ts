import { knownOffline } from "../../cli/review/known";
import { type Review, reviewOf } from "../../cli/review/review";
import type { InventoryObject } from "../../inventory/objects";
import { unknownValue } from "../../provider/kinds/inputs";
import { object, previewOf, root, stays, step } from "../support/preview-steps";

const offline = knownOffline();
const owner = [...offline.roles].find(([, { name }]) => name === "owner")?.[0] ?? "";
const ci = stays("Identity", "ci", { parentUid: root, name: "ci", claimMatch: { issuer: "https://gitlab.com", subject: "ci" } });
const owns = (place: string) => ({ parentUid: place, identityUid: `${root}/ci`, roleUid: owner });

/** What others have. */
const organization = [
  object("Group", root, { name: "acme" }),
  object("Group", `${root}/old`, { name: "old" }),
  object("RoleBinding", `${root}/old/b`, owns(`${root}/old`)),
];
const changes = (review: Review) => review.changes.map(({ effect, role, at }) => [effect, role.name, at.uid]);

test("what a program only read and now makes is another object: who owns the old group gains the new one", () => {
  const made = step("Group", "old", { parentUid: root, name: "old" }, { parentUid: root, name: "new" }, { op: "replace" });
  Object.assign(made.oldState ?? {}, { external: true });
  const binding = step("RoleBinding", "new", undefined, owns(unknownValue));
  Object.assign(binding.newState, { propertyDependencies: { parentUid: [made.urn] } });
  const found = reviewOf(previewOf(ci, made, binding), { ...offline, objects: organization });
  expect(changes(found)).toEqual([["gain", "owner", `${root}/(new iam:Group old)`]]);
});

test("what a program made, and now reads another object instead, is deleted", () => {
  const read = step("RoleBinding", "b", owns(root), {}, { op: "replace" });
  Object.assign(read.newState, { external: true, id: `${root}/old/b` });
  const objects = [...organization, object("RoleBinding", `${root}/b`, owns(root))];
  expect(changes(reviewOf(previewOf(ci, read), { ...offline, objects }))).toEqual([["loss", "owner", root]]);
});

test("a role that a program only reads allows what the platform says, not nothing", () => {
  const read = stays("Role", "owner", { __provider: "text" });
  const { oldState: _, ...first } = {
    ...read,
    op: "read",
    newState: { ...read.newState, id: owner, external: true, outputs: {} },
  };
  const binding = step("RoleBinding", "new", undefined, owns(root));
  for (const objects of [organization, []]) {
    const found = reviewOf(previewOf(ci, first, binding), { ...offline, objects });
    expect(found.changes.map(({ severity, role }) => [severity, role.name])).toEqual([["critical", "owner"]]);
  }
});

test("a program that reads another role instead gives that one", () => {
  const [reader, admin] = [
    ["reader", "CAP_REPO_LIST"],
    ["admin", "CAP_IAM_ROLE_BINDINGS_CREATE"],
  ].map(([name = "", capability]) => object("Role", `${root}/${name}`, { name, capabilities: [capability] }));
  const read = { ...stays("Role", "r", {}), op: "read" };
  Object.assign(read.oldState ?? {}, { external: true, id: reader?.uid, outputs: reader?.value });
  Object.assign(read.newState, { external: true, id: admin?.uid });
  const binding = step("RoleBinding", "b", { ...owns(root), roleUid: reader?.uid }, { ...owns(root), roleUid: admin?.uid });
  const gained = (objects: InventoryObject[]) =>
    reviewOf(previewOf(ci, read, binding), { ...offline, objects }).changes.flatMap(({ effect, severity, role, coveredBy }) =>
      effect === "gain" ? [[severity, role.uid, coveredBy]] : [],
    );
  // Without the platform, the other role may be any.
  expect(gained([])).toEqual([["critical", admin?.uid, undefined]]);
  expect(gained([reader, admin].flatMap((role) => role ?? []))).toEqual([["high", admin?.uid, undefined]]);
});

test("a group that a program reads and takes over is one group: who gains it gains the groups below", () => {
  const read = stays("Group", "read", {}, `${root}/old`);
  const { oldState: _, ...first } = { ...read, op: "read", newState: { ...read.newState, id: `${root}/old`, external: true } };
  const taken = step("Group", "taken", undefined, { parentUid: root, name: "old" });
  const association = step("AccountAssociation", "aws", undefined, {
    parentUid: unknownValue,
    name: "aws",
    amazon: { account: "123456789012" },
  });
  Object.assign(association.newState, { propertyDependencies: { parentUid: [taken.urn] } });
  const objects = [...organization, object("Group", `${root}/old/shop`, { name: "shop" })];
  const found = reviewOf(previewOf(first, taken, association), { ...offline, objects });
  expect(found.changes.map(({ at, reach }) => [at.uid, reach])).toEqual([[`${root}/old`, 1]]);
});
