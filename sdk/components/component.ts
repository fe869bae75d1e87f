import type * as pulumi from "@pulumi/pulumi";
import { Group } from "../kinds/group";
import { Identity } from "../kinds/identity";
import { RoleBinding } from "../kinds/role-binding";

/** The classes of which components are made. */
export interface ResourceClasses {
  readonly Group: typeof Group;
  readonly Identity: typeof Identity;
  readonly RoleBinding: typeof RoleBinding;
}

/** The classes that the dynamic provider host serves. */
export const dynamicClasses: ResourceClasses = { Group, Identity, RoleBinding };

/** Options of the resources of `component`: they wait for everything that the component has in `dependsOn`. */
export function optionsOf(
  component: pulumi.ComponentResource,
  opts: pulumi.ComponentResourceOptions | undefined,
): pulumi.CustomResourceOptions {
  return { parent: component, ...(opts?.dependsOn !== undefined && { dependsOn: opts.dependsOn }) };
}

/** The uids of resources, by the same keys. */
export function uidsOf(
  resources: Readonly<Record<string, { uid: pulumi.Output<string> }>>,
): Record<string, pulumi.Output<string>> {
  return Object.fromEntries(Object.entries(resources).map(([path, resource]) => [path, resource.uid]));
}

/** True for a component of this type, also one that another copy of the package constructed. */
export function isComponent(obj: unknown, type: string): boolean {
  return (obj as { __pulumiType?: unknown } | null | undefined)?.__pulumiType === type;
}
