import { PlatformError } from "../provider/client/errors";
import { parentOf } from "../provider/client/uid";
import { connect, readConfiguration } from "../provider/credentials";
import { group, type WireGroup } from "../provider/kinds/group";
import { identity, type WireIdentity } from "../provider/kinds/identity";
import { boundIdentity, roleBinding, type WireRoleBinding } from "../provider/kinds/role-binding";
import type { Command } from "./command";

/** Everything below one group that says who may do what there. */
interface Organization {
  groups: WireGroup[];
  identities: WireIdentity[];
  bindings: WireRoleBinding[];
}

/** Prints an organisation as a tree: its groups, and in each the identities that lie there and the roles given there. */
export const access: Command = {
  summary: "the organisation as a tree, with who has which role where",
  description:
    "Prints an organisation as a tree: its groups, and in each the identities that lie there and the roles given there.\n" +
    "Address and credentials are those of the environment: PLATFORM_BASE_URL, PLATFORM_TOKEN and so on, not those of a stack.",
  options: {
    organization: { value: "UID", meaning: "uid of the group to begin at (default: PLATFORM_ORGANIZATION)" },
  },
  async run({ organization }) {
    const configuration = readConfiguration({}, process.env);
    const uid = organization ?? configuration.organization;
    if (uid === undefined)
      throw new PlatformError("INVALID_INPUT", "Which organisation? Give --organization UID, or set PLATFORM_ORGANIZATION.");
    const client = connect(configuration);
    const below = { descendantsOf: uid };
    const [root, groupsBelow, identitiesBelow, bindingsBelow] = await Promise.all([
      client.get(group.collection, uid),
      client.list(group.collection, below),
      client.list(identity.collection, below),
      client.list(roleBinding.collection, below),
    ]);
    process.stdout.write(`${drawTree(root, { groups: groupsBelow, identities: identitiesBelow, bindings: bindingsBelow })}\n`);
  },
};

/**
 * The tree below `root`, one line an object: a group by its name, an identity as `@name` with where it logs in from, a role
 * binding as `role → identity`.
 */
export function drawTree(root: WireGroup, organization: Organization): string {
  const nameOf = new Map(organization.identities.map((identity) => [identity.uid, identity.name]));
  const lines: string[] = [];
  const draw = (group: WireGroup, indent: string) => {
    const children = [
      ...organization.identities
        .filter((identity) => parentOf(identity.uid) === group.uid)
        .map((identity) => `@${identity.name}${origin(identity)}`),
      ...organization.bindings
        .filter((binding) => parentOf(binding.uid) === group.uid)
        .map(
          (binding) =>
            `${binding.role?.name ?? binding.roleUid} → ${binding.identity?.name || (nameOf.get(boundIdentity(binding)) ?? boundIdentity(binding))}`,
        ),
    ].sort();
    const subgroups = organization.groups
      .filter((child) => parentOf(child.uid) === group.uid)
      .sort((a, b) => a.name.localeCompare(b.name));
    const count = children.length + subgroups.length;
    children.forEach((line, index) => lines.push(`${indent}${index === count - 1 ? "└─" : "├─"} ${line}`));
    subgroups.forEach((child, index) => {
      const last = children.length + index === count - 1;
      lines.push(`${indent}${last ? "└─" : "├─"} ${child.name}/${child.description ? `  ${child.description}` : ""}`);
      draw(child, `${indent}${last ? "   " : "│  "}`);
    });
  };
  lines.push(`${root.name}/`);
  draw(root, "");
  return lines.join("\n");
}

function origin({ claimMatch = {} }: WireIdentity): string {
  const claim = (name: string) => JSON.stringify(claimMatch[name] ?? claimMatch[`${name}Pattern`] ?? "?");
  return Object.keys(claimMatch).length === 0 ? "" : `  ${claim("subject")} at ${claim("issuer")}`;
}
