import type { Kind } from "../../../provider/schema/kind";
import { remove } from "../../../provider/resources/object/delete";
import { refresh } from "../../../provider/resources/object/read";
import type { Run } from "../../../provider/resources/run/run";
import type { Interference } from "../../support/fault-proxy";
import { instead, isListOf, listOf, notFound, on } from "../../support/interference";
import { casesOf } from "../../support/tier";
import { declare, expectFailure, failureOf, group, identity, ResourceFixture, role } from "../../support/resource-fixture";
import { roleBinding } from "../../support/resource-fixture";

const fixture = ResourceFixture.forFile();

/** Long enough for a busy machine; what a List still shows is asked about again for a moment only. */
const timing = { attemptMs: 20_000, budgetMs: 20_000, propagationMs: 30 };

/** Access is lost before every request with `npm run test:long`, else before some. */
const step = casesOf(6, 1);

const ways = ["hidden", "refused"].flatMap((denials) => ["live", "snapshot"].map((tokenGrants) => ({ denials, tokenGrants })));

/** The objects of a stack, in a place of their own. */
interface Stack {
  place: string;
  runner: string;
  /** The binding that gives the runner its access. */
  own: string;
  /** Layers in the order in which the engine deletes them. */
  layers: [Kind, string, object][][];
}

/** A stack that declares the identity that manages it. */
async function stackWithRunner(): Promise<Stack> {
  const place = await fixture.parent();
  const someone = async () => (await fixture.colleague(identity, await fixture.inputs(identity, place))).uid;
  const bound = async (identityUid: string, role: string) => {
    const inputs = { parentUid: place, identityUid, roleUid: await fixture.platform.role(role) };
    return [roleBinding, (await fixture.colleague(roleBinding, inputs)).uid, inputs] as [Kind, string, object];
  };
  const [runner, other, third] = [await someone(), await someone(), await someone()];
  const own = await bound(runner, "owner");
  const bindings = [own, await bound(other, "viewer"), await bound(third, "viewer")];
  // Another owner's, and not in the stack: it shows that a List works when all others are gone.
  await bound(await fixture.identity(), "viewer");
  const groups = await Promise.all([1, 2].map(() => fixture.parent(place)));
  return {
    place,
    runner,
    own: own[1],
    layers: [
      bindings,
      [other, third].map((uid) => [identity, uid, { parentUid: place }]),
      groups.map((uid) => [group, uid, { parentUid: place }]),
    ],
  };
}

/** Deletes layer by layer, as the engine does with `--continue-on-error`: uids of what was reported as deleted. */
async function destroy(layers: Stack["layers"], run: Run): Promise<string[]> {
  const deleted: string[] = [];
  for (const layer of layers) {
    const outcomes = await Promise.allSettled(layer.map(([kind, uid, state]) => remove(kind, uid, { ...state }, run)));
    deleted.push(...outcomes.flatMap(({ status }, index) => (status === "fulfilled" ? [layer[index]?.[1] ?? ""] : [])));
  }
  return deleted;
}

/** The uids of groups, identities and bindings that the platform has. */
async function existing(): Promise<Set<string>> {
  const all = await Promise.all(
    ["groups", "identities", "roleBindings"].map((collection) => fixture.platform.objects(collection)),
  );
  return new Set(all.flat().map(({ uid }) => uid));
}

/** Removes the access right before request number `count`, counted from 1. */
function losing(own: string, count: number, next: Interference = (_request, forward) => forward()): Interference {
  let asked = 0;
  return async (request, forward) => {
    if (++asked === count) await fixture.platform.delete("roleBindings", own);
    return next(request, forward);
  };
}

/** A platform that answers success to the delete of what it hides and what gives access: bindings and identities. */
const coveringUp: Interference = async ({ method, path }, forward) => {
  const answer = await forward();
  const isHidden = method === "DELETE" && !path.includes("/groups/") && answer.status === 404;
  return isHidden ? { status: 200, headers: answer.headers, body: "" } : answer;
};

