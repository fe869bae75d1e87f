import { empty, isDelete, isListOf, listOf, notFound, on, refusal } from "../../support/interference";
import { json } from "../../support/fault-proxy";
import { expectFailure, identity, type Resource, ResourceFixture, roleBinding } from "../../support/resource-fixture";

const fixture = ResourceFixture.forFile();

/** A short time to ask again about objects that a List still shows. */
const timing = { propagationMs: 30 };

const isList = isListOf(roleBinding);

/** Lists of role bindings show only those of `mine` that exist. */
const showOnly = (...mine: Resource[]) =>
  on(isList, async () => {
    const rows = await Promise.all(mine.map((each) => each.stored()));
    return listOf(
      roleBinding,
      rows.filter((row) => row !== undefined),
    );
  });

test("the last binding that these credentials see is deleted if its place stays visible: the List showed it, and has no other object", async () => {
  await fixture.platform.settings({ tokenGrants: "snapshot" });
  const identityUid = await fixture.identity();
  const last = await fixture.theirs(roleBinding, { identityUid, roleUid: await fixture.platform.role("owner") });
  const { token } = await fixture.as(identityUid);
  await last.remove(fixture.run({ token, timing }));
  expect(await last.exists()).toBe(false);
});

test.each([1, 15])("on a platform without any other binding, all of %i bindings are deleted", async (count) => {
  const [parentUid, run] = [await fixture.parent(), fixture.run()];
  const mine = await Promise.all(Array.from({ length: count }, () => fixture.theirs(roleBinding, { parentUid })));
  fixture.proxy.interfere = showOnly(...mine);
  await Promise.all(mine.map((each) => each.remove(run)));
  expect(await fixture.uids(roleBinding, parentUid)).toEqual([]);
});

describe("a binding is not deleted by the success of a DELETE", () => {
  let other: Promise<Resource> | undefined;
  /** The same binding in every answer. */
  const elsewhere = async () => [await (await (other ??= fixture.theirs(roleBinding))).stored()].flatMap((row) => row ?? []);

  test.each<[string, (binding: Resource, isSent: boolean) => Promise<object>]>([
    ["that no List has shown", () => Promise.resolve(listOf(roleBinding))],
    [
      "of which a page with a next one was the last sight, however short it was",
      async (binding, isSent) =>
        isSent
          ? listOf(roleBinding)
          : json(200, { roleBindings: [await binding.stored()], nextPageToken: "more", totalCount: "700", skipped: 0 }),
    ],
    [
      "that the whole List did not show before, whatever is visible elsewhere",
      async () => listOf(roleBinding, await elsewhere()),
    ],
  ])("%s", async (_what, shown) => {
    const binding = await fixture.theirs(roleBinding);
    let isSent = false;
    fixture.proxy.interfere = async (asked) => {
      if (isDelete(asked)) {
        isSent = true;
        return empty;
      }
      return isList(asked) ? ((await shown(binding, isSent)) as typeof empty) : undefined;
    };
    await expectFailure(binding.remove(fixture.run({ timing })), "NOT_GONE");
  });
});

test("the last binding is deleted when the answer of its DELETE was lost, and the platform answers 404 to the next attempt", async () => {
  const last = await fixture.theirs(roleBinding);
  const shown = showOnly(last);
  let attempts = 0;
  fixture.proxy.interfere = async (asked, forward) => {
    if (!isDelete(asked)) return shown(asked, forward);
    if (++attempts > 1) return notFound;
    await forward();
    return "reset";
  };
  await last.remove(fixture.run({ timing }));
  expect(await last.exists()).toBe(false);
});

test("a binding is not deleted by a DELETE that the platform rejected, even if nothing is visible by the next attempt", async () => {
  const binding = await fixture.theirs(roleBinding);
  const row = (await binding.stored()) ?? {};
  let attempts = 0;
  fixture.proxy.interfere = (asked) => {
    if (asked.path.endsWith(binding.uid) && (asked.method === "GET" || attempts > 0)) return notFound;
    if (isDelete(asked)) {
      attempts++;
      return refusal(400, 9);
    }
    return isList(asked) ? listOf(roleBinding, attempts > 0 ? [] : [row]) : undefined;
  };
  await expectFailure(binding.remove(fixture.run({ timing })), "NOT_GONE");
});

test("the last identity that an earlier run deleted stays in state until the List shows another one in its place or above", async () => {
  const gone = await fixture.theirs(identity);
  await gone.deletedByHand();
  fixture.proxy.interfere = on(isListOf(identity), async () => listOf(identity, await fixture.children(identity, gone.place)));
  await expectFailure(gone.refresh(), "NOT_GONE", `no other identity in ${gone.place}`, `pulumi-platform forget ${gone.uid}`);
  await fixture.theirs(identity, { parentUid: gone.place });
  expect(await gone.refresh()).toBeUndefined();
});
