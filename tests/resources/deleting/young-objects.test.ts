import type { Inputs, Kind } from "../../../provider/schema/kind";
import { remove } from "../../../provider/resources/object/delete";
import { refresh } from "../../../provider/resources/object/read";
import { json } from "../../support/fault-proxy";
import { declare, group, kinds, ResourceFixture, roleBinding } from "../../support/resource-fixture";
import { accessProvider } from "../../support/access-fixture";

const fixture = ResourceFixture.forFile();

/** How long a new object may be missing from answers, as the provider assumes it. */
const propagationMs = 30_000;

/** More than calls wait, in all, for others that may share their questions. */
const gatheringMs = 100;

const notFound = json(404, { code: 5, message: "Not Found", details: [] });

const { clock } = fixture;

/** When everything that exists was old. */
let since = 0;
const waitedMs = () => clock.now() - since;
async function letTimePass(ms: number): Promise<void> {
  await clock.pass(ms);
  since = clock.now();
}

/** A process of the provider host. */
const run = () => fixture.run({ timing: { firstDelayMs: 200, longestDelayMs: 5_000, propagationMs } });

/** An object that was created just now, among older ones. */
async function justCreated(kind: Kind): Promise<{ id: string; outs: Inputs }> {
  const place = await fixture.place(kind);
  // Another of its kind, which shows that the List works.
  if (kind.naturalKey.length > 0 && !kind.sharesUid) await declare(kind, await fixture.inputs(kind, place), run());
  const inputs = await fixture.inputs(kind, place);
  await letTimePass(3_600_000);
  return declare(kind, inputs, run());
}

const withCreateTime = kinds.filter(([, { fields }]) => "createTime" in fields);

const exists = async ({ collection }: Kind, uid: string) =>
  (await fixture.platform.objects(collection.segment)).some((each) => each.uid === uid);

describe.each(withCreateTime)("a %s that was created just now", (_noun, kind) => {
  test("stays in state while neither Get nor List shows it yet", async () => {
    const { id, outs } = await justCreated(kind);
    await fixture.platform.settings({ readLagMs: 20_000, listLagMs: 20_000 });
    expect(await refresh(kind, id, outs, run())).toMatchObject({ id });
    expect(waitedMs()).toBeLessThan(propagationMs + gatheringMs);
  });

  test("is gone if it is still missing when every answer would show it", async () => {
    const { id, outs } = await justCreated(kind);
    await fixture.platform.delete(kind.collection.segment, id);
    expect(await refresh(kind, id, outs, run())).toBeUndefined();
    expect(waitedMs()).toBeGreaterThan(propagationMs - 5_000);
    expect(waitedMs()).toBeLessThan(propagationMs + gatheringMs);
  });

  test("is deleted, although the first DELETE does not find it yet", async () => {
    const { id, outs } = await justCreated(kind);
    await fixture.platform.settings({ listLagMs: 20_000 });
    let isFirst = true;
    fixture.proxy.interfere = ({ method }, forward) => {
      if (method !== "DELETE" || !isFirst) return forward();
      isFirst = false;
      return notFound;
    };
    await remove(kind, id, { ...outs, deletionPolicy: "delete" }, run());
    expect(await exists(kind, id)).toBe(false);
  });
});

test("nothing waits for an object that is older", async () => {
  const { id, outs } = await justCreated(group);
  await letTimePass(propagationMs + 1_000);
  await fixture.platform.delete("groups", id);
  expect(await refresh(group, id, outs, run())).toBeUndefined();
  expect(waitedMs()).toBeLessThan(gatheringMs);
});

test("without the platform's time, what is in the state counts as young from the first answer on", async () => {
  const { id, outs } = await justCreated(group);
  await letTimePass(2 * propagationMs);
  await fixture.platform.delete("groups", id);
  fixture.proxy.interfere = async (_asked, forward) => {
    const answer = await forward();
    return { ...answer, headers: { ...answer.headers, date: "unknown" } };
  };
  expect(await refresh(group, id, outs, run())).toBeUndefined();
  expect(waitedMs()).toBeGreaterThan(propagationMs - 5_000);
  expect(waitedMs()).toBeLessThan(propagationMs + gatheringMs);
});

describe("access of a group", () => {
  /** A `GroupAccess` with one member, whose binding was created just now. */
  async function access() {
    const [parentUid, identityUid] = [await fixture.parent(), await fixture.identity()];
    await fixture.colleague(roleBinding, { parentUid, identityUid: await fixture.identity(), roleUid: fixture.viewer });
    await letTimePass(3_600_000);
    const provider = accessProvider(run());
    const { inputs } = await provider.check({}, { parentUid, access: { viewer: { ci: identityUid } }, adopt: true });
    const { id, outs } = await provider.create(inputs);
    const [binding = ""] = Object.values((outs["bindings"] as Record<string, Record<string, string>>)["viewer"] ?? {});
    return {
      binding,
      read: async () => (await accessProvider(run()).read(id, outs)).props?.["access"],
      declared: { ci: identityUid },
    };
  }

  test("keeps a member whose binding was created just now and is not shown yet", async () => {
    const { read, declared } = await access();
    await fixture.platform.settings({ readLagMs: 20_000, listLagMs: 20_000 });
    expect(await read()).toEqual({ viewer: expect.objectContaining(declared) as unknown });
    expect(waitedMs()).toBeLessThan(propagationMs + gatheringMs);
  });

  test("loses a member whose binding is still missing when every answer would show it", async () => {
    const { binding, read, declared } = await access();
    await fixture.platform.delete("roleBindings", binding);
    expect(await read()).toEqual({ viewer: expect.not.objectContaining(declared) as unknown });
    expect(waitedMs()).toBeGreaterThan(propagationMs - 5_000);
    await letTimePass(2_000);
    await read();
    expect(waitedMs()).toBeLessThan(gatheringMs);
  });
});
