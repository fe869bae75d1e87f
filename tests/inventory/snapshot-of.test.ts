import { accessIn } from "../../access/effective";
import { snapshotOf, type SnapshotSource } from "../../inventory/snapshot-of";

const object = (kind: string, uid: string, place: string | undefined, value: object): SnapshotSource => ({
  kind,
  uid,
  place,
  value: value as Record<string, unknown>,
});

const login = { claimMatch: { issuer: "https://issuer.example", subject: "ci" } };
const objects = [
  object("iam:Group", "r", undefined, { name: "acme" }),
  object("iam:Group", "r/g", "r", { name: "shop", parentUid: "r" }),
  object("iam:Identity", "r/i", "r", { name: "ci", ...login }),
  object("iam:Role", "viewer", undefined, { name: "viewer", capabilities: ["CAP_REPO_LIST"] }),
  object("iam:RoleBinding", "r/b", "r", { parentUid: "r", identityUid: "r/i", roleUid: "viewer" }),
  object("iam:ExternalGroupRoleMapping", "r/p/m", "r", { externalGroupId: "admins", roleUid: "viewer", scope: "r" }),
  object("registry:Repo", "r/x", "r", { name: "x" }),
];

test("a list of objects is a snapshot of access, by which access below is known", () => {
  const snapshot = snapshotOf(objects);
  expect(snapshot.unreadable).toEqual([]);
  expect(accessIn(snapshot, "r/g")).toMatchObject([
    {
      identity: { path: "acme/ci", login },
      role: { name: "viewer" },
      at: { path: "acme/shop" },
      inheritedFrom: { path: "acme" },
    },
    {
      identity: { externalGroupId: "admins", identityProviderUid: "r/p" },
      role: { name: "viewer" },
      inheritedFrom: { uid: "r" },
    },
  ]);
});

test("a mapping that does not exist yet has no uid below its provider: it names it", () => {
  const value = { externalGroupId: "admins", identityProviderUid: "r/p", roleUid: "viewer", scope: "r" };
  const { mappings } = snapshotOf([...objects.slice(0, 1), object("iam:ExternalGroupRoleMapping", "(new)", "r", value)]);
  expect(mappings).toMatchObject([{ identityProviderUid: "r/p" }]);
});

const github = (...ids: string[]) => ({
  github: { appInstallations: { 7: { installations: ids.map((installationId) => ({ installationId })) } } },
});

test.each<[object, string[]]>([
  [
    { amazon: { account: "1" }, google: { projectId: "p", projectNumber: "2" } },
    ["AWS account 1", "Google Cloud project p, number 2"],
  ],
  [github("1", "2"), ["GitHub app 7, installation 1", "GitHub app 7, installation 2"]],
  [github(), ["GitHub app 7"]],
  [{ azure: { tenantId: "t", clientIds: { scanner: "c" } } }, ["Azure tenant t, client c of scanner"]],
  [{ azure: { tenantId: "t" } }, ["Azure tenant t"]],
  [
    { chainguard: { serviceBindings: { INGESTER: "r/i", "A, B": "r/g/i" } } },
    ["service INGESTER of the platform, as identity acme/ci", 'service "A, B" of the platform, as identity r/g/i'],
  ],
])("whatever decides who acts for a group is part of its account, so that a change is another one: %j", (value, accounts) => {
  const grants = accessIn(snapshotOf([...objects, object("iam:AccountAssociation", "r/g", "r/g", value)]), "r/g");
  expect(grants.flatMap(({ identity }) => identity.account ?? [])).toEqual(accounts);
});

test("a person whom the platform does not show is bound all the same: nothing is missing", () => {
  const person = "5".repeat(40);
  const snapshot = snapshotOf([...objects, object("iam:RoleBinding", "r/p", "r", { identityUid: person, roleUid: "viewer" })]);
  expect(snapshot.unreadable).toEqual(snapshotOf(objects).unreadable);
  const { identity } = accessIn(snapshot, "r").find(({ through }) => through.uid === "r/p") ?? {};
  expect(identity).toEqual({ uid: person, isUnseen: true });
});

test("identities and roles that are bound but not known are unreadable, and so is a binding of nothing", () => {
  const { bindings, unreadable } = snapshotOf(
    [
      object("iam:RoleBinding", "r/b", "r", { identityUid: "r/x", roleUid: "custom" }),
      object("iam:RoleBinding", "r/c", "r", { identityUid: "r/x" }),
    ],
    [{ what: "roles in acme", reason: "no", kinds: ["iam:Role"] }],
  );
  expect(bindings.map(({ uid }) => uid)).toEqual(["r/b"]);
  expect(unreadable.map(({ what, kinds }) => [what, kinds])).toEqual([
    ["roles in acme", ["iam:Role"]],
    // It is shown, and says too little: nobody who accepts that bindings are hidden accepts that.
    ["role binding r/c", undefined],
    ["how identity r/x logs in", ["iam:Identity"]],
    ["capabilities of role custom", ["iam:Role"]],
  ]);
});

test("what is unreadable is called by the names that answers repeat", () => {
  const [acme] = objects;
  const named = object("iam:Identity", "r/x", "r", { name: "ci, of shop" });
  const bound = object("iam:RoleBinding", "r/b", "r", { identityUid: "r/x", roleUid: "viewer" });
  const { unreadable } = snapshotOf([
    ...(acme ? [acme] : []),
    named,
    bound,
    object("iam:Role", "viewer", undefined, { name: "viewer" }),
  ]);
  expect(unreadable.map(({ what }) => what)).toEqual(['how identity "acme/ci, of shop" logs in', "capabilities of role viewer"]);
});

test.each([{ scope: "" }, { roleUid: "" }, { scope: undefined }])(
  "a mapping with %j is unreadable: it may give any access",
  (over) => {
    const all = [...objects.filter(({ kind }) => kind !== "iam:ExternalGroupRoleMapping")];
    const value = { externalGroupId: "admins", roleUid: "viewer", scope: "r", ...over };
    const { mappings, unreadable } = snapshotOf([...all, object("iam:ExternalGroupRoleMapping", "r/p/m", "r", value)]);
    expect(mappings).toEqual([]);
    expect(unreadable).toEqual([
      {
        what: "external group role mapping r/p/m",
        reason: expect.stringContaining("its role or its group") as string,
      },
    ]);
  },
);

test("how a person logs in, whom no List shows, is what the role binding says of them", () => {
  const identity = { uid: "eva", name: "eva", issuer: "https://accounts.google.com", subject: "113" };
  const bound = (uid: string, row: object) => ({
    ...object("iam:RoleBinding", "r/b", "r", { identityUid: uid, roleUid: "viewer" }),
    row: { uid: "r/b", identity: { ...identity, ...row, uid } },
  });
  const viewer = object("iam:Role", "viewer", undefined, { name: "viewer", capabilities: ["CAP_REPO_LIST"] });
  const read = (uid: string, row: object = {}) =>
    snapshotOf([object("iam:Identity", uid, undefined, { name: "eva" }), viewer, bound(uid, row)]);
  expect(read("eva").unreadable).toEqual([]);
  expect(read("eva").identities.get("eva")?.login).toEqual({
    claimMatch: { issuer: "https://accounts.google.com", subject: "113" },
  });
  expect(read("eva", { subject: "" }).unreadable).toHaveLength(1);
  // An identity in a group has more that decides, such as an audience, and a List that shows it.
  expect(read("r/eva").unreadable).toHaveLength(1);
});
