import { reviewDocumentOf } from "../../cli/review/document";
import { reviewOf } from "../../cli/review/review";
import { type Known, knownOffline } from "../../cli/review/known";
import { reviewText } from "../../cli/review/text";
import { object, previewOf, root, stays, step } from "../support/preview-steps";

const offline = knownOffline();
const viewer = [...offline.roles].find(([, { name }]) => name === "viewer")?.[0] ?? "";
const login = (subject: string) => ({ claimMatch: { issuer: "https://login.acme.example", subject } });
const shopCi = stays("Identity", "ci", { parentUid: `${root}/shop`, name: "ci", ...login("ci") }, `${root}/shop`);

/** What the platform shows besides the program. */
const organization = [object("Group", root, { name: "acme" }), object("Group", `${root}/shop`, { name: "shop" })];
const seeing = (more: Partial<Known> = {}): Known => ({ ...offline, objects: organization, ...more });

describe("an identity that must not lose access", () => {
  const uid = `${root}/shop/ci`;
  const was = { parentUid: `${root}/shop`, name: "ci", ...login("ci") };
  const gone = (kind: string, name: string, inputs: object, of: string) => {
    const { newState: _, ...removed } = step(kind, name, inputs, inputs, { of });
    return { ...removed, op: "delete" };
  };
  const binding = { parentUid: `${root}/shop`, identityUid: uid, roleUid: viewer };
  const guarded = { breakGlass: new Set([uid]) };

  test.each([
    ["its role goes", [shopCi, gone("RoleBinding", "pull", binding, `${root}/shop`)], 1],
    ["it goes, with no role that is known here", [gone("Identity", "ci", was, `${root}/shop`)], 1],
    ["others log in as it", [step("Identity", "ci", was, { ...was, ...login("other") }, { of: `${root}/shop` })], 1],
    ["it is renamed", [step("Identity", "ci", was, { ...was, name: "cd" }, { of: `${root}/shop` })], 0],
  ])("is critical where %s", (_, steps, count) => {
    const found = reviewOf(previewOf(...steps), seeing({ guarded }));
    const critical = found.changes.filter(({ severity }) => severity === "critical");
    expect(critical.map(({ effect, alarms }) => [effect, alarms])).toEqual(Array(count).fill(["loss", ["breakGlass"]]));
    if (count > 0) expect(reviewText(found)).toMatch(/^critical {2}- .*; it is marked as break-glass$/m);
    expect(found.undecided).toEqual([]);
    expect(reviewOf(previewOf(...steps), seeing()).changes.some(({ alarms }) => alarms)).toBe(false);
  });

  test("is told of before `up` rejects it, where the runs log in as it", () => {
    const steps = [shopCi, gone("RoleBinding", "pull", binding, `${root}/shop`)];
    const found = reviewOf(previewOf(...steps), seeing({ guarded: { own: new Set([uid]) } }));
    expect(found.warnings).toEqual([
      {
        message: expect.stringMatching(/^the runs of this stack log in as acme\/shop\/ci, .*SELF_LOCKOUT/) as string,
        urn: expect.stringContaining("::pull") as string,
      },
    ]);
    expect(reviewDocumentOf(found).changes).toMatchObject([{ severity: "critical", alarms: ["ownAccess"] }]);
  });
});

test.each([
  ["a mark of nobody is told", `${root}/shop/gone`, 1],
  ["a mark of an identity is no warning", `${root}/shop/ci`, 0],
  ["nothing is known of another organisation", "ffffffff/shop/ci", 0],
  ["nor of people", "ffffffff", 0],
])("%s", (_, uid, count) => {
  const { warnings } = reviewOf(previewOf(shopCi), seeing({ guarded: { breakGlass: new Set([uid]) } }));
  const told = `${uid} is marked as break-glass, but no identity has this uid: the mark guards nobody. Correct or remove it`;
  expect(warnings.map(({ message }) => message)).toEqual(Array(count).fill(told));
});
