import type { CopiedRows } from "../../emulator/copy/load";
import type { JsonObject } from "../../emulator/wire/json";
import type { Random } from "../reliability/random";

/** A person whose login the platform does not show. */
export const hiddenPerson = "ab".repeat(20);

/** The rows of a random organisation, as a platform newer than this release shows them: with unknown capabilities, enum names and times. */
export function randomRows(random: Random, root: string): CopiedRows {
  let serial = 0;
  const uidIn = (parent: string) => `${parent}/${String(++serial).padStart(16, "0")}`;
  const time = () => `2026-0${random.of([1, 2, 3])}-01T00:00:00${random.of(["", ".5", ".123", ".123456", ".123456789"])}Z`;
  const some = <Item>(items: readonly Item[]) => items.filter(() => random.of([true, false]));
  const text = () => random.of(["", "plain", 'quoted "text"', "ünïcode 💡", "<script>"]);
  const rows = new Map<string, JsonObject[]>();
  const add = (collection: string, row: JsonObject & { uid: string }) => {
    rows.set(collection, [...(rows.get(collection) ?? []), { createTime: time(), updateTime: time(), ...row }]);
    return row.uid;
  };
  const groups = [
    add("groups", { uid: root, name: "acme.example", kind: "ORG_KIND_FUTURE", status: "ORG_STATUS_FUTURE", verified: true }),
  ];
  for (let more = 0; more < 6; more++)
    groups.push(add("groups", { uid: uidIn(random.of(groups)), name: `group-${more}`, description: text() }));
  const everything = [
    "GROUPS",
    "IDENTITY",
    "ROLES",
    "ROLE_BINDINGS",
    "IDENTITY_PROVIDERS",
    "ACCOUNT_ASSOCIATIONS",
    "GROUP_INVITES",
  ].map((noun) => `CAP_IAM_${noun}_LIST`);
  const capabilities = [...everything, "CAP_EVENTS_SUBSCRIPTION_LIST", "CAP_REPO_LIST", "CAP_TAG_LIST", "CAP_ADVISORIES_LIST"];
  const owner = add("roles", {
    uid: "01".repeat(20),
    name: "owner",
    capabilities: [...capabilities, "CAP_FUTURE_THINGS_MANAGE"],
  });
  const roles = [owner, add("roles", { uid: "02".repeat(20), name: "future.reader", capabilities: ["CAP_FUTURE_THINGS_LIST"] })];
  for (let more = 0; more < 3; more++)
    roles.push(
      add("roles", {
        uid: uidIn(random.of(groups)),
        name: `role-${more}`,
        capabilities: [...some(capabilities), "CAP_NEXT_YEAR"],
      }),
    );
  const logins: JsonObject[] = [
    { claimMatch: { issuer: "https://ci.example.com", subject: "repo:acme/app" } },
    {
      claimMatch: {
        issuer: "https://ci.example.com",
        subjectPattern: "^repo:acme/.*$",
        claims: { ref: "main" },
        audience: "acme",
      },
    },
    { staticKeys: { issuer: "https://keys.example.com", subject: "s", issuerKeys: '{"keys":[]}', expirationTime: time() } },
    { awsIdentity: { awsAccount: "123456789012", arnPattern: ".*", userId: "AROA:x" } },
    { servicePrincipal: "SERVICE_PRINCIPAL_FUTURE" },
  ];
  const identities = logins.map((login, index) =>
    add("identities", {
      uid: uidIn(random.of(groups)),
      name: `identity-${index}`,
      description: text(),
      lastSeenTime: time(),
      ...login,
    }),
  );
  const reader = add("identities", {
    uid: `${root}/reader`,
    name: "reader",
    claimMatch: { issuer: "https://r.example", subject: "r" },
  });
  const person = {
    uid: "cd".repeat(20),
    issuer: "https://login.example.com",
    subject: "nina@acme.example",
    email: "nina@acme.example",
  };
  const bind = (place: string, identity: JsonObject, role: string) =>
    add("roleBindings", { uid: uidIn(place), identity, role: { uid: role }, identityUid: "", roleUid: "" });
  bind(root, { uid: reader }, owner);
  for (const uid of [...identities, ...some(identities)]) bind(random.of(groups), { uid }, random.of(roles));
  bind(random.of(groups), person, random.of(roles));
  bind(random.of(groups), { uid: hiddenPerson, issuer: "", subject: "", email: "" }, random.of(roles));
  const provider = add("identityProviders", {
    uid: uidIn(root),
    name: "sso",
    defaultRole: random.of(roles),
    oidc: {
      issuer: "https://login.example.com",
      clientId: "c",
      correlationRule: "CORRELATION_RULE_FUTURE",
      additionalScopes: some(["a", "b"]),
    },
    scim: {
      enabled: true,
      endpointUrl: "https://scim.example.com/v2",
      credentialState: random.of(["LIVE", "FUTURE", "REVOKED"].map((state) => `CREDENTIAL_STATE_${state}`)),
      tokenExpireTime: "2099-01-01T00:00:00.123456Z",
    },
  });
  add("externalGroupRoleMappings", {
    uid: uidIn(provider),
    externalGroupId: text() || "x",
    roleUid: random.of(roles),
    scope: root,
  });
  add("groupInvites", {
    uid: uidIn(random.of(groups)),
    roleUid: random.of(roles),
    email: "new@acme.example",
    singleUse: true,
    keyId: "k",
    expirationTime: random.of(["2020-01-01T00:00:00Z", "2099-01-01T00:00:00.5Z"]),
  });
  for (const uid of some(groups)) add("accountAssociations", { uid, name: "accounts", amazon: { account: "123456789012" } });
  add("subscriptions", { uid: uidIn(random.of(groups)), sink: "https://sink.example.com" });
  const repo = add("repos", {
    uid: uidIn(random.of(groups)),
    name: "app",
    catalogTier: "CATALOG_TIER_FUTURE",
    description: text(),
  });
  for (const name of ["1.0", "latest", "1.0-r1"]) add("tags", { uid: uidIn(repo), name, digest: `sha256:${"0".repeat(64)}` });
  return rows;
}
