import * as pulumi from "@pulumi/pulumi";
import { getRoleOutput, githubActions, Group, Identity, RoleBinding } from "pulumi-platform";

// A stack for each team: pulumi stack init checkout
//   pulumi config set organizationStack organization/organization/dev
//   pulumi config set division engineering
//   pulumi config set --path 'services[0]' basket
const config = new pulumi.Config();
const services = config.requireObject<string[]>("services");

// The organisation's stack owns the divisions, and says where they are; nothing else is shared.
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

// What each service needs: a group for its repositories, and a pipeline that may write there.
for (const service of services) {
  const group = new Group(service, { parentUid: team.uid });
  const release = new Identity(`${service}-release`, {
    parentUid: group.uid,
    claimMatch: githubActions({ repository: `acme/${service}`, environment: "production" }),
  });
  new RoleBinding(`${service}-release-editor`, { parentUid: group.uid, identityUid: release.uid, roleUid: editor.uid });
}

export const teamUid = team.uid;