describe.each(ways)("denials are $denials, grants $tokenGrants", ({ denials, tokenGrants }) => {
  const begin = async () => {
    await fixture.platform.settings({ denials, tokenGrants });
    const stack = await stackWithRunner();
    const token = await fixture.platform.apiToken({ identity: stack.runner });
    return { ...stack, token };
  };

  test.each([
    ["knows that it would lock itself out, and may", true],
    ["does not know who it is", false],
  ])("a runner that deletes its own binding and %s reports no existing object as deleted", async (_what, isKnown) => {
    const { runner, token, layers, own } = await begin();
    const run = fixture.run({ token, timing, allowSelfLockout: true, ...(isKnown && { caller: { uid: runner } }) });
    const deleted = await destroy(layers, run);
    const left = await existing();
    expect(deleted.filter((uid) => left.has(uid))).toEqual([]);
    expect(left.has(own)).toBe(false);
    const all = layers.flat().length;
    if (tokenGrants === "snapshot") expect(deleted).toHaveLength(all);
    // The other bindings go at the same time; what comes after them cannot be deleted.
    else expect(left.size).toBeGreaterThanOrEqual(4);
    if (isKnown) expect(deleted).toContain(own);
  });

  test.each([
    ["", undefined],
    [", where a DELETE of hidden access succeeds", coveringUp],
  ])("access that is lost at any moment of a destroy loses no object from state%s", async (_what, next) => {
    for (let count = 1, requests = Infinity; count <= requests + step; count += step) {
      const { token, layers, own } = await begin();
      const others = layers.map((layer) => layer.filter(([, uid]) => uid !== own));
      await fixture.platform.clearRequests();
      fixture.proxy.interfere = losing(own, count, next);
      const deleted = await destroy(others, fixture.run({ token, timing }));
      requests = (await fixture.platform.requests()).length;
      const left = await existing();
      expect({ count, deletedButLeft: deleted.filter((uid) => left.has(uid)) }).toEqual({ count, deletedButLeft: [] });
      const all = others.flat().length;
      if (tokenGrants === "snapshot" || count > requests)
        expect({ count, deleted: deleted.length }).toEqual({ count, deleted: all });
      if (count > requests) return;
    }
  });

  test("access that is lost at any moment of a refresh drops no object that exists", async () => {
    for (let count = 1, requests = Infinity; count <= requests + step; count += step) {
      const { token, layers, own, place } = await begin();
      const objects = layers.flat().filter(([, uid]) => uid !== own);
      const gone = objects.filter((_object, index) => index % 2 === 0).map(([, uid]) => uid);
      for (const [kind, uid] of objects) if (gone.includes(uid)) await fixture.platform.delete(kind.collection.segment, uid);
      await fixture.platform.clearRequests();
      fixture.proxy.interfere = losing(own, count);
      const run = fixture.run({ token, timing });
      const outcomes = await Promise.allSettled(objects.map(([kind, uid]) => refresh(kind, uid, {}, run)));
      requests = (await fixture.platform.requests()).length;
      const dropped = outcomes.flatMap((outcome, index) =>
        outcome.status === "fulfilled" && outcome.value === undefined ? [objects[index]?.[1] ?? ""] : [],
      );
      expect({ count, wrong: dropped.filter((uid) => !gone.includes(uid)) }).toEqual({ count, wrong: [] });
      if (tokenGrants === "snapshot" || count > requests)
        expect({ count, place, dropped }).toEqual({ count, place, dropped: gone });
      if (count > requests) return;
    }
  });
});

describe.each<[string, Kind]>([
  ["group", group],
  ["identity", identity],
  ["role binding", roleBinding],
])("a %s", (_noun, kind) => {
  test("that answers 404 while its List shows it stays in state", async () => {
    const object = await fixture.theirs(kind);
    fixture.proxy.interfere = on(({ path }) => path.endsWith(object.uid), instead(notFound));
    await expectFailure(object.refresh(), "NOT_GONE");
    await expectFailure(object.remove(fixture.run({ timing })), "NOT_GONE", "still shows it");
  });

  test("whose kind answers only 404 and an empty List stays in state", async () => {
    const object = await fixture.theirs(kind);
    const isOfKind = ({ path }: { path: string }) => path.includes(`/${kind.collection.segment}`);
    fixture.proxy.interfere = on(isOfKind, (_forward, asked) => (isListOf(kind)(asked) ? listOf(kind) : notFound));
    await expectFailure(object.refresh(), "NOT_GONE");
  });

  test("is gone by proofs requested after its 404 only: an earlier one of the same run proves nothing", async () => {
    const [object, missing] = [await fixture.theirs(kind), `${fixture.platform.root}/0123456789abcdef`];
    const run = fixture.run();
    expect(await refresh(kind, missing, {}, run)).toBeUndefined();
    fixture.proxy.interfere = (asked) => {
      if (isListOf(kind)(asked)) return listOf(kind);
      return asked.path.includes("/groups/") || asked.path.endsWith(object.uid) ? notFound : undefined;
    };
    await expectFailure(object.refresh(run), "NOT_GONE");
  });
});

