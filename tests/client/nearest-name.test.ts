import { nearestName, suggest } from "../../provider/client/nearest-name";

const names = ["name", "description", "parentUid", "claimMatch"];

test.each([
  ["nmae", "name"],
  ["Name", "name"],
  ["parentuid", "parentUid"],
  ["parent_uid", "parentUid"],
  ["descripton", "description"],
  ["claimsMatch", "claimMatch"],
])("%s means %s", (written, meant) => {
  expect(nearestName(written, names)).toBe(meant);
});

test.each([
  ["--json", ["--help", "--port"]],
  ["claims", ["issuer", "subject"]],
  ["x", names],
  ["", names],
  ["colour", names],
  ["name", []],
])("nothing is near %j among %j", (written, candidates) => {
  expect(
    nearestName(
      written.replace("--", ""),
      candidates.map((name) => name.replace("--", "")),
    ),
  ).toBeUndefined();
});

test("a suggestion names the near one, or else all of them", () => {
  expect(suggest("nmae", names, "arguments")).toBe('did you mean "name"?');
  expect(suggest("claims", ["issuer", "subject"], "arguments")).toBe('the arguments are "issuer" and "subject".');
  expect(suggest("prot", ["port"], "options", (name) => `--${name}`)).toBe("did you mean --port?");
});
