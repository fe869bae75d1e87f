import type * as pulumi from "@pulumi/pulumi";
import { Group } from "../group";
import { Identity, type IdentityArgs } from "../identity";
import { RoleBinding } from "../role-binding";
import { getRoleOutput } from "../functions";
import { type Grant, memberKey, pathOf, type Plan } from "./plan";

/** The resources of a plan, by their paths. */
export interface DeclaredResources {
  readonly groups: Readonly<Record<string, Group>>;
  readonly identities: Readonly<Record<string, Identity>>;
}

/**
 * Declares the resources of `plan`. Their logical names are made of the component's name and of keys, never of positions, so that a
 * new or moved entry changes no other name.
 *
 * @param component name of the component
 * @param top uid of the group at the top
 * @param opts options of every resource
 */
export function declarePlan(
  component: string,
  plan: Plan,
  top: pulumi.Input<string>,
  opts: pulumi.CustomResourceOptions,
): DeclaredResources {
  const groups: Record<string, Group> = {};
  const identities: Record<string, Identity> = {};
  const uidOf = (path: string): pulumi.Input<string> => (path === component ? top : (groups[path] as Group).uid);
  for (const { keys, args } of plan.groups) {
    const path = pathOf(component, keys);
    const parentUid = uidOf(pathOf(component, keys.slice(0, -1)));
    groups[path] = new Group(path, { ...args, parentUid }, opts);
  }
  for (const { keys, args } of plan.identities) {
    const path = pathOf(component, keys);
    const parentUid = uidOf(pathOf(component, keys.slice(0, -1)));
    identities[path] = new Identity(path, { ...args, parentUid } as IdentityArgs, opts);
  }
  for (const grant of plan.grants) {
    const path = pathOf(component, grant.group);
    const name = [path, ...[grant.role, memberKey(grant.member)].map(escaped)].join(":");
    new RoleBinding(name, { parentUid: uidOf(path), ...bindingOf(component, grant, identities, opts) }, opts);
  }
  return { groups, identities };
}

/** `text` without the character that separates the parts of a binding's name. */
function escaped(text: string): string {
  return text.replace(/[%:]/g, encodeURIComponent);
}

/** Which role and which identity a grant binds. */
function bindingOf(
  component: string,
  { role, member }: Grant,
  identities: DeclaredResources["identities"],
  opts: pulumi.InvokeOutputOptions,
) {
  const roleUid = getRoleOutput({ name: role }, opts).uid;
  if ("keys" in member) return { roleUid, identityUid: (identities[pathOf(component, member.keys)] as Identity).uid };
  return { roleUid, identityUid: "uid" in member ? member.uid : member.path };
}
