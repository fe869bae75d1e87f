import type { Kind } from "../../../provider/kinds/kind";
import { remove } from "../../../provider/resources/delete";
import { type Answer, json } from "../../support/fault-proxy";
import { accountAssociation, expectFailure, externalGroupRoleMapping, groupInvite } from "../../support/resource-fixture";
import { identity, identityProvider, ResourceFixture, roleBinding } from "../../support/resource-fixture";

const fixture = ResourceFixture.forFile();

/** What a List still shows is asked about again for a moment only. */
const timing = { attemptMs: 20_000, budgetMs: 20_000, propagationMs: 30 };

const success: Answer = { status: 200, headers: {}, body: "" };

/** An object of the kind, beside another one. */
async function made(kind: Kind) {
  const place = await fixture.place(kind);
  await fixture.colleague(kind, await fixture.inputs(kind, await fixture.place(kind)));
  const inputs = await fixture.inputs(kind, place);
  const { uid } = await fixture.colleague(kind, inputs);
  return { uid, inputs };
}

const exists = async (kind: Kind, uid: string) =>
  (await fixture.platform.objects(kind.collection.segment)).some((row) => row.uid === uid);

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
    const { uid, inputs } = await made(kind);
    fixture.proxy.interfere = ({ method }, forward) => (method === "DELETE" ? success : forward());
    await expectFailure(
      remove(kind, uid, inputs, fixture.run({ timing })),
      "NOT_GONE",
      noun,
      uid,
      "its DELETE succeeded",
      "the List of its kind still shows it",
      "It stays in state",
    );
    expect(await exists(kind, uid)).toBe(true);
    fixture.proxy.interfere = () => undefined;
    await remove(kind, uid, inputs, fixture.run({ timing }));
    expect(await exists(kind, uid)).toBe(false);
  });

  test("that the caller cannot see, on a platform that answers success to its DELETE, stays in state", async () => {
    await fixture.platform.settings({ denials: "hidden" });
    const { uid, inputs } = await made(kind);
    const runner = await fixture.identity();
    const role = await fixture.platform.create("roles", fixture.platform.root, {
      name: fixture.name("role"),
      capabilities: ["CAP_IAM_GROUPS_LIST", "CAP_IAM_ROLE_BINDINGS_LIST", "CAP_IAM_ROLES_LIST"],
    });
    const bound = { parentUid: fixture.platform.root, identityUid: runner, roleUid: role.uid };
    if (kind !== roleBinding) await fixture.colleague(roleBinding, bound);
    fixture.proxy.interfere = async ({ method }, forward) => {
      const answer = await forward();
      return method === "DELETE" && answer.status >= 400 ? success : answer;
    };
    const token = await fixture.platform.apiToken({ identity: runner });
    const run = fixture.run({ timing, token, caller: { uid: runner } });
    await expectFailure(remove(kind, uid, inputs, run), "NOT_GONE");
    expect(await exists(kind, uid)).toBe(true);
  });
});

test("many deletions of one kind share their proof", async () => {
  for (const [, kind] of access) {
    const objects = await Promise.all(Array.from({ length: 20 }, () => made(kind)));
    await fixture.platform.clearRequests();
    const run = fixture.run({ caller: { uid: fixture.platform.identity } });
    await Promise.all(objects.map(({ uid, inputs }) => remove(kind, uid, inputs, run)));
    const asked = (await fixture.platform.requests()).filter(({ method }) => method === "GET");
    // However the answers fall together, there are far fewer than two requests for each.
    expect(asked.length).toBeLessThan(2 * objects.length);
  }
});

test("a List of identity providers that does not work stops no deletion", async () => {
  const { uid, inputs } = await made(identityProvider);
  fixture.proxy.interfere = ({ method, path }, forward) =>
    method === "GET" && path.endsWith("/identityProviders") ? json(500, { code: 13, message: "broken", details: [] }) : forward();
  await remove(identityProvider, uid, inputs, fixture.run({ timing: { ...timing, budgetMs: 2_000 } }));
  expect(await exists(identityProvider, uid)).toBe(false);
});
