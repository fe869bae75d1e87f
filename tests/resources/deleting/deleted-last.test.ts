import { remove } from "../../../provider/resources/delete";
import { refresh } from "../../../provider/resources/read";
import { json } from "../../support/fault-proxy";
import { expectFailure, identity, ResourceFixture, roleBinding } from "../../support/resource-fixture";

const fixture = ResourceFixture.forFile();

/** Long enough for a busy machine; what a List still shows is asked about again for a moment only. */
const timing = { attemptMs: 20_000, budgetMs: 20_000, propagationMs: 30 };

const notFound = json(404, { code: 5, message: "not found", details: [] });

test("the last binding that these credentials see is deleted if its place stays visible: the List showed it, and has no other object", async () => {
  await fixture.platform.settings({ tokenGrants: "snapshot" });
  const place = await fixture.parent();
  const inputs = { parentUid: place, identityUid: await fixture.identity(), roleUid: await fixture.platform.role("owner") };
  const { uid } = await fixture.colleague(roleBinding, inputs);
  const run = fixture.run({ token: await fixture.platform.apiToken({ identity: inputs.identityUid }), timing });
  await remove(roleBinding, uid, inputs, run);
  expect(await fixture.platform.objects("roleBindings")).not.toContainEqual(expect.objectContaining({ uid }));
});

test("a binding that no List has shown is not deleted by the success of a DELETE", async () => {
  const place = await fixture.parent();
  const inputs = { parentUid: place, identityUid: await fixture.identity(), roleUid: await fixture.platform.role("viewer") };
  const { uid } = await fixture.colleague(roleBinding, inputs);
  fixture.proxy.interfere = (request, forward) => {
    if (request.method === "DELETE") return Promise.resolve({ status: 200, headers: {}, body: "" });
    if (!request.path.endsWith("/roleBindings")) return forward();
    return Promise.resolve(json(200, { roleBindings: [], nextPageToken: "", totalCount: "0", skipped: 0 }));
  };
  await expectFailure(remove(roleBinding, uid, inputs, fixture.run({ timing })), "NOT_GONE");
});

test.each([1, 15])("on a platform without any other binding, all of %i bindings are deleted", async (count) => {
  const [parent, run] = [await fixture.parent(), fixture.run()];
  const own = await Promise.all(
    Array.from({ length: count }, async () => {
      const inputs = await fixture.inputs(roleBinding, parent);
      return { inputs, uid: (await fixture.colleague(roleBinding, inputs)).uid };
    }),
  );
  const mine = new Set(own.map(({ uid }) => uid));
  fixture.proxy.interfere = async (request, forward) => {
    if (request.method !== "GET" || !request.path.endsWith("/roleBindings")) return forward();
    const all = await fixture.platform.objects("roleBindings");
    const roleBindings = all.filter(({ uid }) => mine.has(uid));
    return json(200, { roleBindings, nextPageToken: "", totalCount: String(roleBindings.length), skipped: 0 });
  };
  await Promise.all(own.map(({ inputs, uid }) => remove(roleBinding, uid, inputs, run)));
  const left = (await fixture.platform.objects("roleBindings")).filter(({ uid }) => mine.has(uid));
  expect(left).toEqual([]);
});

test("a page that has a next one is not the whole List, however short: its objects are not the last ones", async () => {
  const inputs = { parentUid: await fixture.parent(), identityUid: await fixture.identity(), roleUid: fixture.viewer };
  const { uid } = await fixture.colleague(roleBinding, inputs);
  let isBlind = false;
  fixture.proxy.interfere = ({ method, path }) => {
    if (method === "DELETE") {
      isBlind = true;
      return { status: 200, headers: {}, body: "" };
    }
    if (method !== "GET" || !path.endsWith("/roleBindings")) return undefined;
    const roleBindings = isBlind ? [] : [{ uid, identityUid: inputs.identityUid, roleUid: inputs.roleUid }];
    return json(200, { roleBindings, nextPageToken: isBlind ? "" : "more", totalCount: isBlind ? "0" : "700", skipped: 0 });
  };
  await expectFailure(remove(roleBinding, uid, inputs, fixture.run({ timing })), "NOT_GONE");
});