test("only the first of several objects that are not visible lists the options", async () => {
  const [parent, run] = [await fixture.parent(), fixture.run()];
  const uids = ["0123456789abcdef", "fedcba9876543210"].map((end) => `${parent}/${end}`);
  fixture.proxy.interfere = () => notFound;
  const errors = [];
  for (const uid of uids) errors.push(await failureOf(refresh(identity, uid, {}, run)));
  expect(errors.map(({ code }) => code)).toEqual(["NOT_GONE", "NOT_GONE"]);
  const [first = "", second = ""] = errors.map(({ message }) => message);
  expect(first).toContain("pulumi-platform forget");
  expect(second).not.toContain("pulumi-platform forget");
  for (const part of [uids[1], "cannot see", "It stays in state."]) expect(second).toContain(part);
});

test("a platform that ignores the filter of uids is handled: its rows are searched", async () => {
  const object = await fixture.theirs(identity);
  fixture.proxy.interfere = async ({ path, query }) => {
    if (path.endsWith(object.uid)) return notFound;
    if (!query.has("uidp.ids")) return undefined;
    const all = await fixture.platform.objects("identities");
    // A page holds 200 rows at most.
    return listOf(
      identity,
      all.filter((row) => row.uid === object.uid || row.uid === fixture.platform.identity),
    );
  };
  await expectFailure(object.refresh(), "NOT_GONE");
  await object.deletedByHand();
  expect(await object.refresh()).toBeUndefined();
});

describe("a runner that sees its own bindings in part", () => {
  /** An object of identities in `here`, and a runner with these capabilities in the whole organisation, here and elsewhere. */
  async function runner(everywhere: string[], there: string[], kind: Kind = identity) {
    await fixture.platform.settings({ denials: "hidden" });
    const uid = await fixture.identity();
    const elsewhere = await fixture.theirs(identity);
    await fixture.grant(uid, fixture.platform.root, "CAP_IAM_GROUPS_LIST", ...everywhere);
    const reader = { identityUid: uid, roleUid: await fixture.role(there) };
    if (there.length > 0) await fixture.theirs(roleBinding, { parentUid: elsewhere.place, ...reader });
    return { uid, reader, object: await fixture.theirs(kind), run: fixture.run({ ...(await fixture.as(uid)), timing }) };
  }

  test("proves nothing by a capability that it holds in another part of the organisation, but by a role here", async () => {
    const everywhere = ["CAP_IAM_ROLE_BINDINGS_LIST", "CAP_IAM_ROLES_LIST"];
    const { reader, object, run } = await runner(everywhere, ["CAP_IAM_IDENTITY_LIST"]);
    await expectFailure(object.refresh(run), "NOT_GONE");
    await fixture.theirs(roleBinding, { parentUid: object.place, ...reader });
    expect(await object.refresh(run)).toBeDefined();
    await object.deletedByHand();
    expect(await object.refresh(run)).toBeUndefined();
  });

  test("proves nothing by a role that it has here and elsewhere, and cannot read", async () => {
    const { reader, object, run } = await runner(["CAP_IAM_ROLE_BINDINGS_LIST"], ["CAP_IAM_IDENTITY_LIST"]);
    await fixture.theirs(roleBinding, { parentUid: object.place, ...reader });
    await object.deletedByHand();
    await expectFailure(object.refresh(run), "NOT_GONE", "no role of these credentials is known to allow listing identities");
  });

  test("proves nothing by objects elsewhere, if it is unknown whose credentials it has", async () => {
    const everywhere = ["CAP_IAM_ROLE_BINDINGS_LIST", "CAP_IAM_ROLES_LIST"];
    const { uid, object } = await runner(everywhere, ["CAP_IAM_IDENTITY_LIST"]);
    const { token } = await fixture.as(uid);
    await object.deletedByHand();
    await expectFailure(object.refresh(fixture.run({ token, timing })), "NOT_GONE", "platform:identity");
  });

  test("proves nothing by objects elsewhere, where it sees a binding of its own in a third place only", async () => {
    const { uid, object, run } = await runner([], ["CAP_IAM_IDENTITY_LIST"]);
    await fixture.grant(uid, await fixture.parent(), "CAP_IAM_ROLE_BINDINGS_LIST");
    await expectFailure(object.refresh(run), "NOT_GONE");
  });

  test("proves nothing by objects elsewhere, where it sees none", async () => {
    const { object, run } = await runner([], ["CAP_IAM_IDENTITY_LIST"]);
    await expectFailure(object.refresh(run), "NOT_GONE");
  });

  test.each(["refresh", "remove"] as const)("cannot tell that a custom role is gone which it may not list: %s", async (verb) => {
    const { object, run } = await runner(["CAP_IAM_ROLE_BINDINGS_LIST", "CAP_IAM_IDENTITY_LIST"], [], role);
    await expectFailure(object[verb](run), "NOT_GONE");
    expect(await object.exists()).toBe(true);
  });
});

