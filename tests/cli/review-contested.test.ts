import { planOf } from "../../preview/plan";
import {
  acme,
  deleted,
  giving,
  identity,
  made,
  object,
  previewOf,
  reviewed,
  root,
  roleUid,
  type Step,
  stays,
  step,
  undecidedIn,
  warningsIn,
} from "../support/preview-steps";

const evil = identity("ci2", "mallory");
const a = stays("Identity", "ci", identity("ci"));
const owns = stays("RoleBinding", "own", giving("owner"));
const objects = [acme, object("Identity", `${root}/ci`, identity("ci")), object("RoleBinding", `${root}/own`, giving("owner"))];

/** The same object by a resource of another name. */
const named = (name: string, { newState, oldState, ...shown }: Step) => {
  const rename = (state: object) => ({ ...state, urn: `${shown.urn}-${name}` });
  return { ...shown, urn: `${shown.urn}-${name}`, ...(oldState && { oldState: rename(oldState) }), newState: rename(newState) };
};

/** The import of an object, as the engine shows it: with a change, the update of what it has found follows. */
const imported = (kind: string, uid: string, found: object, is: object) => {
  const { newState } = made(kind, "b", is);
  const update = named("b", step(kind, uid.split("/").at(-1) ?? "", found, is));
  const state = { ...newState, urn: update.urn, importID: uid };
  const first = { op: "import", urn: update.urn, newState: state };
  return found === is ? [first] : [first, { ...update, newState: state }];
};

const imports = (is: object) => imported("Identity", `${root}/ci`, identity("ci"), is);
const role = { parentUid: root, name: "deployer", capabilities: ["CAP_REPO_LIST"] };
const more = { ...role, capabilities: ["CAP_IAM_ROLE_BINDINGS_CREATE"] };
const access = (who: string, roles?: string[]) => ({ parentUid: root, access: { viewer: { who } }, ...(roles && { roles }) });
const bindings = (binding: string) => ({
  outputs: { roleUids: { viewer: roleUid("viewer") }, bindings: { viewer: { who: binding } } },
});
const holds = (name: string, who: string, binding: string, roles?: string[]) => {
  const shown = step("GroupAccess", name, access(who, roles), access(who, roles), bindings(binding));
  return { ...shown, oldState: { ...shown.oldState, id: root }, newState: { ...shown.newState, id: root } };
};

test.each<[string, object[], string[]]>([
  ["an import that changes it, before it", [...imports(evil), a], ["ci", "ci-b"]],
  ["an import that changes it, after it", [a, ...imports(evil)], ["ci", "ci-b"]],
  ["an import with equal values", [a, ...imported("Identity", `${root}/ci`, identity("ci"), identity("ci"))], []],
  ["two that are in the state, one of which changes", [named("b", step("Identity", "ci", identity("ci"), evil)), a], []],
  ["two that stay as they are", [named("b", a), a], []],
  [
    "a role of which one resource allows more",
    [...imported("Role", `${root}/deployer`, role, more), stays("Role", "deployer", role)],
    [],
  ],
  [
    "one that gives the object up and one that deletes it",
    [deleted(a, { retainOnDelete: true }), deleted(named("b", a) as Step)],
    [],
  ],
  [
    "a replacement by import",
    [
      a,
      {
        ...named("b", step("Identity", "old", evil, evil, { op: "replace" })),
        op: "replace",
        newState: { ...named("b", a).newState, importID: `${root}/ci` },
      },
    ],
    [],
  ],
  ["a member of a GroupAccess that is a role binding too", [holds("team", `${root}/ci`, `${root}/own`), owns], []],
  [
    "two that have all access to a group",
    [holds("team", `${root}/ci`, `${root}/1`), holds("ops", `${root}/zoe`, `${root}/2`)],
    [],
  ],
  [
    "two of one role of a group",
    [holds("team", `${root}/ci`, `${root}/1`, ["viewer"]), holds("ops", `${root}/zoe`, `${root}/2`, [roleUid("viewer")])],
    [],
  ],
])("several resources of one object are undecided by their names: %s", (_, steps, names) => {
  for (const known of [{}, { objects }]) {
    const found = reviewed([...steps, owns], known);
    expect(undecidedIn(found)).toContainEqual(expect.stringMatching(/^what .+ and .+ do$/));
    for (const name of names) expect(undecidedIn(found).join()).toContain(name);
    expect(found.bounds).toBe("lower");
  }
});

