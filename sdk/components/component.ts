import type * as pulumi from "@pulumi/pulumi";
import { z } from "zod";
import { uid } from "../../provider/schema/inputs";
import { Group } from "../kinds/group";
import { GroupAccess } from "../kinds/group-access";
import { Identity } from "../kinds/identity";
import { RoleBinding } from "../kinds/role-binding";
import { isEventual } from "../program/arguments";

/** The classes of which components are made. */
export interface ResourceClasses {
  readonly Group: typeof Group;
  readonly GroupAccess: typeof GroupAccess;
  readonly Identity: typeof Identity;
  readonly RoleBinding: typeof RoleBinding;
}

/** The classes that the dynamic provider host serves. */
export const dynamicClasses: ResourceClasses = { Group, GroupAccess, Identity, RoleBinding };

/** Options of the resources of `component`. They wait for everything in its `dependsOn`. */
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

/** The uid of a group, or an output of it. */
export const eventualUid = z.any().superRefine((value, context) => {
  if (isEventual(value)) return;
  for (const { message } of uid.safeParse(value).error?.issues ?? []) context.addIssue({ code: "custom", message });
});

/** Uids by names, each a value or an output. */
export const uidsByName = z.record(z.string(), eventualUid);

/** The class of the resources by which a component gives access. */
export const accessAs = z.enum(["RoleBinding", "GroupAccess"], { error: 'must be "RoleBinding" or "GroupAccess"' });

/** Any value but undefined. Its own rules are checked later. */
export const anything = z.any().refine((value) => value !== undefined, "has no value");

/** The arguments with a value. Empty for anything but an object. */
export function withValues(args: unknown): object {
  if (typeof args !== "object" || args === null) return {};
  return Object.fromEntries(Object.entries(args).filter(([, value]) => value !== undefined));
}