test("a fault that passes keeps its own code, and the object stays in state", async () => {
  const object = await fixture.theirs(group);
  await fixture.platform.fault({ method: "GET", path: "^/iam/" }, { status: 503, code: 14, message: "busy" }, { times: 0 });
  const error = await failureOf(object.remove(fixture.run({ timing: { budgetMs: 1_500 } })));
  expect(["UNAVAILABLE", "NOT_CONNECTED"]).toContain(error["code"]);
  expect(error.message).toContain("Run the command again");
  expect(error.message).not.toContain("forget");
});

test("many deletes of bindings share their proofs", async () => {
  const [parent, run] = [await fixture.parent(), fixture.run()];
  const all = await Promise.all(
    Array.from({ length: 40 }, async () => {
      const inputs = await fixture.inputs(roleBinding, parent);
      return { inputs, uid: (await fixture.colleague(roleBinding, inputs)).uid };
    }),
  );
  await fixture.platform.clearRequests();
  let unanswered = all.length;
  const every = Promise.withResolvers<undefined>();
  fixture.proxy.interfere = async ({ method }, forward) => {
    const answer = await forward();
    if (method !== "DELETE") return answer;
    if (--unanswered === 0) every.resolve(undefined);
    await every.promise;
    return answer;
  };
  await Promise.all(all.map(({ uid, inputs }) => remove(roleBinding, uid, inputs, run)));
  // The place once; then two proofs at most, each of up to two requests for uids, and the search for an object that shows that the List works.
  expect((await fixture.asked("GET")).length).toBeLessThanOrEqual(8);
});

test("reads of objects that are missing in many places share the question about the places", async () => {
  const parents = await Promise.all(Array.from({ length: 20 }, () => fixture.parent()));
  const run = fixture.run();
  // After a write, no List of states answers reads.
  await declare(group, await fixture.inputs(group, await fixture.parent()), run);
  await fixture.platform.clearRequests();
  let unanswered = parents.length;
  const every = Promise.withResolvers<undefined>();
  fixture.proxy.interfere = async ({ path }, forward) => {
    const answer = await forward();
    if (!path.endsWith("0123456789abcdef")) return answer;
    if (--unanswered === 0) every.resolve(undefined);
    await every.promise;
    return answer;
  };
  const gone = await Promise.all(parents.map((parent) => refresh(identity, `${parent}/0123456789abcdef`, {}, run)));
  expect(gone).toEqual(parents.map(() => undefined));
  // Two rounds at most, each of the places, the uids, and, once, an object that shows that the List works; a place alone is read.
  expect((await fixture.asked("GET")).length - parents.length).toBeLessThanOrEqual(8);
});
