import { lifeOf } from "../../../provider/resources/object/life";
import type { Inputs } from "../../../provider/schema/kind";
import { identity, ResourceFixture } from "../../support/resource-fixture";

const fixture = ResourceFixture.forFile();
const gitlab = { issuer: "https://gitlab.com", subjectPattern: "^project_path:acme/.*$" };

/** The messages and failures of a check of an identity with this claim match. @param before the claim match in state */
async function checked(claimMatch: object, before?: object) {
  const { run, told } = fixture.told();
  const inputs = (given: object): Inputs => ({ parentUid: "root", name: "ci", claimMatch: given });
  const { failures } = await lifeOf(identity).check(before === undefined ? {} : inputs(before), inputs(claimMatch), run);
  return { failures, told };
}

test.each<[string, object, string]>([
  ["no anchor", { audiencePattern: "s3cr3t" }, "claimMatch.audiencePattern has no ^ and no $, so it may match a part"],
  ["no end", { audiencePattern: "^s3cr3t" }, "claimMatch.audiencePattern has no $,"],
  ["no start", { claimPatterns: { ref: "s3cr3t$" } }, "claimMatch.claimPatterns.ref has no ^,"],
  ["an escaped end", { audiencePattern: String.raw`^s3cr3t\$` }, "claimMatch.audiencePattern has no $,"],
  ["a class for a start", { audiencePattern: "[^s]3cr3t$" }, "claimMatch.audiencePattern has no ^,"],
])("a pattern without anchors warns, once and without its text: %s", async (_what, wrong, message) => {
  const { told, failures } = await checked({ ...gitlab, ...wrong });
  expect(failures).toEqual([]);
  expect(told).toEqual([expect.stringContaining(message)]);
  expect(told[0]).toMatch(/^warning: identity "ci" under root: /);
  expect(told[0]).not.toContain("s3cr3t");
  expect((await checked({ ...gitlab, ...wrong }, { ...gitlab, ...wrong })).told).toEqual([]);
});

test.each(["^a$", "^(a|b)$", "(?:^a$|^b$)", "^a.*", ".*a$", ".*", String.raw`\Aa\z`, "(?i)^a$"])(
  "nothing is told of %s",
  async (audiencePattern) => {
    expect(await checked({ ...gitlab, audiencePattern })).toEqual({ failures: [], told: [] });
  },
);

test("an invalid pattern is one error, which does not say whom it lets in", async () => {
  for (const broken of [
    { subjectPattern: "^project_path:(acme" },
    { issuer: undefined, issuerPattern: "^https://gitlab.com(" },
  ]) {
    const { failures } = await checked({ ...gitlab, ...broken });
    expect(failures).toEqual([
      { property: expect.any(String) as string, reason: expect.stringContaining("in RE2 syntax") as string },
    ]);
  }
});
