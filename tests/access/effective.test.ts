import fc from "fast-check";
import { accessIn, accessOf, type EffectiveGrant } from "../../access/effective";
import { ancestorsOf, pathOf } from "../../access/places";
import type { Snapshot } from "../../access/snapshot";
import { type Grant, people, places, snapshotOf } from "./organisation";

const roleUid = fc.constantFrom("owner", "viewer", "r/custom");
const binding = fc.record({ place: fc.constantFrom(...places), identityUid: fc.constantFrom(...people), roleUid });
const mapping = fc.record({
  place: fc.constantFrom(...places),
  externalGroupId: fc.constantFrom("admins", "staff"),
  roleUid,
});
const bindings = fc.array(binding, { maxLength: 12 });
const staff = { uid: "r/p/m", place: "r", externalGroupId: "staff", identityProviderUid: "r/p", roleUid: "owner" };

const snapshots: fc.Arbitrary<Snapshot> = fc.record({ bindings, mappings: fc.array(mapping, { maxLength: 4 }) }).map((given) => ({
  ...snapshotOf(given.bindings),
  mappings: given.mappings.map((each, index) => ({ ...each, uid: `r/p/m${index}`, identityProviderUid: "r/p" })),
}));

const text = (grant: EffectiveGrant) => JSON.stringify(grant);
const sorted = (grants: EffectiveGrant[]) => grants.map(text).sort();
const seeded = { seed: 1508, numRuns: 300 };

test("a role holds in the group in which it is granted and in all groups below, and nowhere else", () => {
  const check = (snapshot: Snapshot, at: string) => {
    const sources = [...snapshot.bindings, ...snapshot.mappings];
    const expected = sources.filter(({ place }) => [...ancestorsOf(at), at].includes(place)).map(({ uid }) => uid);
    expect(
      accessIn(snapshot, at)
        .map(({ through }) => through.uid)
        .sort(),
    ).toEqual(expected.sort());
  };
  fc.assert(fc.property(snapshots, fc.constantFrom(...places), check), seeded);
});

test("what a group inherits is what holds in its parent", () => {
  const check = (snapshot: Snapshot, at: string) => {
    const parent = ancestorsOf(at).at(-1) ?? "";
    const inherited = accessIn(snapshot, at).filter(({ inheritedFrom }) => inheritedFrom !== undefined);
    const key = ({ through, role }: EffectiveGrant) => [through, role];
    expect(inherited.map(key)).toEqual(accessIn(snapshot, parent).map(key));
  };
  fc.assert(fc.property(snapshots, fc.constantFrom(...places.slice(1)), check), seeded);
});

test("two snapshots together grant what each grants", () => {
  const check = (one: readonly Grant[], other: readonly Grant[], at: string) => {
    const whole = snapshotOf([...one, ...other]);
    const part = (from: number, to?: number) => ({ ...whole, bindings: whole.bindings.slice(from, to) });
    const grants = [...accessIn(part(0, one.length), at), ...accessIn(part(one.length), at)];
    expect(sorted(accessIn(whole, at))).toEqual(sorted(grants));
  };
  fc.assert(fc.property(bindings, bindings, fc.constantFrom(...places), check), seeded);
});

test("without one binding exactly the grants through it are gone, in every group and for every identity", () => {
  const check = (snapshot: Snapshot, choice: number) => {
    const removed = snapshot.bindings[choice % Math.max(1, snapshot.bindings.length)];
    if (removed === undefined) return;
    const less = { ...snapshot, bindings: snapshot.bindings.filter((each) => each !== removed) };
    const isKept = ({ through }: EffectiveGrant) => through.uid !== removed.uid;
    for (const at of places) expect(accessIn(less, at)).toEqual(accessIn(snapshot, at).filter(isKept));
    for (const who of people) expect(accessOf(less, who)).toEqual(accessOf(snapshot, who).filter(isKept));
  };
  fc.assert(fc.property(snapshots, fc.nat(100), check), seeded);
});

test("by group and by identity the access is the same", () => {
  const check = (snapshot: Snapshot) => {
    const byGroup = places.flatMap((at) => accessIn(snapshot, at)).filter(({ identity }) => identity.uid !== undefined);
    expect(sorted(people.flatMap((who) => accessOf(snapshot, who)))).toEqual(sorted(byGroup));
  };
  fc.assert(fc.property(snapshots, check), seeded);
});

test("a grant says who, which role, where, from where and through what", () => {
  const given = snapshotOf([{ place: "r/a", identityUid: "r/a/i2", roleUid: "viewer" }]);
  const [mapped, bound, ...others] = accessIn({ ...given, mappings: [staff] }, "r/a");
  expect([mapped, others]).toEqual([
    {
      identity: { externalGroupId: "staff", identityProviderUid: "r/p" },
      role: { uid: "owner", ...given.roles.get("owner") },
      at: { uid: "r/a", path: "r/a" },
      inheritedFrom: { uid: "r", path: "r" },
      through: { kind: "externalGroupRoleMapping", uid: "r/p/m" },
    },
    [],
  ]);
  expect(bound).toEqual({
    identity: { uid: "r/a/i2", path: "r/a/i2", login: given.identities.get("r/a/i2")?.login },
    role: { uid: "viewer", ...given.roles.get("viewer") },
    at: { uid: "r/a", path: "r/a" },
    through: { kind: "roleBinding", uid: "r/a/binding0" },
  });
});

test("whatever gives a role is a grant, and says by its kind who can take it up", () => {
  const snapshot: Snapshot = {
    ...snapshotOf([]),
    mappings: [staff],
    providers: new Map([["r/p", { name: "sso", login: { oidc: { issuer: "https://sso.example.com" } } }]]),
    offers: [
      { uid: "r/p", kind: "identityProvider", place: "r", roleUid: "viewer" },
      { uid: "r/a/v", kind: "groupInvite", place: "r/a", roleUid: "owner", email: "zoe@acme.example" },
    ],
    accounts: [{ uid: "r/a", place: "r/a", account: "AWS account 123456789012" }],
  };
  const login = { oidc: { issuer: "https://sso.example.com" } };
  const provider = { identityProviderUid: "r/p", identityProviderPath: "r/sso", login };
  expect(accessIn(snapshot, "r/a").map(({ through, role, identity }) => [through, role.name, identity])).toEqual([
    [{ kind: "identityProvider", uid: "r/p" }, "viewer", provider],
    [{ kind: "externalGroupRoleMapping", uid: "r/p/m" }, "owner", { ...provider, externalGroupId: "staff" }],
    [{ kind: "accountAssociation", uid: "r/a" }, "account association", { account: "AWS account 123456789012" }],
    [{ kind: "groupInvite", uid: "r/a/v" }, "owner", { email: "zoe@acme.example" }],
  ]);
});

test.each([
  [undefined, undefined],
  ["shop", "acme/shop/ci"],
])("a path needs every name on the way: with %s it is %s", (name, path) => {
  const names = new Map([
    ["r", "acme"],
    ["r/a/i", "ci"],
  ]);
  expect(pathOf("r/a/i", (uid) => names.get(uid) ?? name)).toBe(path);
});
