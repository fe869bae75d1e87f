import { rememberGroups } from "../../provider/client/known-paths";
import { group } from "../../provider/kinds/group";
import { roleBinding } from "../../provider/kinds/role-binding";
import { describeExisting } from "../../provider/schema/kind";

test("an object is named with one uid, with which that of its place would begin, and under the path of its place once that is known", () => {
  const named = () => describeExisting(group, "r/e/t", { name: "team", parentUid: "r/e" });
  expect(named()).toBe('group "team" (r/e/t)');
  const known = Object.entries({ r: "acme", "r/e": "engineering" }).map(([uid, name]) => ({ uid, name }));
  rememberGroups({ segment: "groups" }, known);
  expect(named()).toBe('group "team" under acme/engineering (r/e/t)');
});

test("an object of which nothing but its uid is known, and a root, are named by what is known", () => {
  expect(describeExisting(group, "s/e", {})).toBe("group s/e");
  expect(describeExisting(group, "s", { name: "acme" })).toBe('group "acme" (s)');
});

describe("a role binding", () => {
  const inputs = { parentUid: "s", identityUid: "s/i", roleUid: "abc" };

  test("is named by identity and role where the state has their names", () => {
    const state = { ...inputs, identity: { name: "ci" }, role: { name: "editor" } };
    expect(describeExisting(roleBinding, "s/b", state)).toBe('role binding identity "ci", role "editor" (s/b)');
    expect(describeExisting(roleBinding, "s/b", inputs)).toBe('role binding identityUid "s/i", roleUid "abc" (s/b)');
  });

  test("is named by the uid for a person, who may have chosen any name", () => {
    const state = { ...inputs, identityUid: "person", identity: { name: "ci" } };
    expect(describeExisting(roleBinding, "s/b", state)).toContain('identityUid "person"');
  });
});
