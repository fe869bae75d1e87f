import * as pulumi from "@pulumi/pulumi";
import { getRoleOutput, githubActions, Group, Identity, RoleBinding } from "pulumi-platform";

// One stack per team:
//   pulumi stack init checkout
//   pulumi config set organizationStack organization/organization/dev
//   pulumi config set division engineering
//   pulumi config set --path 'services[0]' basket
const config = new pulumi.Config();
const services = config.requireObject<string[]>("services");

// The organisation's stack manages the divisions and exports their uids. Nothing else is shared.
const organization = new pulumi.StackReference(config.require("organizationStack"));
const divisions = organization.requireOutput("groups") as pulumi.Output<Partial<Record<string, string>>>;
const divisionUid = divisions.apply((uids) => {
  const name = config.require("division");
  const uid = uids[name];
  if (uid === undefined)
    throw new pulumi.RunError(`The organisation has no division "${name}"; it has ${Object.keys(uids).join(", ")}.`);
  return uid;
});

const team = new Group(pulumi.getStack(), { parentUid: divisionUid, description: "Declared by a stack of its own" });
const editor = getRoleOutput({ name: "editor" });

// Each service gets a group for its repositories, and an identity whose pipeline has the editor role there.
for (const service of services) {
  const group = new Group(service, { parentUid: team.uid });
  // The subject of a repository that GitHub has created since 15 July 2026 has ids: "acme@123456/shop@456789".
  const release = new Identity(`${service}-release`, {
    parentUid: group.uid,
    claimMatch: githubActions({ repository: `acme/${service}`, environment: "production" }),
  });
  new RoleBinding(`${service}-release-editor`, { parentUid: group.uid, identityUid: release.uid, roleUid: editor.uid });
}

export const teamUid = team.uid;
