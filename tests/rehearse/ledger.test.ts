import { ledgerOf, type NamedObject, type RehearsedUpdate } from "../../rehearse/ledger";
import type { SentRequest } from "../../rehearse/calls";

const [root, group, identity, role] = ["a".repeat(40), "b".repeat(16), "c".repeat(16), "d".repeat(40)];
const eng = `${root}/${group}`;
const ci = `${eng}/${identity}`;
const named = (kind: string, uid: string, name: string, value: object = {}) => ({ kind, uid, name, value: { name, ...value } });
const objects: NamedObject[] = [
  named("iam:Group", root, "acme"),
  named("iam:Group", eng, "engineering"),
  named("iam:Identity", ci, "ci"),
  named("iam:Role", role, "viewer"),
  { kind: "iam:RoleBinding", uid: `${eng}/1`, value: { parentUid: eng, identityUid: ci, roleUid: role } },
];
const grantingCalls = (requests: readonly SentRequest[], other: Partial<RehearsedUpdate> = {}) =>
  ledgerOf({ since: "2026-11-28T00:00:00Z", requests, before: objects, after: objects, ...other }).calls;
const request = (method: string, path: string, body: unknown, status = 200) => ({ method, path, query: "", body, status });
const binding = { identityUid: ci, roleUid: role };

test("a granting call has its place and its references as paths, in a form that does not depend on order", () => {
  const one = request("POST", `/iam/v2beta1/roleBindings/${eng}`, { roleUid: role, identityUid: ci });
  const batch = { parent: eng, requests: [{ parent: eng, roleBinding: binding }] };
  const expected = {
    verb: "create",
    kind: "iam:RoleBinding",
    place: "acme/engineering",
    key: { identityUid: "acme/engineering/ci", roleUid: role },
    body: { identityUid: "acme/engineering/ci", roleUid: role },
  };
  const before = objects.slice(0, 4);
  expect(grantingCalls([one], { before })).toEqual([expected]);
  expect(grantingCalls([request("POST", "/iam/v2beta1/roleBindings:batchCreate", batch)], { before })).toEqual([expected]);
});

test("a login by the uid of an object and a login by its path are two calls", () => {
  const loginOf = (subject: string) => {
    const value = { name: "ci", claimMatch: { issuer: "https://issuer.example", subject } };
    const after = [...objects, named("iam:Identity", `${eng}/2`, "ci", value)];
    return grantingCalls([request("POST", `/iam/v2beta1/identities/${eng}`, value)], { after });
  };
  expect(loginOf(eng)).toMatchObject([{ body: { claimMatch: { subject: { uidOf: "acme/engineering" } } } }]);
  expect(loginOf("acme/engineering")).toMatchObject([{ body: { claimMatch: { subject: "acme/engineering" } } }]);
});

test("a name with a slash looks like no other path", () => {
  const roles = [named("iam:Role", `${root}/${"1".repeat(16)}`, "engineering/admin"), named("iam:Role", `${eng}/2`, "admin")];
  const uses = roles.map(({ uid }) => {
    const after = [...objects, ...roles, { kind: "iam:RoleBinding", uid: `${eng}/3`, value: { identityUid: ci, roleUid: uid } }];
    const bind = request("POST", `/iam/v2beta1/roleBindings/${eng}`, { ...binding, roleUid: uid });
    return grantingCalls([bind], { after })[0]?.body["roleUid"];
  });
  expect(uses).toEqual(["acme/engineering%2Fadmin", "acme/engineering/admin"]);
});

test("two objects with one name in one place are called by their uids", () => {
  const roles = ["1", "2"].map((id) => named("iam:Role", `${root}/${id.repeat(16)}`, "admin"));
  const after = [
    ...objects,
    ...roles,
    ...roles.map(({ uid }) => ({
      kind: "iam:RoleBinding",
      uid: `${eng}/${uid.slice(-1)}`,
      value: { identityUid: ci, roleUid: uid },
    })),
  ];
  const requests = roles.map(({ uid }) => request("POST", `/iam/v2beta1/roleBindings/${eng}`, { ...binding, roleUid: uid }));
  const before = [...objects.slice(0, 4), ...roles];
  expect(grantingCalls(requests, { before, after }).map(({ body }) => body["roleUid"])).toEqual(roles.map(({ uid }) => uid));
});

test("the key of an update is that of the object", () => {
  const update = request("PATCH", `/iam/v2beta1/roleBindings/${eng}/1`, { roleUid: role });
  expect(grantingCalls([update])).toEqual([
    {
      verb: "update",
      kind: "iam:RoleBinding",
      uid: `${eng}/1`,
      place: "acme/engineering",
      key: { identityUid: "acme/engineering/ci", roleUid: role },
      body: { roleUid: role },
    },
  ]);
});

