import * as pulumi from "@pulumi/pulumi";
import {
  getAdvisoriesOutput,
  getReposOutput,
  githubActions,
  gitlabCi,
  Group,
  GroupAccess,
  Identity,
  Role,
  RoleBinding,
} from "pulumi-platform";

const organizationUid = new pulumi.Config("platform").get("organization") ?? process.env["PLATFORM_ORGANIZATION"];
if (!organizationUid) {
  throw new pulumi.RunError(
    "Which organisation? Set the uid of its root group: `pulumi config set platform:organization <uid>`, or PLATFORM_ORGANIZATION.",
  );
}

// The root group already exists. This program manages everything below it.
const organization = Group.get("organization", organizationUid);

// Three levels: divisions, departments, teams.
const engineering = new Group("engineering", { parentUid: organization.uid, description: "Everyone who builds" });
const security = new Group("security", { parentUid: organization.uid, description: "Watches over what the others build" });

const platform = new Group("platform", { parentUid: engineering.uid, description: "What the product teams stand on" });
const shop = new Group("shop", { parentUid: engineering.uid, description: "What customers see" });
const response = new Group("response", { parentUid: security.uid, description: "Answers to advisories" });

const build = new Group("build", { parentUid: platform.uid, description: "Pipelines and base images" });
const clusters = new Group("clusters", { parentUid: platform.uid, description: "Where everything runs" });
const storefront = new Group("storefront", { parentUid: shop.uid, description: "Catalogue and basket" });
const payments = new Group("payments", { parentUid: shop.uid, description: "Handles money: two reviews for every change" });

// Pipelines log in with OIDC tokens of their own platforms, so there is no secret to store.
// The subject of a repository that GitHub has created since 15 July 2026 has ids: "acme@123456/shop@456789".
const imageBuilder = new Identity("image-builder", {
  parentUid: build.uid,
  description: "Builds and pushes base images",
  claimMatch: githubActions({ repository: "acme/base-images", branch: "main" }),
});
const clusterDeployer = new Identity("cluster-deployer", {
  parentUid: clusters.uid,
  description: "Rolls out to the clusters",
  claimMatch: gitlabCi({ project: "acme/clusters", branch: "main" }),
});
const storefrontRelease = new Identity("storefront-release", {
  parentUid: storefront.uid,
  claimMatch: githubActions({ repository: "acme/storefront", environment: "production" }),
});
const paymentsRelease = new Identity("payments-release", {
  parentUid: payments.uid,
  claimMatch: githubActions({ repository: "acme/payments", environment: "production" }),
});
const advisoryScanner = new Identity("advisory-scanner", {
  parentUid: response.uid,
  description: "Compares what runs with what is known to be broken",
  claimMatch: gitlabCi({ project: "acme/advisory-scanner", branch: "main" }),
});

// A role of our own, where a built-in one would allow too much.
const puller = new Role("image-puller", {
  parentUid: platform.uid,
  description: "Lists and pulls images",
  capabilities: ["CAP_REPO_LIST", "CAP_REPO_BLOBS_GET", "CAP_TAG_LIST", "CAP_MANIFEST_LIST"],
});

// Who has which role where. A role also applies to all groups below. Built-in roles go by name, our own by uid.
const bind = (name: string, group: Group, identity: Identity, role: { roleName: string } | { roleUid: pulumi.Output<string> }) =>
  new RoleBinding(name, { parentUid: group.uid, identityUid: identity.uid, ...role });

bind("image-builder-editor", build, imageBuilder, { roleName: "editor" });
bind("cluster-deployer-editor", clusters, clusterDeployer, { roleName: "editor" });
bind("cluster-deployer-puller", build, clusterDeployer, { roleUid: puller.uid });
bind("storefront-release-editor", storefront, storefrontRelease, { roleName: "editor" });
bind("advisory-scanner-viewer", engineering, advisoryScanner, { roleName: "viewer" });

// Exactly these, and no one else: a role that someone grants by hand in this group is drift.
new GroupAccess("payments", { parentUid: payments.uid, access: { editor: { "payments-release": paymentsRelease.uid } } });

export const groups = { engineering: engineering.uid, security: security.uid };
export const repos = getReposOutput({ descendantsOf: organizationUid, orderBy: "name" }).repos.apply((all) =>
  all.map((repo) => repo.name),
);
export const advisories = getAdvisoriesOutput({}).advisories.apply((all) =>
  all.map((advisory) => `${advisory.advisoryId}: ${advisory.componentName}`),
);
