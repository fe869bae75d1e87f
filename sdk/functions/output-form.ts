import * as pulumi from "@pulumi/pulumi";
import { z } from "zod";
import { given, isEventual, problemsOf, refuse } from "./arguments";
import { failureOf, plainForm, type Source } from "./source";

/** Arguments of which each, or each item of which, may be an output of a resource. */
export type OutputArgs<Args> = { [Name in keyof Args]: pulumi.Input<OutputItems<Args[Name]>> };

type OutputItems<Value> = Value extends (infer Item)[] ? pulumi.Input<Item>[] : Value;

/** A `ListFunction` that takes and gives outputs. `opts.dependsOn` names what must exist before it reads. */
export type ListOutputFunction<Args, Result> = (
  args?: OutputArgs<Args>,
  opts?: pulumi.InvokeOutputOptions,
) => pulumi.Output<Result>;

/** A `GetFunction` that takes and gives outputs. `opts.dependsOn` names what must exist before it reads. */
export type GetOutputFunction<Args, Result> = (
  args: OutputArgs<Args>,
  opts?: pulumi.InvokeOutputOptions,
) => pulumi.Output<Result>;

/**
 * The form of a data source that waits for its arguments and for `dependsOn`: nothing is read while one of them is
 * unknown in a preview, and a secret argument makes the result secret. What is wrong with an argument that is known is
 * told without waiting for the others.
 */
export function outputForm<Result>(
  source: Source<Result>,
): (args?: object, opts?: pulumi.InvokeOutputOptions) => pulumi.Output<Result> {
  const check = (args: unknown) => {
    try {
      const asked = given(args);
      const rules = z.strictObject(source.rules(asked)).partial().shape;
      refuse(problemsOf(rules, asked, source.excludes, isEventual));
      return asked;
    } catch (error) {
      throw failureOf(source.call, error);
    }
  };
  const read = plainForm(source);
  return (args, opts = {}) => {
    const asked = check(args);
    const each = Object.entries(asked).map(([name, value]) => pulumi.output({ [name]: value }).apply(check));
    return pulumi.all([pulumi.output(asked), existing(opts.dependsOn), pulumi.all(each)]).apply(([known]) => read(known));
  };
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
