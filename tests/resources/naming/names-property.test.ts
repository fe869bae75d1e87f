import fc from "fast-check";
import type { Inputs } from "../../../provider/schema/kind";
import { NamesFixture, update } from "../../support/names-fixture";
import { roleBinding } from "../../support/resource-fixture";
import { casesOf } from "../../support/tier";

const names = NamesFixture.forFile();

const seed = 20_261_122;
const numRuns = casesOf(12, 300);
const roles = ["viewer", "editor", "owner"] as const;

/** One version of a program: which objects a binding has, and in which form it names each. */
const version = fc.record({
  role: fc.constantFrom(...roles),
  identity: fc.constantFrom("ci", "guest"),
  roleForm: fc.constantFrom("uid", "name"),
  identityForm: fc.constantFrom("uid", "path", "login"),
  parentForm: fc.constantFrom("uid", "path"),
  /** A change by hand to the role of the binding before the next version. */
  drift: fc.option(fc.constantFrom(...roles), { freq: 3 }),
});

test("whatever the forms, an update sends exactly the uids that differ, the platform then has what the program means, and nothing is left to do", async () => {
  const { platform } = names.resources;
  const guestLogin = { issuer: "https://issuer.example", subject: names.resources.name("guest") };
  const guest = await platform.create("identities", names.team.uid, { name: "guest", claimMatch: guestLogin });
  const identities = { ci: { uid: names.ci.uid, login: names.login }, guest: { uid: guest.uid, login: guestLogin } };
  const roleUids = Object.fromEntries(await Promise.all(roles.map(async (name) => [name, await builtIn(name)] as const)));

  const program = ({
    role,
    identity,
    roleForm,
    identityForm,
    parentForm,
  }: typeof version extends fc.Arbitrary<infer V> ? V : never): Inputs => ({
    ...(parentForm === "uid" ? { parentUid: names.team.uid } : { parentPath: names.place }),
    ...(roleForm === "uid" ? { roleUid: roleUids[role] } : { roleName: role }),
    ...{
      uid: { identityUid: identities[identity].uid },
      path: { identityRef: `${names.place}/${identity}` },
      login: { identityRef: identities[identity].login },
    }[identityForm],
  });

  const property = fc.asyncProperty(fc.array(version, { minLength: 2, maxLength: 6 }), async ([first, ...others]) => {
    if (first === undefined) return;
    let state = await names.made(roleBinding, program(first));
    let actual = { roleUid: roleUids[first.role], identityUid: identities[first.identity].uid };
    let drift = first.drift;
    for (const next of others) {
      if (drift !== null) {
        await platform.change("roleBindings", state.id, { roleUid: roleUids[drift] });
        actual = { ...actual, roleUid: roleUids[drift] };
        const read = await names.process().of(roleBinding).read(state.id, state.outs);
        state = { ...state, outs: read.props ?? {}, inputs: read.inputs ?? {} };
      }
      await platform.clearRequests();
      const process = names.process();
      const { inputs, diff } = await names.diffed(roleBinding, state, program(next), update, process);
      expect(diff.replaces).toEqual([]);
      const outs = diff.changes ? (await process.of(roleBinding).update(state.id, state.outs, inputs)).outs : state.outs;
      const wanted = { roleUid: roleUids[next.role], identityUid: identities[next.identity].uid };
      const differing = (["identityUid", "roleUid"] as const).filter((field) => wanted[field] !== actual[field]);
      expect((await platform.writes()).map(({ method, body }) => [method, body])).toEqual(
        differing.length === 0 ? [] : [["PATCH", Object.fromEntries(differing.map((field) => [field, wanted[field]]))]],
      );
      expect(outs).toMatchObject({ ...wanted, ...program(next), parentUid: names.team.uid });
      expect(await names.roleOf(state.id)).toBe(wanted.roleUid);
      [state, actual, drift] = [{ id: state.id, inputs, outs }, wanted, next.drift];
      const again = await names.process().of(roleBinding).read(state.id, outs);
      expect(again).toMatchObject({ inputs: program(next), props: outs });
      expect((await names.diffed(roleBinding, state, program(next), {})).diff.changes).toBe(false);
    }
    await names.process().of(roleBinding).delete(state.id, state.outs);
  });
  await fc.assert(property, { seed, numRuns });

  async function builtIn(name: string): Promise<string> {
    return (await platform.objects("roles")).find((row) => row["name"] === name && !row.uid.includes("/"))?.uid ?? "";
  }
});
