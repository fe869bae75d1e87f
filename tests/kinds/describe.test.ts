import { rememberGroups } from "../../provider/client/known-paths";
import { group } from "../../provider/kinds/group";
import { roleBinding } from "../../provider/kinds/role-binding";
import { subscription } from "../../provider/kinds/subscription";
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

test("a role binding is named by uids, whatever names the state has: several roles and identities may have one name", () => {
  const state = { parentUid: "s", identityUid: "s/i", roleUid: "s/r", identity: { name: "ci" }, role: { name: "viewer" } };
  expect(describeExisting(roleBinding, "s/b", state)).toBe('role binding identityUid "s/i", roleUid "s/r" (s/b)');
});

test("of the address that events are sent to, only the origin is shown: the rest may be secret", () => {
  const state = { parentUid: "s", sink: "https://hooks.example.com/services/s3cr3t" };
  expect(describeExisting(subscription, "s/h", state)).toBe('subscription sink "https://hooks.example.com/..." (s/h)');
});