test("a binding that the whole List did not show before its DELETE is not deleted, whatever is visible elsewhere", async () => {
  const [here, there] = [await fixture.parent(), await fixture.parent()];
  const inputs = { parentUid: here, identityUid: await fixture.identity(), roleUid: fixture.viewer };
  const { uid } = await fixture.colleague(roleBinding, inputs);
  const other = await fixture.colleague(roleBinding, { ...inputs, parentUid: there });
  fixture.proxy.interfere = ({ method, path }) => {
    if (method === "DELETE") return { status: 200, headers: {}, body: "" };
    if (method !== "GET" || !path.endsWith("/roleBindings")) return undefined;
    return json(200, { roleBindings: [other], nextPageToken: "", totalCount: "1", skipped: 0 });
  };
  await expectFailure(remove(roleBinding, uid, inputs, fixture.run({ timing })), "NOT_GONE");
});

test("the last binding is deleted when the answer of its DELETE was lost, and the platform answers 404 to the next attempt", async () => {
  const inputs = { parentUid: await fixture.parent(), identityUid: await fixture.identity(), roleUid: fixture.viewer };
  const { uid } = await fixture.colleague(roleBinding, inputs);
  let attempts = 0;
  fixture.proxy.interfere = async ({ method, path }, forward) => {
    if (method === "DELETE") {
      if (++attempts > 1) return notFound;
      await forward();
      return "reset";
    }
    if (method !== "GET" || !path.endsWith("/roleBindings")) return forward();
    const roleBindings = (await fixture.platform.objects("roleBindings")).filter((row) => row.uid === uid);
    return json(200, { roleBindings, nextPageToken: "", totalCount: String(roleBindings.length), skipped: 0 });
  };
  await remove(roleBinding, uid, inputs, fixture.run({ timing }));
  expect(await fixture.platform.objects("roleBindings")).not.toContainEqual(expect.objectContaining({ uid }));
});

test("a binding is not deleted by a DELETE that the platform rejected, even if nothing is visible by the next attempt", async () => {
  const inputs = { parentUid: await fixture.parent(), identityUid: await fixture.identity(), roleUid: fixture.viewer };
  const binding = await fixture.colleague(roleBinding, inputs);
  let attempts = 0;
  fixture.proxy.interfere = ({ method, path }) => {
    if (path.endsWith(binding.uid) && (method === "GET" || attempts > 0)) return notFound;
    if (method === "DELETE") {
      attempts++;
      return json(400, { code: 9, message: "blocked for now", details: [] });
    }
    if (method !== "GET" || !path.endsWith("/roleBindings")) return undefined;
    const roleBindings = attempts > 0 ? [] : [binding];
    return json(200, { roleBindings, nextPageToken: "", totalCount: String(roleBindings.length), skipped: 0 });
  };
  await expectFailure(remove(roleBinding, binding.uid, inputs, fixture.run({ timing })), "NOT_GONE");
});

test("the last identity that an earlier run deleted stays in state until the List shows another one in its place or above", async () => {
  const place = await fixture.parent();
  const missing = `${place}/0123456789abcdef`;
  const shown = async () => {
    const all = await fixture.platform.objects("identities");
    return all.filter(({ uid }) => uid.startsWith(`${place}/`));
  };
  fixture.proxy.interfere = async ({ path }) => {
    if (!path.endsWith("/identities")) return undefined;
    const identities = await shown();
    return json(200, { identities, nextPageToken: "", totalCount: String(identities.length), skipped: 0 });
  };
  await expectFailure(
    refresh(identity, missing, {}, fixture.run()),
    "NOT_GONE",
    `no other identity in ${place} or above`,
    "pulumi state delete <urn>",
  );
  await fixture.colleague(identity, await fixture.inputs(identity, place));
  expect(await refresh(identity, missing, {}, fixture.run())).toBeUndefined();
});
