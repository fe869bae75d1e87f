import * as pulumi from "@pulumi/pulumi";
import { z } from "zod";
import { uid } from "../../provider/kinds/inputs";
import { isEventual } from "../functions/arguments";

/** The uid of a group, or an output of it. */
export const eventualUid = z.any().superRefine((value, context) => {
  if (isEventual(value)) return;
  for (const { message } of uid.safeParse(value).error?.issues ?? []) context.addIssue({ code: "custom", message });
});

/** Any value: what it holds is checked later. */
export const anything = z.unknown();

/** `args` without those that have no value. */
export function withValues(args: unknown): object {
  if (typeof args !== "object" || args === null) return {};
  return Object.fromEntries(Object.entries(args).filter(([, value]) => value !== undefined));
}

/** Options of the resources of `component`: they wait for whatever the component was told to wait for. */
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
