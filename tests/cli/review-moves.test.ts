import { reviewMarkdown } from "../../cli/review/markdown";
import { reviewDocumentOf } from "../../cli/review/document";
import { reviewText } from "../../cli/review/text";
import { unknownValue } from "../../provider/schema/inputs";
import {
  acme,
  deleted,
  dependingOn,
  giving,
  identity,
  made,
  object,
  reviewed,
  root,
  stays,
  step,
  type Step,
} from "../support/preview-steps";

// A login that moves with its role is one line, and an identity that gets another uid is a warning.

const [shop, eng] = [`${root}/shop`, `${root}/eng`];
const group = (name: string) => ({ ...object("Group", `${root}/${name}`, { name, parentUid: root }), place: root });
const objects = [acme, group("shop"), group("eng")];
const ci = identity("ci", "repo");
const gains = (name: string, place: string, role = "editor", who = `${root}/ci`) =>
  made("RoleBinding", name, giving(role, place, who));
const loses = (name: string, place: string, role = "editor", who = `${root}/ci`) =>
  deleted(stays("RoleBinding", name, giving(role, place, who), place));
const review = (steps: readonly (Step | object)[]) => reviewed(steps, { objects: objects });
const linesOf = (steps: readonly (Step | object)[]) =>
  reviewText(review(steps))
    .split("\n")
    .filter((line) => /^(critical|high|medium|low|info) /.test(line));

const moves = [stays("Identity", "ci", ci), loses("old", shop), gains("new", eng)];

test("a role that moves with its login is one line, in text and Markdown, and two changes in the document", () => {
  expect(linesOf(moves)).toEqual([
    `medium    ~ acme/ci (whoever has the subject "repo" at https://login.acme.example) moves from editor of acme/shop to editor of acme/eng`,
  ]);
  expect(reviewMarkdown(review(moves))).toContain("| 🟡 medium | 🔀 |");
  expect(reviewText(review(moves))).toContain("1 gain, 1 loss");
  expect(reviewDocumentOf(review(moves)).changes.map(({ effect }) => effect)).toEqual(["gain", "loss"]);
});

test("a deleted and a new identity of one login are one line, which has both paths, and a warning about the uid", () => {
  const robot = made("Identity", "robot", { ...ci, name: "robot" });
  const text = reviewText(
    review([
      ...[deleted(stays("Identity", "ci", ci)), robot, loses("old", shop)],
      dependingOn(gains("new", eng, "editor", unknownValue), { identityUid: [robot] }),
    ]),
  );
  expect(text).toMatch(/~ acme\/robot \(.*\), before acme\/ci, moves from editor of acme\/shop to editor of acme\/eng/);
  expect(text).toContain("1 identity gets another uid: acme/ci. A run that logs in as it needs the new uid");
});

test.each([
  ["deleted", (protectedCi: Step) => deleted(protectedCi, { protect: true })],
  ["replaced", (protectedCi: Step) => ({ ...deleted(protectedCi, { protect: true }), op: "delete-replaced" })],
])(
  "a protected resource that is %s in a preview that passed is a warning, because the preview ignores protection",
  (_how, of) => {
    const warnings = (step: object) => review([step]).warnings.map(({ message }) => message);
    const identityStep = stays("Identity", "ci", ci);
    expect(warnings(of(identityStep)).join()).toContain("ci has `protect`, and this preview ignores it (`--ignore-protect`)");
    expect(warnings(deleted(identityStep)).join()).not.toContain("--ignore-protect");
  },
);

test.each<[string, readonly object[]]>([
  ["two gains of one role and one loss", [...moves, gains("third", root)]],
  ["a gain and a loss of different roles", [moves[0] ?? {}, loses("old", shop, "owner"), gains("new", eng, "viewer")]],
  [
    "a gain and a loss of different logins",
    [...moves.slice(0, 2), stays("Identity", "eva", identity("eva")), gains("new", eng, "editor", `${root}/eva`)],
  ],
  ["a login that changes too", [step("Identity", "ci", ci, identity("ci", "other")), loses("old", shop), gains("new", eng)]],
])("%s stay lines of their own", (_what, steps) => {
  expect(linesOf(steps).filter((line) => line.includes(" ~ "))).toEqual([]);
});

describe("a name that `up` looks up once more, where the update makes another object of that name", () => {
  const was = stays("Identity", "x", ci).oldState?.id;
  const [renamed, taking] = [
    step("Identity", "x", ci, { ...ci, name: "old" }),
    step("Identity", "y", identity("y"), identity("ci")),
  ];
  const [left, got] = [
    step("Identity", "x", ci, identity("ci", "eve")),
    step("Identity", "y", identity("y"), identity("y", "repo")),
  ];
  const byLogin = { issuer: ci.claimMatch.issuer, subject: "repo" };

  test.each([
    ["a name", "acme/ci", [renamed, taking]],
    ["a login", byLogin, [left, got]],
  ])("is undecided in a role binding and for a member of a GroupAccess: %s", (_what, identityRef, steps) => {
    const named = { identityRef, identityUid: was };
    const binding = made("RoleBinding", "b", { ...giving("owner"), ...named });
    const inputs = { parentUid: root, access: { owner: { boss: named } } };
    const access = made("GroupAccess", "g", inputs);
    const whats = (last: Step) => review([...steps, last]).undecided.map(({ what }) => what);
    expect(whats(binding)).toEqual(["the identity of b"]);
    expect(whats(access)).toEqual(["who is owner by g"]);
    // A name that stays keeps its uid, without a look-up.
    const more = { ...inputs, access: { owner: { chief: named } } };
    expect(whats(step("GroupAccess", "g", inputs, more))).toEqual([]);
  });
});
