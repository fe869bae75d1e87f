import fc from "fast-check";
import { unknownValue } from "../../provider/schema/inputs";
import { check } from "../../provider/resources/object/check";
import { diff } from "../../provider/resources/object/diff";
import { get } from "../../provider/resources/object/read";
import { declare, expectFailure, failureOf, identity, ResourceFixture, role, roleBinding } from "../support/resource-fixture";

const fixture = ResourceFixture.forFile();

const capabilities = ["CAP_REPO_LIST", "CAP_TAG_LIST", "CAP_MANIFEST_LIST"];
const parentUid = "0123456789abcdef0123456789abcdef01234567";
const checked = (news: object) => check({ kind: role, olds: {}, news: { parentUid, name: "puller", ...news } }, fixture.run());

/** A role with `capabilities`. */
const made = () => fixture.made(role, { capabilities });

test.each([
  ["none", undefined, ["capabilities"]],
  ["an empty list", [], ["capabilities"]],
  ["a text", "CAP_REPO_LIST", ["capabilities"]],
  ["a name without the prefix", ["repo.list"], ["capabilities.0"]],
  ["a name in lower case", ["CAP_REPO_LIST", "cap_tag_list"], ["capabilities.1"]],
  ["the empty name", [""], ["capabilities.0"]],
  ["null", [null], ["capabilities.0"]],
])("capabilities that are %s are rejected before anything is sent", (_what, given, properties) => {
  const { failures } = checked({ capabilities: given });
  expect([...new Set(failures.map(({ property }) => property))]).toEqual(properties);
});

test.each([
  ["a name newer than this package", ["CAP_OF_TOMORROW_2"]],
  ["a name that is unknown", ["CAP_REPO_LIST", unknownValue]],
  ["a list that is unknown", unknownValue],
])("%s passes the check", (_what, given) => {
  expect(checked({ capabilities: given }).failures).toEqual([]);
});

test("state has capabilities sorted and without duplicates, whatever the program and the platform write", () => {
  expect(checked({ capabilities: ["CAP_TAG_LIST", "CAP_REPO_LIST", "CAP_TAG_LIST"] }).inputs["capabilities"]).toEqual([
    "CAP_REPO_LIST",
    "CAP_TAG_LIST",
  ]);
});

test("neither order nor repetition of capabilities is a change; another capability is", () => {
  const names = fc.array(fc.constantFrom("CAP_A", "CAP_B", "CAP_C", "CAP_D"), { minLength: 1, maxLength: 6 });
  fc.assert(
    fc.property(names, names, (before, after) => {
      const same = [...new Set(before)].sort().join() === [...new Set(after)].sort().join();
      const of = (list: string[]) => ({ parentUid, name: "puller", capabilities: list });
      const { changes, replaces } = diff({ kind: role, uid: `${parentUid}/1`, olds: of(before), news: of(after) }, fixture.run());
      expect({ changes, replaces }).toEqual({ changes: !same, replaces: [] });
    }),
    { seed: 20_261_121, numRuns: 200 },
  );
});

test("a change sends the whole set under one mask", async () => {
  await (await made()).update({ capabilities: ["CAP_TAG_LIST", "CAP_REPO_LIST"] });
  expect(await fixture.platform.writes()).toMatchObject([
    { method: "PATCH", query: "updateMask=capabilities", body: { capabilities: ["CAP_REPO_LIST", "CAP_TAG_LIST"] } },
  ]);
});

test("a capability that the platform drops silently fails the create, which keeps the object that exists", async () => {
  const inputs = {
    parentUid: await fixture.parent(),
    name: fixture.name(),
    capabilities: [...capabilities, "CAP_NO_SUCH_THING"],
  };
  const error = await failureOf(declare(role, inputs, fixture.run()));
  const [object] = await fixture.children(role, inputs.parentUid);
  expect(error).toMatchObject({ uid: object?.uid, state: { capabilities: [...capabilities].sort() } });
  expect(error.message).toContain("capabilities is not what was sent");
  expect(error.message).toContain('The platform dropped "CAP_');
});

test("a capability that the platform drops silently fails the update", async () => {
  const puller = await made();
  await expectFailure(
    puller.update({ capabilities: [...capabilities, "CAP_NO_SUCH_THING"] }),
    "WRONG_OBJECT",
    "capabilities is not what was sent",
    'The platform dropped "CAP_',
  );
});

test("a capability added or removed by hand is detected by a refresh", async () => {
  const puller = await made();
  for (const changed of [[...capabilities, "CAP_IAM_GROUPS_DELETE"], capabilities.slice(1)]) {
    await puller.byHand({ capabilities: changed });
    expect((await puller.refresh())?.inputs["capabilities"]).toEqual([...changed].sort());
    expect((await puller.refreshed()).diff().changes).toBe(true);
  }
});

test("a role that is bound is not deleted, and the error names the binding, and whose it is", async () => {
  const puller = await made();
  const zoe = await fixture.theirs(identity, { name: "zoe" });
  const binding = await fixture.theirs(roleBinding, { roleUid: puller.uid, identityUid: zoe.uid });
  const named = [`blocked by "zoe" (${zoe.uid}) as `, ` (role binding ${binding.uid}).`];
  await expectFailure(puller.remove(), "FAILED_PRECONDITION", ...named);
  expect(await puller.exists()).toBe(true);
});

test("a built-in role is read with its capabilities and without a parent", async () => {
  const viewer = await fixture.platform.named("roles", "viewer");
  const { props } = await get(role, viewer.uid, fixture.run());
  expect(props).toMatchObject({ name: "viewer", capabilities: [...(viewer["capabilities"] as string[])].sort() });
  expect(props).not.toHaveProperty("parentUid");
});
