import { knownOffline } from "../../cli/review/known";
import { root, stays, step } from "../support/preview-steps";
import { gate } from "../support/review-gate";

// The engine makes no call for a resource whose `deletedWith` names another one that the same update deletes or replaces.

const owner = [...knownOffline().roles].find(([, { name }]) => name === "owner")?.[0] ?? "";
const shop = stays("Group", "shop", { parentUid: root, name: "shop" });
const eva = stays("Identity", "eva", {
  parentUid: root,
  name: "eva",
  claimMatch: { issuer: "https://login.acme.example", subject: "eva" },
});
const binding = { parentUid: `${root}/shop`, identityUid: `${root}/eva`, roleUid: owner };
const access = { parentUid: `${root}/shop`, access: { owner: { eva: `${root}/eva` } } };
const accessState = { roleUids: { owner }, bindings: { owner: { eva: `${root}/shop/b` } } };
const anchor = { urn: "urn:pulumi:a::b::acme:index:Anchor::anchor", type: "acme:index:Anchor", custom: false };

/** The step that deletes the resource. */
function deleted({ newState: _, ...made }: ReturnType<typeof step>, deletedWith: string) {
  return { ...made, op: "delete", oldState: { ...made.oldState, deletedWith } };
}

const given = () => step("RoleBinding", "b", binding, binding, { of: `${root}/shop` });

test.each([
  ["that is deleted", { op: "delete", urn: anchor.urn, oldState: anchor }],
  ["that is replaced", { op: "replace", urn: anchor.urn, oldState: anchor, newState: anchor }],
  ["that is deleted for a replacement", { op: "delete-replaced", urn: anchor.urn, oldState: anchor }],
])("a role binding with deletedWith of a resource %s stays: nothing is lost, and a warning says so", async (_how, ending) => {
  const { code, document } = await gate([shop, eva, deleted(given(), anchor.urn), ending]);
  expect(document.changes).toEqual([]);
  expect(document.warnings.map(({ message }) => message)).toEqual(["b stays on the platform (deletedWith), with all its access"]);
  expect(code).toBe(0);
});

test("a GroupAccess with deletedWith stays with all its members", async () => {
  const made = step("GroupAccess", "shop", access, access, { outputs: accessState });
  const ending = { op: "delete", urn: anchor.urn, oldState: anchor };
  const { document } = await gate([shop, eva, deleted(made, anchor.urn), ending]);
  expect(document.changes).toEqual([]);
  expect(document.warnings.map(({ message }) => message)).toEqual([
    "shop stays on the platform (deletedWith), with all its access",
  ]);
});

test("with deletedWith of a resource that stays, the engine deletes a role binding as any other", async () => {
  const { document } = await gate([
    shop,
    eva,
    deleted(given(), anchor.urn),
    { op: "same", urn: anchor.urn, oldState: anchor, newState: anchor },
  ]);
  expect(document.changes).toMatchObject([{ effect: "loss" }]);
  expect(document.warnings).toEqual([]);
});

test("the role binding that a replacement leaves behind by deletedWith keeps giving access", async () => {
  const replaced = step("RoleBinding", "b", binding, { ...binding, parentUid: root }, { op: "replace", of: `${root}/shop` });
  Object.assign(replaced.oldState ?? {}, { deletedWith: anchor.urn });
  Object.assign(replaced, { replaceReasons: ["parentUid"] });
  const { document } = await gate([shop, eva, replaced, { op: "delete", urn: anchor.urn, oldState: anchor }]);
  expect(document.changes.map(({ effect }) => effect)).toEqual(["gain"]);
  expect(document.warnings.map(({ message }) => message)).toEqual(["b stays on the platform (deletedWith), with all its access"]);
});
