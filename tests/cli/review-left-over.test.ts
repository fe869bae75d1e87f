import { reviewOf } from "../../cli/review/review";
import { giving, identity, offline, previewOf, reviewed, root, stays, step } from "../support/preview-steps";

// An object that an earlier update has replaced and could not delete: the next update deletes it, whatever becomes of the resource.

const ci = stays("Identity", "ci", identity("ci"));
const viewer = giving("viewer");
const binding = (op: string) => step("RoleBinding", "b", viewer, op === "same" ? viewer : { ...viewer }, { op });
const { urn, oldState } = binding("replace");
const owner = { inputs: giving("owner"), outputs: giving("owner") };
const leftOver = { op: "delete-replaced", urn, oldState: { ...oldState, id: `${root}/old`, delete: true, ...owner } };
const told = (steps: readonly object[]) => reviewed(steps).changes.map(({ effect, role }) => `${effect} ${role.name}`);

test.each(["same", "update", "replace"])("is lost, also if the resource of today has the step %s", (op) => {
  expect(told([ci, binding(op), leftOver])).toEqual(["loss owner"]);
});

test("the steps of a replacement are one change, also if an alias gives the resource another URN", () => {
  const old = { ...oldState, urn: `${urn}-before` };
  const replaced = { ...binding("replace"), oldState: old };
  const parts = [
    { ...replaced, op: "create-replacement" },
    { op: "delete-replaced", urn: old.urn, oldState: old },
  ];
  expect(reviewed([ci, replaced, ...parts])).toMatchObject({ changes: [], undecided: [], bounds: "exact" });
});

test("that only the state shows is undecided", () => {
  const { undecided, bounds } = reviewOf({ ...previewOf(ci, binding("same")), unshown: ["b"] }, offline);
  expect([undecided.map(({ what }) => what), bounds]).toEqual([["the former b"], "lower"]);
  expect(undecided[0]?.reason).toContain("--show-replacement-steps");
});
