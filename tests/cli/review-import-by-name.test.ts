import { acme, giving, identity, made, object, reviewed, root, stays, step, undecidedIn } from "../support/preview-steps";

const ci = stays("Identity", "ci", identity("ci"));
const given = object("RoleBinding", `${root}/b`, giving("viewer"));
const objects = [acme, object("Identity", `${root}/ci`, identity("ci")), given];
const text = "acme|acme/ci|viewer";

/** The first step of an import by name: the preview does not show the uid that the engine has found. */
const imported = (() => {
  const { newState, urn } = made("RoleBinding", "b", giving("owner"));
  return { op: "import", urn, newState: { ...newState, id: undefined, importID: text } };
})();

test("an import by name is undecided, alone and with the update that follows it", () => {
  const { newState, ...update } = step("RoleBinding", "b", giving("viewer"), giving("owner"));
  const followed = { ...update, oldState: { ...update.oldState, importID: text }, newState: { ...newState, importID: text } };
  for (const steps of [[imported], [imported, followed]]) {
    const found = reviewed([ci, ...steps], { objects });
    expect(undecidedIn(found)).toEqual(["what b does"]);
    expect(found.changes).toEqual([]);
  }
});

test.each(["acme/ci", "platform:organization/ci"])("so is one by the path %s", (importID) => {
  const { newState, urn } = made("Identity", "bot", identity("bot"));
  const step = { op: "import", urn, newState: { ...newState, id: undefined, importID } };
  expect(undecidedIn(reviewed([ci, step], { objects }))).toEqual(["what bot does"]);
});

test("a later update of the resource is judged as any other, although the state keeps the name", () => {
  const { newState, ...update } = step("RoleBinding", "b", giving("viewer"), giving("owner"));
  const later = { ...update, oldState: { ...update.oldState, importID: text }, newState: { ...newState, importID: text } };
  const found = reviewed([ci, later], { objects });
  expect(undecidedIn(found)).toEqual([]);
  expect(found.changes.map(({ effect, role }) => [effect, role.name])).toEqual([
    ["gain", "owner"],
    ["loss", "viewer"],
  ]);
});
