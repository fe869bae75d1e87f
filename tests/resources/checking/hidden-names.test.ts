import type { Inputs } from "../../../provider/schema/kind";
import { warnOfHiddenNames } from "../../../provider/resources/checking/hidden-names";
import { identity } from "../../support/resource-fixture";

/** The messages about an identity whose claims change so. */
function told(before: Inputs, after: Inputs): string[] {
  const notes: string[] = [];
  const inputs = (claims: Inputs) => ({ name: "ci", claimMatch: { issuer: "https://issuer.example", subject: "s", claims } });
  warnOfHiddenNames(
    { kind: identity, uid: "root/ci", olds: inputs(before), news: inputs(after) },
    { notify: (note) => void notes.push(note) },
  );
  return notes;
}

test.each<[string, Inputs, Inputs, string]>([
  ["added", {}, { __ref: "main" }, 'to "main"'],
  ["changed", { __ref: "main" }, { __ref: "next" }, 'from "main" to "next"'],
  ["removed", { __ref: "main" }, {}, 'from "main"'],
])("a claim that previews do not show and that was %s is told, with its identity", (_how, before, after, change) => {
  const [note = "", ...others] = told({ ...before, actor: "a" }, { ...after, actor: "b" });
  expect(others).toEqual([]);
  for (const part of ["root/ci", "claimMatch.claims.__ref", change]) expect(note).toContain(part);
});

test("one that stays, and what previews show, is not told", () => {
  expect(told({ __ref: "main", actor: "a" }, { __ref: "main", actor: "b" })).toEqual([]);
});
