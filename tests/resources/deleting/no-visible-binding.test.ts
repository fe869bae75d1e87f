import type { Kind } from "../../../provider/kinds/kind";
import { remove } from "../../../provider/resources/delete";
import { refresh } from "../../../provider/resources/read";
import { json } from "../../support/fault-proxy";
import { accountAssociation, expectFailure, externalGroupRoleMapping, groupInvite } from "../../support/resource-fixture";
import { identityProvider, ResourceFixture, roleBinding } from "../../support/resource-fixture";

const fixture = ResourceFixture.forFile();

/** Long enough for a busy machine; what a List still shows is asked about again for a moment only. */
const timing = { attemptMs: 20_000, budgetMs: 20_000, propagationMs: 30 };

describe.each<[string, Kind]>([
  ["account association", accountAssociation],
  ["external group role mapping", externalGroupRoleMapping],
  ["group invite", groupInvite],
  ["identity provider", identityProvider],
])("%s, of which a List may be empty, for a runner that sees no role binding of its own", (_, kind) => {
  const setUp = async (...allowed: string[]) => {
    await fixture.platform.settings({ denials: "hidden" });
    const runner = await fixture.identity();
    const capabilities = ["CAP_IAM_GROUPS_LIST", ...allowed];
    const { uid: roleUid } = await fixture.platform.create("roles", fixture.platform.root, {
      name: fixture.name("role"),
      capabilities,
    });
    const { uid: binding } = await fixture.colleague(roleBinding, {
      parentUid: fixture.platform.root,
      identityUid: runner,
      roleUid,
    });
    const { uid, ...inputs } = await fixture.colleague(kind, await fixture.inputs(kind, await fixture.place(kind)));
    const token = await fixture.platform.apiToken({ identity: runner });
    return { uid, inputs, binding, run: fixture.run({ token, caller: { uid: runner }, timing }) };
  };
  const isThere = async (uid: string) =>
    (await fixture.platform.objects(kind.collection.segment)).some((object) => object["uid"] === uid);

  test.each(["refresh", "delete"])("it is not gone while it is hidden: %s", async (verb) => {
    const { uid, inputs, run } = await setUp();
    const gone = verb === "refresh" ? refresh(kind, uid, inputs, run) : remove(kind, uid, inputs, run);
    await expectFailure(gone, "NOT_GONE");
    expect(await isThere(uid)).toBe(true);
  });

  test("it is not deleted by a runner that has lost its role bindings since the first DELETE", async () => {
    const allowed = ["LIST", "DELETE"].map((verb) => `CAP_${kind.collection.capabilities}_${verb}`);
    const { uid, inputs, run, binding } = await setUp("CAP_IAM_ROLE_BINDINGS_LIST", "CAP_IAM_ROLES_LIST", ...allowed);
    const { uid: first, ...others } = await fixture.colleague(kind, await fixture.inputs(kind, await fixture.place(kind)));
    await remove(kind, first, others, run);
    expect(await isThere(first)).toBe(false);
    await fixture.platform.delete("roleBindings", binding);
    // The platform answers success to the DELETE of what it hides.
    fixture.proxy.interfere = ({ method }) => (method === "DELETE" ? json(200, {}) : undefined);
    await expectFailure(remove(kind, uid, inputs, run), "NOT_GONE");
    expect(await isThere(uid)).toBe(true);
  });

  test("it is deleted where the List showed it before", async () => {
    const allowed = ["LIST", "DELETE"].map((verb) => `CAP_${kind.collection.capabilities}_${verb}`);
    const { uid, inputs, run } = await setUp(...allowed);
    await remove(kind, uid, inputs, run);
    expect(await isThere(uid)).toBe(false);
  });
});
