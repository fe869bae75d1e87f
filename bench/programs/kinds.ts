import {
  AccountAssociation,
  ExternalGroupRoleMapping,
  getRoleOutput,
  Group,
  GroupAccess,
  GroupInvite,
  Identity,
  IdentityProvider,
  Repo,
  Role,
  RoleBinding,
  Subscription,
  Tag,
} from "pulumi-platform";
import { setting } from "./organization";

/** Every kind, in departments of twenty resources. BENCH_COUNT is a multiple of twenty. */
const root = setting("PLATFORM_ORGANIZATION");
const viewer = getRoleOutput({ name: "viewer" }).uid;
const digest = `sha256:${"0123456789abcdef".repeat(4)}`;

for (let n = 0; 20 * n < Number(setting("BENCH_COUNT")); n++) {
  const department = new Group(`department-${n}`, { parentUid: root, description: `Department number ${n}` });
  const parentUid = department.uid;
  const curator = new Role(`curator-${n}`, { parentUid, capabilities: ["CAP_REPO_LIST", "CAP_TAG_LIST"] });
  const exact = new Identity(`exact-${n}`, {
    parentUid,
    claimMatch: { issuer: "https://token.actions.githubusercontent.com", subject: `repo:acme/service-${n}:ref:refs/heads/main` },
  });
  const pattern = new Identity(`pattern-${n}`, {
    parentUid,
    claimMatch: { issuer: "https://idp.example.com", subjectPattern: `^service-${n}:[a-z]+$` },
  });
  const onAws = new Identity(`aws-${n}`, {
    parentUid,
    awsIdentity: {
      awsAccount: "123456789012",
      arn: `arn:aws:iam::123456789012:role/service-${n}`,
      userIdPattern: "^AROAEXAMPLEID:.+$",
    },
  });
  const service = new Identity(`service-${n}`, { parentUid, servicePrincipal: "SERVICE_PRINCIPAL_INGESTER" });
  for (const [who, { uid }] of Object.entries({ exact, pattern, onAws, service }))
    new RoleBinding(`${who}-viewer-${n}`, { parentUid, identityUid: uid, roleUid: viewer });
  const staff = new IdentityProvider(`staff-${n}`, {
    parentUid,
    defaultRole: viewer,
    oidc: { issuer: `https://login-${n}.example.com`, clientId: "platform", pkceEnabled: true, groupsClaim: "groups" },
  });
  new ExternalGroupRoleMapping(`curators-${n}`, {
    identityProviderUid: staff.uid,
    externalGroupId: "curators",
    roleUid: curator.uid,
    scope: root,
  });
  new AccountAssociation(`accounts-${n}`, { parentUid, amazon: { account: "123456789012" } });
  new GroupInvite(`guest-${n}`, { parentUid, roleUid: viewer, ttl: "604800s", singleUse: true });
  new Subscription(`audit-${n}`, { parentUid, sink: `https://events.example.com/${n}` });
  const images = new Group(`images-${n}`, { parentUid });
  new GroupAccess(`images-${n}`, { parentUid: images.uid, access: { viewer: { exact: exact.uid, pattern: pattern.uid } } });
  const repo = new Repo(`posters-${n}`, { parentUid: images.uid, deletionPolicy: "delete" });
  for (const name of ["one", "two"]) new Tag(`${name}-${n}`, { repoUid: repo.uid, name, digest, deletionPolicy: "delete" });
}
