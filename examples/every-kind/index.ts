import * as pulumi from "@pulumi/pulumi";
import {
  AccountAssociation,
  ExternalGroupRoleMapping,
  getCallerOutput,
  getPersonOutput,
  getRepoReadmeOutput,
  getRoleOutput,
  githubActions,
  Group,
  GroupAccess,
  GroupInvite,
  Identity,
  IdentityProvider,
  Organization,
  RegistryCredentials,
  Repo,
  Role,
  RoleBinding,
  Subscription,
  Tag,
  Team,
} from "pulumi-platform";

// pulumi config set --secret clientSecret <the secret that the sign-in service issued>
const config = new pulumi.Config();
const organizationUid = new pulumi.Config("platform").get("organization") ?? process.env["PLATFORM_ORGANIZATION"];
if (!organizationUid) {
  throw new pulumi.RunError(
    "Which organisation? Set the uid of its root group: `pulumi config set platform:organization <uid>`, or PLATFORM_ORGANIZATION.",
  );
}
const signIn = "https://login.studio.example";
const viewer = getRoleOutput({ name: "viewer" });

const studio = new Group("studio", { parentUid: organizationUid, description: "Makes pictures" });
const images = new Group("images", { parentUid: studio.uid, description: "What the studio ships" });

// People sign in at the studio's own service. Its group "curators" becomes a role.
const curator = new Role("curator", {
  parentUid: studio.uid,
  description: "Lists repositories and tags",
  capabilities: ["CAP_REPO_LIST", "CAP_TAG_LIST"],
});
const staff = new IdentityProvider("staff", {
  parentUid: studio.uid,
  description: "Where people of the studio sign in",
  defaultRole: viewer.uid,
  oidc: { issuer: signIn, clientId: "platform", clientSecret: config.requireSecret("clientSecret"), groupsClaim: "groups" },
});
new ExternalGroupRoleMapping("curators", {
  identityProviderUid: staff.uid,
  externalGroupId: "curators",
  roleUid: curator.uid,
  scope: organizationUid,
});

// A guest without an account there gets a code: pulumi stack output inviteCode --show-secrets
const guest = new GroupInvite("guest", { parentUid: images.uid, roleUid: viewer.uid, ttl: "7d", singleUse: true });

// Workloads prove who they are: by the token of their pipeline, or as a service of the platform in this group.
// The subject of a repository that GitHub has created since 15 July 2026 has ids: "acme@123456/shop@456789".
const release = new Identity("release", {
  parentUid: images.uid,
  description: "Builds and pushes images",
  claimMatch: githubActions({ repository: "studio/images", environment: "production" }),
});
const ingester = new Identity("ingester", { parentUid: studio.uid, servicePrincipal: "SERVICE_PRINCIPAL_INGESTER" });
new AccountAssociation("accounts", {
  parentUid: studio.uid,
  description: "Accounts that the studio works in",
  amazon: { account: "123456789012" },
  chainguard: { serviceBindings: { ingester: ingester.uid } },
});
new Subscription("audit", { parentUid: studio.uid, sink: "https://events.studio.example/platform" });

// One more binding, whoever else has access to the studio; and exactly these two in the group of the images.
new RoleBinding("ingester-viewer", { parentUid: studio.uid, identityUid: ingester.uid, roleName: "viewer" });
new GroupAccess("images", {
  parentUid: images.uid,
  access: {
    editor: { release: release.uid },
    owner: { mia: getPersonOutput({ issuer: signIn, subject: "mia" }).uid },
  },
});

// Without deletionPolicy a destroy keeps repositories and tags.
const posters = new Repo("posters", { parentUid: images.uid, description: "Posters of the season", deletionPolicy: "delete" });
new Tag("season", {
  repoUid: posters.uid,
  digest: "sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef",
  deletionPolicy: "delete",
});

// A tree and a team, each as one component. Names of their resources are made of keys.
const guild = new Organization("guild", {
  parentUid: studio.uid,
  groups: {
    workshops: {
      description: "What the guild teaches",
      access: { viewer: ["guild/workshops/inks/printer"] },
      groups: {
        inks: {
          identities: { printer: { claimMatch: githubActions({ repository: "studio/inks", branch: "main" }) } },
          access: { editor: ["printer"] },
        },
      },
    },
  },
});
const frames = new Team("frames", {
  parentUid: studio.uid,
  description: "Frames what hangs",
  pipeline: { claimMatch: githubActions({ repository: "studio/frames", branch: "main" }) },
  access: { editor: ["pipeline"] },
});

// A pull token for other providers of this program, renewed by `up`.
const puller = new RegistryCredentials("puller", { registry: "registry.studio.example" });

// Only the platform's staff can write a README, so programs read it. It is empty in a new repository.
export const readme = getRepoReadmeOutput({ uid: posters.uid }).content;
export const runsAs = getCallerOutput().uid;
export const inviteCode = guest.code;
export const inksUid = guild.groups["guild/workshops/inks"]?.uid;
export const framesUid = frames.uid;
export const pullToken = puller.password;
