import type { Inputs } from "../../../provider/kinds/kind";
import { role } from "../../../provider/kinds/role";
import { remove } from "../../../provider/resources/delete";
import { ownAccess, type Runner } from "../../support/own-access";
import { identity, ResourceFixture, roleBinding } from "../../support/resource-fixture";

const fixture = ResourceFixture.forFile();
let runner: () => Promise<Runner>;

beforeAll(async () => {
  ({ runner } = await ownAccess(fixture));
});

test("identity, role and binding of the caller, deleted at once, do not wait for each other in a circle", async () => {
  await fixture.platform.settings({ tokenGrants: "snapshot" });
  const { place, uid, inputs, bind, run } = await runner();
  const { capabilities } = (await fixture.platform.named("roles", "owner")) as Inputs;
  const custom = { name: fixture.name("role"), capabilities };
  const { uid: roleUid } = await fixture.platform.create("roles", place, custom);
  const own = await bind(place, { uid: roleUid });
  const one = await run({ allowSelfLockout: true });
  await Promise.all([
    remove(identity, uid, inputs, one),
    remove(role, roleUid, { parentUid: place, ...custom }, one),
    remove(roleBinding, own.uid, own.state, one),
  ]);
  for (const segment of ["identities", "roles", "roleBindings"])
    expect((await fixture.platform.objects(segment)).map((row) => row.uid)).not.toEqual(
      expect.arrayContaining([expect.stringMatching(new RegExp(`^(${uid}|${roleUid}|${own.uid})$`))]),
    );
});

test.each(["first", "last"])(
  "what the deletion of a role waits for goes before other bindings, which the caller needs for that: requested %s",
  async (order) => {
    const { place, bind, run } = await runner();
    const { capabilities } = (await fixture.platform.named("roles", "owner")) as Inputs;
    const custom = async (allows: unknown[]) => {
      const inputs = { name: fixture.name("role"), capabilities: allows };
      const { uid } = await fixture.platform.create("roles", place, inputs);
      return { uid, place, inputs, own: await bind(place, { uid }) };
    };
    const strong = await custom((capabilities as string[]).filter((each) => each !== "CAP_REPO_DELETE"));
    const weak = await custom(["CAP_REPO_DELETE", "CAP_IAM_GROUPS_LIST"]);
    const one = await run({ allowSelfLockout: true });
    const bindings = order === "last" ? [strong.own, weak.own] : [weak.own, strong.own];
    await Promise.all([
      remove(role, weak.uid, { parentUid: weak.place, ...weak.inputs }, one),
      ...bindings.map(({ uid, state }) => remove(roleBinding, uid, state, one)),
    ]);
    const left = (await Promise.all(["roles", "roleBindings"].map((each) => fixture.platform.objects(each)))).flat();
    for (const { uid } of [weak, ...bindings]) expect(left.map((row) => row.uid)).not.toContain(uid);
  },
);
