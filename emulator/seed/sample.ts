import { generateKeyPairSync, randomBytes } from "node:crypto";
import { builtInRoleUid } from "../auth/built-in-roles";
import { newEtag } from "../objects/scim";
import type { JsonObject } from "../wire/json";
import { digestOf } from "./catalog";
import type { Plant } from "./sign-in";

const dayMs = 24 * 3600 * 1000;
const github = "https://token.actions.githubusercontent.com";
const signIn = "https://login.acme.example";

/** The place of {@link plantSample}, and the objects that it refers to. */
export interface SampleGround {
  readonly organization: string;
  /** Uid of the repository that the sample's own is synchronized from. */
  readonly source: string;
  /** Milliseconds since 1970, the start of the life of keys, tokens and invites. */
  readonly now: number;
}

/**
 * Plants objects of an organisation after some use, in a group `operations`. They are subgroups, an identity of each form, a custom role,
 * role bindings, and every kind of sign-in, account and repository in the forms that the root group does not show.
 */
export function plantSample(plant: Plant, { organization, source, now }: SampleGround): void {
  const after = (days: number) => new Date(now + days * dayMs).toISOString();
  const bind = (group: string, identityUid: string, roleUid: string) => plant("roleBindings", group, { identityUid, roleUid });
  const group = (parent: string, name: string, description: string) => plant("groups", parent, { name, description });

  const operations = group(organization, "operations", "Set up by hand, before there was a program");
  const warehouse = group(operations, "warehouse", "Stock and shelves");
  group(operations, "backups", "Copies of everything");

  const identity = (parent: string, name: string, description: string, form: JsonObject) =>
    plant("identities", parent, { name, description, ...form });
  const breakGlass = identity(organization, "break-glass", "For the day when nothing else works", {
    staticKeys: {
      issuer: "https://break-glass.acme.example",
      subject: "break-glass",
      issuerKeys: publicKeys(),
      expirationTime: after(180),
    },
  });
  const zoe = identity(operations, "zoe", "Came by an invite", { claimMatch: { issuer: signIn, subject: "zoe" } });
  const release = identity(warehouse, "warehouse-release", "Releases from the production environment", {
    claimMatch: { issuer: github, subject: "repo:acme/warehouse:environment:production", audience: "platform.acme.example" },
  });
  const builds = identity(warehouse, "warehouse-builds", "Builds of version tags", {
    claimMatch: {
      issuer: github,
      subjectPattern: "^repo:acme/warehouse:ref:refs/tags/v[0-9.]+$",
      claims: { repository_owner: "acme" },
      claimPatterns: { ref: "^refs/tags/v[0-9.]+$" },
    },
  });
  const stocktaker = identity(warehouse, "stocktaker", "Counts what is on the shelves", {
    awsIdentity: {
      awsAccount: "123456789012",
      arn: "arn:aws:sts::123456789012:assumed-role/stocktaker/nightly",
      userIdPattern: "^AROA[0-9A-Z]+:nightly$",
    },
  });
  const ingester = identity(operations, "ingester", "The platform's own service, in this group", {
    servicePrincipal: "SERVICE_PRINCIPAL_INGESTER",
  });

  const reader = plant("roles", operations, {
    name: "shelf-reader",
    description: "Lists repositories and their tags",
    capabilities: ["CAP_REPO_LIST", "CAP_TAG_LIST"],
  });
  bind(organization, breakGlass, builtInRoleUid("owner"));
  bind(operations, zoe, builtInRoleUid("viewer"));
  bind(operations, ingester, builtInRoleUid("viewer"));
  bind(warehouse, release, builtInRoleUid("editor"));
  bind(warehouse, builds, builtInRoleUid("registry.pull"));
  bind(warehouse, stocktaker, reader);

  const provider = plant("identityProviders", operations, {
    name: "contractors",
    description: "Where contractors sign in; their directory provisions them",
    defaultRole: builtInRoleUid("console_viewer"),
    oidc: { issuer: "https://contractors.acme.example", clientId: "platform", groupsClaim: "roles", pkceEnabled: true },
    scim: { enabled: true, credentialState: "CREDENTIAL_STATE_LIVE", tokenExpireTime: after(90), etag: newEtag() },
  });
  plant("externalGroupRoleMappings", provider, { externalGroupId: "stock", roleUid: reader, scope: organization });
  plant("groupInvites", operations, {
    roleUid: builtInRoleUid("viewer"),
    email: "",
    singleUse: false,
    expirationTime: after(30),
    code: randomBytes(24).toString("base64url"),
    keyId: randomBytes(8).toString("hex"),
  });
  plant(
    "accountAssociations",
    organization,
    {
      name: "operations accounts",
      description: "Accounts that operations works in",
      azure: {
        tenantId: "11111111-2222-3333-4444-555555555555",
        clientIds: { ingester: "66666666-7777-8888-9999-000000000000" },
      },
      github: { appInstallations: { "1001": { installations: [{ installationId: "2002", name: "acme" }] } } },
      chainguard: { serviceBindings: { ingester } },
    },
    operations,
  );
  plant("subscriptions", operations, { sink: "https://events.acme.example/operations" });

  const repo = plant("repos", warehouse, {
    name: "warehouse-web",
    description: "The web server, with our certificates",
    sync_config: { source, google: "acme-warehouse", expirationTime: after(14) },
    customOverlay: { contents: { packages: ["ca-certificates"] }, environment: { TZ: "UTC" } },
    readme: "# warehouse-web\n\nFollows the web server of the organization.\n",
  });
  plant("tags", repo, { name: "stable", digest: digestOf("warehouse-web"), deprecated: false, bundles: ["application"] });
}

/** The public half of a key as a JWK set. The private half is not kept, so nobody can assume the identity. */
function publicKeys(): string {
  const { publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  return JSON.stringify({ keys: [{ ...publicKey.export({ format: "jwk" }), kid: "1", alg: "ES256", use: "sig" }] });
}