test("calls that give no access are left out: groups, repos, descriptions, deletes, refused calls and reads", () => {
  const requests = [
    request("POST", `/iam/v2beta1/groups/${eng}`, { name: "shop" }),
    request("PATCH", `/iam/v2beta1/identities/${ci}`, { description: "new" }),
    request("DELETE", `/iam/v2beta1/roleBindings/${eng}/1`, null),
    request("POST", `/iam/v2beta1/roleBindings/${eng}`, binding, 403),
    request("GET", `/iam/v2beta1/roleBindings`, null),
  ];
  expect(grantingCalls(requests)).toEqual([]);
});

test("an account association that is made again in its group is in the file, and one that was there for a moment is not", () => {
  const association = (account: string) => named("iam:AccountAssociation", eng, "aws", { amazon: { account } });
  const path = `/iam/v2beta1/accountAssociations/${eng}`;
  const again = (account: string) => [request("DELETE", path, null), request("POST", path, { name: "aws", amazon: { account } })];
  const before = [...objects, association("111111111111")];
  const after = [...objects, association("222222222222")];
  const calls = grantingCalls([...again("666666666666"), ...again("222222222222")], { before, after });
  expect(calls).toMatchObject([{ verb: "create", place: "acme/engineering", body: { amazon: { account: "222222222222" } } }]);
});

test("the account association of a group in which a role is given is no object of that call", () => {
  const all = [...objects, named("iam:AccountAssociation", eng, "aws", { amazon: { account: "111111111111" } })];
  const kindsOf = (requests: readonly SentRequest[]) =>
    ledgerOf({ since: "", requests, before: objects.slice(0, 4), after: all }).objects.map(({ kind }) => kind);
  const bind = request("POST", `/iam/v2beta1/roleBindings/${eng}`, binding);
  const associate = request("POST", `/iam/v2beta1/accountAssociations/${eng}`, {
    name: "aws",
    amazon: { account: "111111111111" },
  });
  expect(kindsOf([bind])).not.toContain("iam:AccountAssociation");
  expect(kindsOf([bind, associate])).toContain("iam:AccountAssociation");
});

test("a token for a registry is one, and a token for the API is none", () => {
  const exchange = (aud: string) => ({
    ...request("POST", "/sts/exchange", null),
    query: new URLSearchParams({ aud, identity: ci }).toString(),
  });
  expect(
    grantingCalls([exchange("https://platform.example"), exchange("registry.example")], { audience: "https://platform.example" }),
  ).toEqual([
    {
      verb: "create",
      kind: "registry:RegistryCredentials",
      place: "acme/engineering/ci",
      key: {},
      body: { registry: "registry.example" },
    },
  ]);
});

test("the login of an identity and the capabilities of a role are granting, and a client secret is never kept", () => {
  const login = { name: "ci", claimMatch: { issuer: "https://issuer.example", subject: "ci" } };
  const oidc = { issuer: "https://login.example", clientId: "c", clientSecret: "the-client-secret" };
  const capabilities = ["CAP_REPO_LIST", "CAP_REPO_CREATE"];
  const { clientSecret: _, ...shown } = oidc;
  const after = [
    ...objects.filter(({ uid }) => uid !== role),
    named("iam:Role", role, "viewer", { capabilities: capabilities.toReversed() }),
    named("iam:Identity", `${eng}/2`, "ci", { ...login, parentUid: eng }),
    named("iam:IdentityProvider", `${eng}/3`, "sso", { oidc: shown, defaultRole: role, parentUid: eng }),
  ];
  const requests = [
    request("POST", `/iam/v2beta1/identities/${eng}`, login),
    request("PATCH", `/iam/v2beta1/roles/${role}`, { capabilities }),
    request("POST", `/iam/v2beta1/identityProviders/${eng}`, { name: "sso", oidc, defaultRole: role }),
  ];
  const found = grantingCalls(requests, { after });
  // A rehearsal that does not end with their effect shows nobody that access.
  expect(grantingCalls(requests)).toEqual([]);
  expect(found.map(({ verb, kind }) => `${verb} ${kind}`)).toEqual([
    "create iam:Identity",
    "create iam:IdentityProvider",
    "update iam:Role",
  ]);
  expect(JSON.stringify([found, objects])).not.toContain("the-client-secret");
  expect(found[0]).toMatchObject({ body: login, key: { name: "ci" } });
});
