import { reportData } from "../../report/data";
import { ObjectIndex, type PlatformObject } from "../../inventory/objects";

const root = "0".repeat(40);
const viewer = "1".repeat(40);

const object = (kind: string, uid: string, value: object): PlatformObject => ({
  kind: `iam:${kind}`,
  uid,
  place: uid.split("/").slice(0, -1).join("/"),
  value: { ...value },
  row: Object.assign({ uid }, value),
});
const report = (...objects: readonly PlatformObject[]) => {
  const all = [
    object("Group", root, { name: "acme" }),
    object("Role", viewer, { name: "viewer", capabilities: ["CAP_REPO_LIST"] }),
  ];
  const inventory = {
    root,
    objects: new ObjectIndex([...all, ...objects]),
    around: new ObjectIndex<PlatformObject>(),
    unreadable: [],
  };
  return reportData({ ...inventory, requests: 0, shows: () => true }, new Date(0));
};

test("all open invites to one address are one holder; each that has no address is its own", () => {
  const invite = (id: string, more: object) => object("GroupInvite", `${root}/${id}`, { roleUid: viewer, ...more });
  const { holders, grants } = report(
    invite("a", { email: "eva@example.com" }),
    invite("b", { email: "eva@example.com" }),
    invite("c", {}),
    invite("d", {}),
  );
  expect(holders.map(({ name }) => name)).toEqual([
    "eva@example.com",
    "whoever accepts the invite c to acme",
    "whoever accepts the invite d to acme",
  ]);
  expect(grants.map(({ holder }) => holders.findIndex(({ uid }) => uid === holder))).toEqual([0, 0, 1, 2]);
});

test("people and workloads count as identities; accounts and those who are invited do not", () => {
  const { identities, holders, unreadable } = report(
    object("Identity", `${root}/idle`, { name: "idle", claimMatch: { issuer: "https://issuer.example", subject: "idle" } }),
    object("RoleBinding", `${root}/b`, { identityUid: "2".repeat(40), roleUid: viewer }),
    object("GroupInvite", `${root}/i`, { roleUid: viewer, email: "eva@example.com" }),
    object("AccountAssociation", root, { amazon: { account: "123456789012" } }),
  );
  expect([identities, unreadable]).toEqual([2, []]);
  expect(holders.map(({ kind }) => kind)).toEqual(["identity", "identity", "invite", "account"]);
});

test("an identity of which nothing shows how it logs in may let in anybody; a person does not", () => {
  const bound = (identityUid: string) =>
    object("RoleBinding", `${root}/b-${identityUid.length}`, { identityUid, roleUid: viewer });
  const { grants } = report(bound(`${root}/hidden`), bound("2".repeat(40)));
  expect(grants.map(({ severity }) => severity)).toEqual(["high", "low"]);
});
