import type { Kind } from "../../../provider/schema/kind";
import { empty, instead, isDelete, isListOf, on, refusal } from "../../support/interference";
import {
  accountAssociation,
  expectFailure,
  externalGroupRoleMapping,
  groupInvite,
  identity,
} from "../../support/resource-fixture";
import { identityProvider, type Resource, ResourceFixture, roleBinding } from "../../support/resource-fixture";

const fixture = ResourceFixture.forFile();

/** A short time to ask again about objects that a List still shows. */
const timing = { attemptMs: 20_000, budgetMs: 20_000, propagationMs: 30 };

/** An object of the kind, beside another one. */
async function made(kind: Kind): Promise<Resource> {
  await fixture.theirs(kind);
  return fixture.theirs(kind);
}

/** The kinds that give somebody access. */
const access: [string, Kind][] = [
  ["role binding", roleBinding],
  ["identity", identity],
  ["external group role mapping", externalGroupRoleMapping],
  ["group invite", groupInvite],
  ["identity provider", identityProvider],
  ["account association", accountAssociation],
];

describe.each(access)("a %s", (noun, kind) => {
  test("whose DELETE succeeds without deleting it stays in state: its List still shows it", async () => {
    const object = await made(kind);
    fixture.proxy.interfere = on(isDelete, instead(empty));
    const parts = [noun, object.uid, "its DELETE succeeded", "still shows it", "It stays in state"];
    await expectFailure(object.remove(fixture.run({ timing })), "NOT_GONE", ...parts);
    expect(await object.exists()).toBe(true);
    fixture.proxy.interfere = () => undefined;
    await object.remove(fixture.run({ timing }));
    expect(await object.exists()).toBe(false);
  });

  test("that the caller cannot see, on a platform that answers success to its DELETE, stays in state", async () => {
    await fixture.platform.settings({ denials: "hidden" });
    const object = await made(kind);
    const runner = await fixture.identity();
    const capabilities = ["CAP_IAM_GROUPS_LIST", "CAP_IAM_ROLE_BINDINGS_LIST", "CAP_IAM_ROLES_LIST"];
    if (kind !== roleBinding) await fixture.grant(runner, fixture.platform.root, ...capabilities);
    fixture.proxy.interfere = on(isDelete, async (forward) => {
      const answer = await forward();
      return answer.status >= 400 ? empty : answer;
    });
    await expectFailure(object.remove(fixture.run({ timing, ...(await fixture.as(runner)) })), "NOT_GONE");
    expect(await object.exists()).toBe(true);
  });

  test("is deleted with others of its kind by shared proofs", async () => {
    const objects = await Promise.all(Array.from({ length: 10 }, () => made(kind)));
    await fixture.platform.clearRequests();
    const run = fixture.run({ caller: { uid: fixture.platform.identity } });
    await Promise.all(objects.map((object) => object.remove(run)));
    // However the answers fall together, there are far fewer than two requests for each.
    expect((await fixture.asked("GET")).length).toBeLessThan(2 * objects.length);
  });
});

test("a List of identity providers that does not work stops no deletion", async () => {
  const object = await made(identityProvider);
  fixture.proxy.interfere = on(isListOf(identityProvider), instead(refusal(500, 13)));
  await object.remove(fixture.run({ timing: { ...timing, budgetMs: 2_000 } }));
  expect(await object.exists()).toBe(false);
});

const unbound: [string, Kind][] = access.filter(([, kind]) => kind !== roleBinding && kind !== identity);

describe.each(unbound)("a %s, of which a List may be empty, for a runner that sees no role binding of its own", (_, kind) => {
  const setUp = async (...allowed: string[]) => {
    await fixture.platform.settings({ denials: "hidden" });
    const runner = await fixture.identity();
    const binding = await fixture.grant(runner, fixture.platform.root, "CAP_IAM_GROUPS_LIST", ...allowed);
    const object = await fixture.theirs(kind);
    return { object, binding, run: fixture.run({ ...(await fixture.as(runner)), timing }) };
  };
  const verbs = ["LIST", "DELETE"].map((verb) => `CAP_${kind.collection.capabilities}_${verb}`);

  test.each(["refresh", "remove"] as const)("is not gone while it is hidden: %s", async (verb) => {
    const { object, run } = await setUp();
    await expectFailure(object[verb](run), "NOT_GONE");
    expect(await object.exists()).toBe(true);
  });

  test("is not deleted by a runner that has lost its role bindings since the first DELETE", async () => {
    const { object, run, binding } = await setUp("CAP_IAM_ROLE_BINDINGS_LIST", "CAP_IAM_ROLES_LIST", ...verbs);
    const first = await fixture.theirs(kind);
    await first.remove(run);
    expect(await first.exists()).toBe(false);
    await fixture.platform.delete("roleBindings", binding);
    // The platform answers success to the DELETE of what it hides.
    fixture.proxy.interfere = on(isDelete, instead({ ...empty, body: "{}" }));
    await expectFailure(object.remove(run), "NOT_GONE");
    expect(await object.exists()).toBe(true);
  });

  test("is deleted where the List showed it before", async () => {
    const { object, run } = await setUp(...verbs);
    await object.remove(run);
    expect(await object.exists()).toBe(false);
  });
});
