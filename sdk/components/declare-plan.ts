import type * as pulumi from "@pulumi/pulumi";
import type { Group } from "../kinds/group";
import type { Identity, IdentityArgs } from "../kinds/identity";
import type { ResourceClasses } from "./component";
import { type AccessAs, declareAccess, declareBindings } from "./declare-grants";
import { pathOf, type Plan } from "./plan";

/** The resources of a plan, by their paths. */
export interface DeclaredResources {
  readonly groups: Readonly<Record<string, Group>>;
  readonly identities: Readonly<Record<string, Identity>>;
}

/** A component that declares a tree. */
interface Component extends AccessAs {
  readonly name: string;
  readonly top: pulumi.Input<string>;
  readonly roles?: Readonly<Record<string, pulumi.Input<string>>>;
}

/**
 * Declares the resources of `plan`. Their logical names consist of the component's name and of keys, never of positions, so a new or
 * moved entry changes no other name.
 *
 * @param component its name, the uid of the group at the top, the uids of roles by name, and how it gives access. Default: no roles, by role bindings
 * @param opts options of every resource
 * @param classes the classes of the resources
 */
export function declarePlan(
  { name: component, top, roles = {}, accessAs }: Component,
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
  const declareGrants = accessAs === "GroupAccess" ? declareAccess : declareBindings;
  declareGrants({ component, grants: plan.grants, roles, identities, opts, classes, uidOf });
  return { groups, identities };
}
