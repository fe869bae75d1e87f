import { type Asked, json } from "../support/fault-proxy";
import { isListOf } from "../support/interference";
import { expectFailure, identity, ResourceFixture, roleBinding } from "../support/resource-fixture";

const fixture = ResourceFixture.forFile();

test("each List that many deletions are proven by is asked for a control too: access may change between two Lists", async () => {
  const parentUid = await fixture.parent();
  const control = await fixture.theirs(roleBinding, { parentUid });
  const objects = await Promise.all(Array.from({ length: 45 }, () => fixture.theirs(roleBinding, { parentUid })));
  const uids = objects.map(({ uid }) => uid);
  const asked: string[][] = [];
  const every = Promise.withResolvers<undefined>();
  let unanswered = objects.length;
  fixture.proxy.interfere = async (request: Asked, forward) => {
    if (isListOf(roleBinding)(request)) asked.push(request.query.getAll("uidp.ids"));
    const answer = await forward();
    if (request.method !== "DELETE") return answer;
    if (--unanswered === 0) every.resolve(undefined);
    await every.promise;
    return answer;
  };
  const run = fixture.run();
  await Promise.all(objects.map((object) => object.remove(run)));
  const proofs = asked.filter((each) => each.some((uid) => uids.includes(uid)));
  expect(proofs.length).toBeGreaterThan(1);
  for (const proof of proofs) expect(proof.filter((uid) => !uids.includes(uid))).not.toEqual([]);
  expect(await fixture.uids(roleBinding, parentUid)).toEqual([control.uid]);
});

test("a control in the same place is found on a platform with more objects than a page, and none in the root", async () => {
  const gone = await fixture.theirs(identity);
  const [control, elsewhere] = [await fixture.theirs(identity, { parentUid: gone.place }), await fixture.theirs(identity)];
  await gone.deletedByHand();
  fixture.proxy.interfere = async ({ query, ...asked }) => {
    if (!isListOf(identity)({ query, ...asked }) || query.has("uidp.ids")) return undefined;
    const isRoot = query.get("uidp.children_of") === fixture.platform.root;
    const first = query.has("uidp.descendants_of") ? [await elsewhere.stored()] : [];
    return isRoot || first.length > 0
      ? json(200, { identities: first, nextPageToken: "more", totalCount: "700", skipped: 0 })
      : undefined;
  };
  expect(await gone.refresh()).toBeUndefined();
  await control.deletedByHand();
  await expectFailure(gone.refresh(fixture.run()), "NOT_GONE");
});

// The engine saves its state before and after each step, one save at a time.
test.each([0, 5, 30, 200])("eight workers share one List, however long the engine saves its state (%i ms)", async (saveMs) => {
  const parentUid = await fixture.parent();
  const made = Array.from({ length: 41 }, () => fixture.theirs(roleBinding, { parentUid }));
  const [, ...objects] = await Promise.all(made);
  const run = fixture.run();
  let saved = Promise.resolve();
  const save = () => (saved = saved.then(() => fixture.clock.sleep(saveMs)));
  const left = objects.values();
  const worker = async () => {
    for (const object of left) {
      await save();
      await object.remove(run);
      await save();
    }
  };
  fixture.proxy.seen.length = 0;
  await Promise.all(Array.from({ length: 8 }, worker));
  const proofs = fixture.proxy.seen.filter((asked) => isListOf(roleBinding)(asked) && asked.query.has("uidp.ids"));
  // A run learns from its first deletions how long a save takes.
  expect(proofs.length).toBeLessThanOrEqual(8 + objects.length / 8);
});
