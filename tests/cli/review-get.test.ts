import type { Review } from "../../cli/review/review";
import { unknownValue } from "../../provider/schema/inputs";
import {
  acme,
  dependingOn,
  giving,
  identity,
  made,
  object,
  reads,
  reviewed,
  roleUid,
  root,
  stays,
  step,
} from "../support/preview-steps";

const ci = stays("Identity", "ci", identity("ci"));
const old = `${root}/old`;
/** Others' objects. */
const objects = [acme, object("Group", old, { name: "old" }), object("RoleBinding", `${old}/b`, giving("owner", old))];
const changes = (review: Review) => review.changes.map(({ effect, role, at }) => [effect, role.name, at.uid]);

test("what a program only read and now makes is another object: who owns the old group gains the new one", () => {
  const group = step("Group", "old", { parentUid: root, name: "old" }, { parentUid: root, name: "new" }, { op: "replace" });
  Object.assign(group.oldState ?? {}, { external: true });
  const binding = dependingOn(made("RoleBinding", "new", giving("owner", unknownValue)), { parentUid: [group] });
  expect(changes(reviewed([ci, group, binding], { objects }))).toEqual([["gain", "owner", `${root}/platform:iam:Group::old`]]);
});

test("what a program made, and now reads another object instead, is deleted", () => {
  const read = step("RoleBinding", "b", giving("owner"), {}, { op: "replace" });
  Object.assign(read.newState, { external: true, id: `${old}/b` });
  const own = object("RoleBinding", `${root}/b`, giving("owner"));
  expect(changes(reviewed([ci, read], { objects: [...objects, own] }))).toEqual([["loss", "owner", root]]);
});

test.each([[objects], [[]]])("a role that a program only reads allows what the platform says, not nothing", (shown) => {
  const steps = [ci, reads("Role", "owner", roleUid("owner")), made("RoleBinding", "new", giving("owner"))];
  const found = reviewed(steps, { objects: shown });
  expect(found.changes.map(({ severity, role }) => [severity, role.name])).toEqual([["critical", "owner"]]);
});

test.each([
  ["without the platform, it may be any", [], "critical"],
  ["the platform shows it", ["reader", "admin"], "high"],
])("a program that reads another role instead gives that one; %s", (_, shown, severity) => {
  const capabilities = { reader: "CAP_REPO_LIST", admin: "CAP_IAM_ROLE_BINDINGS_CREATE" };
  const [reader, admin] = Object.entries(capabilities).map(([name, each]) =>
    object("Role", `${root}/${name}`, { name, capabilities: [each] }),
  );
  const read = { ...stays("Role", "r", {}), op: "read" };
  Object.assign(read.oldState ?? {}, { external: true, id: reader?.uid, outputs: reader?.value });
  Object.assign(read.newState, { external: true, id: admin?.uid });
  const [was, is] = [reader, admin].map((role) => ({ ...giving("owner"), roleUid: role?.uid }));
  const known = [reader, admin].flatMap((role) => (role && shown.includes(String(role.value["name"])) ? [role] : []));
  const { changes: found } = reviewed([ci, read, step("RoleBinding", "b", was, is ?? {})], { objects: known });
  expect(found.filter(({ effect }) => effect === "gain")).toMatchObject([{ severity, role: { uid: admin?.uid } }]);
  expect(found.some(({ coveredBy }) => coveredBy !== undefined)).toBe(false);
});

test("a group that a program reads and takes over is one group: who gains it gains the groups below", () => {
  const taken = made("Group", "taken", { parentUid: root, name: "old" });
  const account = { parentUid: unknownValue, name: "aws", amazon: { account: "123456789012" } };
  const association = dependingOn(made("AccountAssociation", "aws", account), { parentUid: [taken] });
  const below = object("Group", `${old}/shop`, { name: "shop" });
  const found = reviewed([reads("Group", "old"), taken, association], { objects: [...objects, below] });
  expect(found.changes.map(({ at, reach }) => [at.uid, reach])).toEqual([[old, 1]]);
});
