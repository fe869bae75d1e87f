import { comparisonOf } from "../../../cli/rehearse/comparison";
import { hiddenLogins } from "../../../cli/rehearse/undecided";
import type { PlatformObject } from "../../../inventory/objects";

const [root, old, made] = ["a".repeat(40), `${"a".repeat(40)}/${"1".repeat(16)}`, `${"a".repeat(40)}/${"2".repeat(16)}`];
const owner = "0b3ded7e8be724d96932bc1ec162aac8953cbcc3";

const object = (kind: string, uid: string, place: string | undefined, value: Record<string, unknown>): PlatformObject => ({
  ...{ kind, uid, place, value, row: { uid } },
  ...(typeof value["name"] === "string" && { name: value["name"] }),
});
const top = object("iam:Group", root, undefined, { name: "acme" });
const role = object("iam:Role", owner, undefined, { name: "owner", capabilities: ["CAP_IAM_ROLE_BINDINGS_UPDATE"] });
const group = (uid: string, name: string) => object("iam:Group", uid, root, { name, parentUid: root });
const provider = (within: string, client: string) =>
  object("iam:IdentityProvider", `${within}/${"3".repeat(16)}`, within, {
    ...{ name: "sso", parentUid: within, defaultRoleUid: owner },
    oidc: { issuer: "https://sso.example", clientId: client },
  });

const login = { issuer: "https://issuer.example", subject: "bob" };
const type = "pulumi-nodejs:dynamic/platform/iam";
const state = (...resources: readonly (readonly [kind: string, name: string, id: string])[]) =>
  JSON.stringify({
    version: 3,
    deployment: {
      manifest: { time: "2026-11-28T00:00:00Z" },
      resources: resources.map(([kind, name, id]) => ({
        ...{ urn: `urn:pulumi:live::access::${type}:${kind}::${name}`, type: `${type}:${kind}`, custom: true, id },
        ...{ inputs: {}, outputs: {} },
      })),
    },
  });

const bob = object("iam:Identity", `${root}/${"4".repeat(16)}`, root, { name: "bob", parentUid: root, claimMatch: login });
const binding = (within: string) =>
  object("iam:RoleBinding", `${within}/${"5".repeat(16)}`, within, { parentUid: within, identityUid: bob.uid, roleUid: owner });

test.each(["AccountAssociation", "Group"])(
  "a group that was there before is not the one that the update deletes, although the resource of a %s moves there",
  (kind) => {
    const [before, after] = [old, made].map((at) => ({
      objects: [top, role, bob, binding(at)],
      state: state([kind, "aws", at], ["RoleBinding", "bob", binding(at).uid]),
    })) as [{ objects: PlatformObject[]; state: string }, { objects: PlatformObject[]; state: string }];
    const { changes } = comparisonOf({
      before: [...before.objects, group(old, "a"), group(made, "b")],
      after: [...after.objects, group(made, "b")],
      hidden: [],
      guarded: {},
      stateBefore: before.state,
      stateAfter: after.state,
      now: 0,
    });
    expect(changes.map(({ effect, at }) => [effect, at.uid]).sort()).toEqual([
      ["gain", made],
      ["loss", old],
    ]);
  },
);

test("a group that was there before keeps its uid in the review when it gets its first account association", () => {
  const objects = [top, role, group(old, "a")];
  const { made: fresh } = comparisonOf({
    before: objects,
    after: [...objects, object("iam:AccountAssociation", old, old, { name: "aws", parentUid: old }), group(made, "b")],
    hidden: [],
    guarded: {},
    stateBefore: state(),
    stateAfter: state(["AccountAssociation", "aws", old], ["Group", "b", made]),
    now: 0,
  });
  expect([...fresh]).toEqual([made]);
});

test("an invite of the update that has expired when it ends is a gain, and one that had expired before is none", () => {
  const invite = (id: string): PlatformObject => {
    const found = object("iam:GroupInvite", `${root}/${id.repeat(16)}`, root, { parentUid: root, roleUid: owner });
    return { ...found, row: Object.assign({ uid: found.uid }, { expirationTime: "2026-11-28T00:00:00Z" }) };
  };
  const { changes } = comparisonOf({
    before: [top, role, invite("6")],
    after: [top, role, invite("6"), invite("7")],
    hidden: [],
    guarded: {},
    stateBefore: state(),
    stateAfter: state(["GroupInvite", "x", invite("7").uid]),
    now: Date.parse("2026-11-28T01:00:00Z"),
  });
  expect(changes.map(({ effect, through }) => [effect, through.uid])).toEqual([["gain", invite("7").uid]]);
});

test("a replaced object that stays, as with `retainOnDelete`, and its replacement are two objects", () => {
  const before = [top, role, group(old, "shop"), provider(old, "one")];
  const { changes } = comparisonOf({
    before,
    after: [...before, group(made, "shop-2"), provider(made, "two")],
    hidden: [],
    guarded: {},
    stateBefore: state(["Group", "shop", old], ["IdentityProvider", "sso", `${old}/${"3".repeat(16)}`]),
    stateAfter: state(["Group", "shop", made], ["IdentityProvider", "sso", `${made}/${"3".repeat(16)}`]),
    now: 0,
  });
  expect(changes.map(({ effect, at }) => [effect, at.uid])).toEqual([["gain", made]]);
});

test("who logs in as an identity of another organisation that gains a role is undecided, and a person is one human", () => {
  const [partner, person] = [`${"b".repeat(40)}/${"6".repeat(16)}`, "c".repeat(40)];
  const bind = (identityUid: string, id: string) =>
    object("iam:RoleBinding", `${root}/${id.repeat(16)}`, root, { parentUid: root, identityUid, roleUid: owner });
  const { changes } = comparisonOf({
    before: [top, role],
    after: [top, role, bind(partner, "7"), bind(person, "8")],
    hidden: [],
    guarded: {},
    stateBefore: state(),
    stateAfter: state(),
    now: 0,
  });
  expect(hiddenLogins(changes)).toEqual([
    { what: `how ${partner} logs in`, reason: expect.stringContaining("anybody may log in") as string },
  ]);
  expect(hiddenLogins(changes.map((change) => ({ ...change, effect: "loss" })))).toEqual([]);
});

test("a mark as break-glass that no identity has is a warning, because it guards nobody", () => {
  const objects = [top, role, bob];
  const { warnings } = comparisonOf({
    ...{ before: objects, after: objects, hidden: [], stateBefore: state(), stateAfter: state(), now: 0 },
    guarded: { breakGlass: new Set([bob.uid, made]) },
  });
  expect(warnings.map(({ message }) => message)).toEqual([expect.stringContaining(`${made} is marked as break-glass`)]);
});
