import * as pulumi from "@pulumi/pulumi";
import type { GetFunction } from "./get-function";
import type { ListFunction } from "./list-function";

/** Arguments of which each may be an output of a resource. */
export type OutputArgs<Args> = {
  [Name in keyof Args]: NonNullable<Args[Name]> extends (infer Item)[]
    ? pulumi.Input<pulumi.Input<Item>[] | undefined>
    : pulumi.Input<Args[Name]>;
};

/** A {@link ListFunction} that takes and gives outputs. `opts.dependsOn` names what must exist before it reads. */
export type ListOutputFunction<Args, Result> = (
  args?: OutputArgs<Args>,
  opts?: pulumi.InvokeOutputOptions,
) => pulumi.Output<Result>;

/** A {@link GetFunction} that takes and gives outputs. `opts.dependsOn` names what must exist before it reads. */
export type GetOutputFunction<Args, Result> = (
  args: OutputArgs<Args>,
  opts?: pulumi.InvokeOutputOptions,
) => pulumi.Output<Result>;

/**
 * The form of a data source that waits for its arguments and for `dependsOn`: nothing is read while one of them is
 * unknown in a preview, and a secret argument makes the result secret.
 */
export function outputForm<Args extends object, Result>(read: ListFunction<Args, Result>): ListOutputFunction<Args, Result>;
export function outputForm<Args extends object, Result>(read: GetFunction<Args, Result>): GetOutputFunction<Args, Result>;
export function outputForm<Args extends object, Result>(read: GetFunction<Args, Result>): GetOutputFunction<Args, Result> {
  return (args: OutputArgs<Args> | undefined, opts: pulumi.InvokeOutputOptions = {}) =>
    pulumi
      .all([pulumi.output<unknown>(args ?? {}), existing(opts.dependsOn)])
      // Once awaited, the members are those of `Args`; reading checks them all the same.
      .apply(([known]) => read(known as Args));
}

/** Known once every one of `dependsOn` exists. */
function existing(dependsOn: pulumi.InvokeOutputOptions["dependsOn"] = []): pulumi.Output<unknown> {
  return pulumi.output(dependsOn).apply((resources) => pulumi.all([resources].flat().flatMap(signsOfLife)));
}

/** A custom resource exists when its id is known; a component when all that it holds exists. */
function signsOfLife(resource: pulumi.Resource): pulumi.Output<string>[] {
  if (pulumi.CustomResource.isInstance(resource)) return [resource.id];
  const children = Reflect.get(resource, "__childResources") as Iterable<pulumi.Resource> | undefined;
  return [resource.urn, ...[...(children ?? [])].flatMap(signsOfLife)];
}