test.each<[string, object]>([
  ["another one that keeps others", { others: "keep" }],
  ["one that removes others of another role", { roles: ["owner"] }],
])("a GroupAccess that keeps others is decided beside %s", (_, more) => {
  const keeping = { ...access(`${root}/ci`), others: "keep" };
  const other = { ...access(`${root}/zoe`), ...more };
  const of = (name: string, inputs: object, uid: string) => {
    const shown = step("GroupAccess", name, inputs, inputs, bindings(uid));
    return { ...shown, oldState: { ...shown.oldState, id: root }, newState: { ...shown.newState, id: root } };
  };
  expect(undecidedIn(reviewed([of("team", keeping, `${root}/1`), of("ops", other, `${root}/2`)]))).toEqual([]);
});

test("two creates that may take over the same object of others are undecided", () => {
  const creates = ["x", "y"].map((name) => named(name, made("Identity", "ci", identity("ci"))));
  expect(undecidedIn(reviewed(creates, { objects }))).toEqual(["what ci-x and ci-y do"]);
});

test.each([
  ["before", [...imports(evil), a]],
  ["after", [a, ...imports(evil)]],
])("a resource that stays as it is does not hide the change by one that stands %s it", (_, steps) => {
  const found = reviewed([...steps, owns], { objects });
  expect(found.changes).toMatchObject([
    { effect: "gain", holder: { login: { claimMatch: { subject: "mallory" } } } },
    { effect: "loss" },
  ]);
});

const replaced = step("Identity", "ci", identity("ci"), evil, { op: "replace" });

test.each<[string, object[]]>([
  [
    "the steps of a replacement",
    [
      { ...replaced, op: "create-replacement" },
      replaced,
      { op: "delete-replaced", urn: replaced.urn, oldState: replaced.oldState },
    ],
  ],
  ["an import and the update of what it has found", imported("Identity", `${root}/ci`, identity("ci"), evil)],
  ["a refresh and the update", [{ ...a, op: "refresh" }, step("Identity", "ci", identity("ci"), evil)]],
  [
    "another name by an alias",
    [
      {
        ...step("Identity", "ci", identity("ci"), evil),
        urn: `${a.urn}-b`,
        newState: { ...a.newState, urn: `${a.urn}-b`, inputs: evil },
      },
    ],
  ],
  ["one deletes what another one adopts", [deleted(a), named("b", made("Identity", "ci", identity("ci")))]],
  ["one deletes what another one imports", [...imports(evil), deleted(a)]],
  ["one gives up what another one imports", [...imports(evil), deleted(a, { retainOnDelete: true })]],
  ["one that only reads it", [a, { ...named("b", a), op: "read", newState: { ...named("b", a).newState, external: true } }]],
  [
    "two of a group with other roles",
    [holds("team", `${root}/ci`, `${root}/1`, ["viewer"]), holds("ops", `${root}/zoe`, `${root}/2`, ["editor"])],
  ],
])("what one resource does in several steps, or gives up to another one, stays decided: %s", (_, steps) => {
  expect(undecidedIn(reviewed([...steps, owns], { objects }))).toEqual([]);
});

test.each([
  ["adopts", [named("b", made("Identity", "ci", identity("ci")))]],
  ["imports", imported("Identity", `${root}/ci`, identity("ci"), identity("ci"))],
])("a resource that another name %s is not deleted, so nothing will be refused", (_, steps) => {
  const found = reviewed([...steps, deleted(a), owns], { objects });
  expect([found.changes, warningsIn(found), undecidedIn(found)]).toEqual([[], [], []]);
});

test("an import is known by its steps, not by the option that the state keeps", () => {
  const same = { ...a, oldState: { ...a.oldState, importID: `${root}/ci` }, newState: { ...a.newState, importID: `${root}/ci` } };
  const plan = (...steps: object[]) => planOf(previewOf(...steps).steps).map(({ isImported }) => isImported);
  expect([plan(...imports(evil)), plan(same)]).toEqual([[true], [false]]);
});
