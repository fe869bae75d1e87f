import { reviewText } from "../../cli/review/text";
import { acme, deleted, giving, identity, object, reviewed, root, stays, step, warningsIn } from "../support/preview-steps";

const shop = `${root}/shop`;
const uid = `${shop}/ci`;
const objects = [acme, object("Group", shop, { name: "shop" })];
const was = { ...identity("ci"), parentUid: shop };
const ci = stays("Identity", "ci", was, shop);
const updated = (is: object) => [step("Identity", "ci", was, { ...was, ...is }, { of: shop })];
const unbound = [ci, deleted(stays("RoleBinding", "pull", giving("viewer", shop, uid), shop))];

test.each([
  ["its role goes", unbound, 1],
  ["it goes, with no role that is known here", [deleted(ci)], 1],
  ["others log in as it", updated({ claimMatch: identity("other").claimMatch }), 1],
  ["it is renamed", updated({ name: "cd" }), 0],
])("a marked identity must not lose access: it is critical where %s", (_, steps, count) => {
  const found = reviewed(steps, { objects, guarded: { breakGlass: new Set([uid]) } });
  const critical = found.changes.filter(({ severity }) => severity === "critical");
  expect(critical.map(({ effect, alarms }) => [effect, alarms])).toEqual(Array(count).fill(["loss", ["breakGlass"]]));
  if (count > 0) expect(reviewText(found)).toMatch(/^critical {2}- .*marked as break-glass$/m);
  expect(found.undecided).toEqual([]);
  expect(reviewed(steps, { objects }).changes.some(({ alarms }) => alarms)).toBe(false);
});

test("that the runs lose their own access is told before `up` rejects it", () => {
  const found = reviewed(unbound, { objects, guarded: { own: new Set([uid]) } });
  expect(found.warnings).toEqual([
    {
      message: expect.stringMatching(/acme\/shop\/ci, .*SELF_LOCKOUT/) as string,
      urn: expect.stringContaining("::pull") as string,
    },
  ]);
  expect(found.changes).toMatchObject([{ severity: "critical", alarms: ["ownAccess"] }]);
});

test.each([
  ["a mark of nobody is told", `${shop}/gone`, [expect.stringMatching(`^${shop}/gone .*break-glass.*Correct or remove`)]],
  ["a mark of an identity is no warning", uid, []],
  ["nothing is known of another organisation", "ffffffff/shop/ci", []],
  ["nor of people", "ffffffff", []],
])("%s", (_, marked, warnings) => {
  expect(warningsIn(reviewed([ci], { objects, guarded: { breakGlass: new Set([marked]) } }))).toEqual(warnings);
});
