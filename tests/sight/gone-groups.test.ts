import { instead, notFound, on, refusal } from "../support/interference";
import type { Asked } from "../support/fault-proxy";
import { expectFailure, failureOf, identity, repo, ResourceFixture, type Resource, tag } from "../support/resource-fixture";

const fixture = ResourceFixture.forFile();

const refused = refusal(403, 7, "no");
const asksFor =
  (...uids: string[]) =>
  ({ path }: Asked): boolean =>
    uids.some((uid) => path.endsWith(`/${uid}`));

/** An identity in two groups, both deleted by hand with it; what is asked for by name answers 403. */
async function lost(...refusedGroups: ("outer" | "inner")[]): Promise<{ gone: Resource; outer: string; inner: string }> {
  const outer = await fixture.parent();
  const inner = await fixture.parent(outer);
  const gone = await fixture.theirs(identity, { parentUid: inner });
  await gone.deletedByHand();
  for (const uid of [inner, outer]) await fixture.platform.delete("groups", uid);
  await fixture.platform.letTimePass();
  const groups = { outer, inner };
  fixture.proxy.interfere = on(asksFor(gone.uid, ...refusedGroups.map((name) => groups[name])), instead(refused));
  return { gone, ...groups };
}

describe.each(["refresh", "remove"] as const)("%s of what answers 403 in a group that is gone", (verb) => {
  test.each([[[]], [["inner"]]] as const)(
    "says so, and names the command that ends it (refused on the way: %j)",
    async (refusedGroups) => {
      const { gone, outer } = await lost(...refusedGroups);
      const parts = [outer, "is gone", "It stays in state", `pulumi-platform forget ${gone.uid}`, "PERMISSION_DENIED"];
      await expectFailure(gone[verb](), "NOT_GONE", ...parts);
    },
  );

  test("is a mere refusal while the highest of the groups answers 403 too, or while it exists", async () => {
    const { gone } = await lost("outer");
    await expectFailure(gone[verb](), "PERMISSION_DENIED");
    const there = await fixture.theirs(identity);
    fixture.proxy.interfere = on(asksFor(there.uid), instead(refused));
    await expectFailure(there[verb](), "PERMISSION_DENIED");
  });

  test("is not said to be in a group that is gone if a List still shows the group, or if the platform answers 404 to every group", async () => {
    const place = await fixture.parent();
    const there = await fixture.theirs(identity, { parentUid: place });
    for (const hidden of [asksFor(place), ({ path }: Asked) => /\/groups(\/|$)/.test(path)]) {
      fixture.proxy.interfere = (asked) => (asksFor(there.uid)(asked) ? refused : hidden(asked) ? notFound : undefined);
      expect((await failureOf(there[verb]())).message).not.toContain("is gone");
    }
    expect(await there.exists()).toBe(true);
  });
});

test("of a tag, its repo is no group: that it is gone says nothing of a refusal", async () => {
  const image = await fixture.theirs(repo);
  const { uid } = await fixture.theirs(tag, { repoUid: image.uid });
  const gone = await fixture.theirs(tag, { repoUid: image.uid });
  for (const each of [uid, gone.uid]) await fixture.platform.delete("tags", each);
  await image.deletedByHand();
  await fixture.platform.letTimePass();
  fixture.proxy.interfere = on(asksFor(gone.uid), instead(refused));
  await expectFailure(gone.refresh(), "PERMISSION_DENIED");
});

test("an object that is younger than a List may lag behind is refused as it is", async () => {
  const place = await fixture.parent();
  const made = await fixture.made(identity, { parentUid: place });
  await made.deletedByHand();
  await fixture.platform.delete("groups", place);
  fixture.proxy.interfere = on(asksFor(made.uid), instead(refused));
  const run = fixture.run({ timing: { propagationMs: 3_600_000 } });
  await expectFailure(made.refresh(run), "PERMISSION_DENIED");
});

test("the only identity of a department: the error has every sign, and whether a role would show it", async () => {
  const department = await fixture.parent();
  const runner = await fixture.identity();
  const capabilities = ["CAP_IAM_GROUPS_LIST", "CAP_IAM_ROLE_BINDINGS_LIST", "CAP_IAM_ROLES_LIST"];
  const without = await fixture.grant(runner, department, ...capabilities);
  const gone = await fixture.theirs(identity, { parentUid: department });
  await gone.deletedByHand();
  await fixture.platform.letTimePass();
  await fixture.platform.settings({ denials: "hidden" });
  const roleOf = async (...more: string[]) => (await fixture.role([...capabilities, ...more], department)) as unknown;
  const refresh = async () => gone.refresh(fixture.run(await fixture.as(runner)));
  await fixture.platform.change("roleBindings", without, { roleUid: await roleOf() });
  await expectFailure(refresh(), "NOT_GONE", "no role of these credentials is known", "With such an identity");
  await fixture.platform.change("roleBindings", without, { roleUid: await roleOf("CAP_IAM_IDENTITY_LIST") });
  const error = await expectFailure(refresh(), "NOT_GONE", /parent-\d+ answers/, "a role of these credentials is known to allow");
  expect(error.message).not.toContain("With such an identity");
});
