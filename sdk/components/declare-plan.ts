import * as pulumi from "@pulumi/pulumi";
import type { Group } from "../kinds/group";
import type { Identity, IdentityArgs } from "../kinds/identity";
import type { ResourceClasses } from "./component";
import { type Member, memberKey, pathOf, type Plan } from "./plan";

/** The resources of a plan, by their paths. */
export interface DeclaredResources {
  readonly groups: Readonly<Record<string, Group>>;
  readonly identities: Readonly<Record<string, Identity>>;
}

/** A component that declares a tree. */
interface Component {
  readonly name: string;
  readonly top: pulumi.Input<string>;
  readonly roles?: Readonly<Record<string, pulumi.Input<string>>>;
}

/**
 * Declares the resources of `plan`. Their logical names consist of the component's name and of keys, never of positions: a
 * new or moved entry changes no other name.
 *
 * @param component its name, the uid of the group at the top, and the uids of roles by name. Default: none
 * @param opts options of every resource
 * @param classes the classes of the resources
 */
export function declarePlan(
  { name: component, top, roles = {} }: Component,
  plan: Plan,
  opts: pulumi.CustomResourceOptions,
  classes: ResourceClasses,
): DeclaredResources {
  const groups: Record<string, Group> = {};
  const identities: Record<string, Identity> = {};
  const uidOf = (path: string): pulumi.Input<string> => (path === component ? top : (groups[path] as Group).uid);
  for (const { keys, args } of plan.groups) {
    const path = pathOf(component, keys);
    const parentUid = uidOf(pathOf(component, keys.slice(0, -1)));
    groups[path] = new classes.Group(path, { ...args, parentUid }, opts);
  }
  for (const { keys, args } of plan.identities) {
    const path = pathOf(component, keys);
    const parentUid = uidOf(pathOf(component, keys.slice(0, -1)));
    identities[path] = new classes.Identity(path, { ...args, parentUid } as IdentityArgs, opts);
  }
  for (const { group, role, member } of plan.grants) {
    const path = pathOf(component, group);
    const name = [path, ...[role, memberKey(member)].map(escaped)].join(":");
    const after = "after" in member && member.after !== undefined ? identities[pathOf(component, member.after)] : undefined;
    const roleUid = Object.hasOwn(roles, role) ? roles[role] : undefined;
    const named = roleUid === undefined ? { roleName: role } : { roleUid };
    const args = { parentUid: uidOf(path), ...named, ...identityOf(component, member, identities) };
    new classes.RoleBinding(
      name,
      args,
      after === undefined ? opts : { ...opts, dependsOn: withDependency(opts.dependsOn, after) },
    );
  }
  return { groups, identities };
}

/** `dependsOn` with `resource` too. */
function withDependency(dependsOn: pulumi.CustomResourceOptions["dependsOn"], resource: pulumi.Resource) {
  return pulumi.output(dependsOn).apply((all) => [...[all ?? []].flat(), resource]);
}

/** `text` without the character that separates the parts of a binding's name. */
function escaped(text: string): string {
  return text.replace(/[%:]/g, encodeURIComponent);
}

/** The identity that a grant binds, as an argument of its role binding. */
function identityOf(component: string, member: Member, identities: DeclaredResources["identities"]) {
  if ("keys" in member) return { identityUid: (identities[pathOf(component, member.keys)] as Identity).uid };
  return "uid" in member ? { identityUid: member.uid } : { identityRef: member.identity };
}
