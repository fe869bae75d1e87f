import { markKnown, readBaseline } from "../../drift/baseline";
import type { Finding } from "../../drift/finding";
import { finding } from "./finding";

const mark = (found: Finding, ...before: Finding[]) => {
  const { findings, notes } = markKnown([found], before, "b.json");
  return { known: findings[0]?.known ?? false, notes };
};
const fields = [{ path: "roleUid", actual: "r/viewer" }];
const secret = [{ path: "claimMatch.subject", declared: "[secret]", actual: "[secret]" }];
const removed = [{ path: "description", declared: "[secret]" }];
const changed = finding({ class: "changed", fields: secret });
const here = finding({ fields: [] });
const unreadable = finding({ class: "unreadable" });

test.each<[string, Finding, Finding, boolean]>([
  ["what it has", finding(), here, true],
  ["what matters less than it did", finding({ severity: "info" }), finding({ severity: "critical" }), true],
  ["another object", finding({ uid: "r/new" }), here, false],
  ["what is worse", finding({ severity: "critical" }), here, false],
  ["what changed since", finding({ fields: [{ path: "name", declared: "a", actual: "b" }] }), here, false],
  ["what is of access to somebody now", finding({ fields }), here, false],
  ["what is unreadable", unreadable, unreadable, false],
  ["what changed from one secret to another", changed, changed, false],
  [
    "a secret that was removed",
    finding({ class: "changed", fields: removed }),
    finding({ class: "changed", fields: removed }),
    true,
  ],
  ["by an earlier release, what no state has", finding({ fields }), finding(), true],
  ["by an earlier release, a duplicate", finding({ class: "duplicate", fields }), finding({ class: "duplicate" }), true],
  ["by an earlier release, what is worse", finding({ fields, severity: "critical" }), finding(), false],
  ["by an earlier release, what was changed", finding({ class: "changed", fields }), finding({ class: "changed" }), false],
])("a baseline knows or does not know: %s", (_, found, before, known) => {
  expect(mark(found, ...readBaseline(JSON.stringify({ findings: [before] }), "b.json")).known).toBe(known);
});

test("a baseline says how many findings with secret values count although it has them: a further change would look the same", () => {
  expect(mark(changed, changed).notes).toEqual([expect.stringMatching(/secret values .* b\.json .*\(1\)/)]);
});

test("a baseline of an earlier release says once that it should be written again", () => {
  const [found, old] = [
    [finding({ fields }), finding({ uid: "r/2", fields })],
    [finding(), finding({ uid: "r/2" })],
  ];
  const rewrite = expect.stringMatching(/^b\.json .* earlier release .* 2 of its objects.* Write it again/) as string;
  expect(markKnown(found, old, "b.json").notes).toEqual([rewrite]);
  for (const same of [found, []]) expect(markKnown(same, found, "b.json").notes).toEqual([]);
  expect(mark(here, ...old).notes).toEqual([]);
});

test.each(["{", "[]", '{"findings":[{"class":"x"}]}'])("%j is not a baseline", (content) => {
  expect(() => readBaseline(content, "b.json")).toThrow(/^b\.json is not a baseline: /);
});
