import * as pulumi from "@pulumi/pulumi";
import { z } from "zod";
import type { ClientSource } from "../../provider/sources/source";
import { given, isEventual, problemsOf, reject } from "../program/arguments";
import { providerOf } from "../resources/provider";
import { answer, checkedArguments, failureOf } from "./source";

/** Arguments that may be outputs, as a whole or in each item. */
export type OutputArgs<Args> = { [Name in keyof Args]: pulumi.Input<OutputItems<Args[Name]>> };

type OutputItems<Value> = Value extends readonly (infer Item)[] ? readonly pulumi.Input<Item>[] : Value;

/** A `ListFunction` that takes and returns outputs. It reads after the resources in `opts.dependsOn` exist. */
export type ListOutputFunction<Args, Result> = (
  args?: OutputArgs<Args>,
  opts?: pulumi.InvokeOutputOptions,
) => pulumi.Output<Result>;

/** A `GetFunction` that takes and returns outputs. It reads after the resources in `opts.dependsOn` exist. */
export type GetOutputFunction<Args, Result> = (
  args: OutputArgs<Args>,
  opts?: pulumi.InvokeOutputOptions,
) => pulumi.Output<Result>;

/**
 * The form of a data source that waits for its arguments, its provider and `dependsOn`. It reads nothing while one of them is
 * unknown in a preview, and a secret argument makes the result secret. An invalid argument that is known fails at once.
 */
export function outputForm<Result>(
  source: ClientSource<Result>,
): (args?: object, opts?: pulumi.InvokeOutputOptions) => pulumi.Output<Result> {
  const orFail = <Value>(work: () => Value): Value => {
    try {
      return work();
    } catch (error) {
      throw failureOf(source.call, error);
    }
  };
  const check = (args: unknown) =>
    orFail(() => {
      const asked = given(args);
      const rules = z.strictObject(source.rules(asked)).partial().shape;
      reject(problemsOf(rules, asked, source.excludes, isEventual));
      return asked;
    });
  return (args, opts = {}) => {
    const asked = check(args);
    // Without outputs, missing arguments fail here too, because Node.js warns about a promise that rejects before anybody awaits it.
    if (Object.values(asked).every((value) => typeof value !== "object")) orFail(() => checkedArguments(source, asked));
    const provider = providerOf(opts);
    const each = Object.entries(asked).map(([name, value]) => pulumi.output({ [name]: value }).apply(check));
    // A result is not secret because a setting is encrypted.
    const settings = provider && pulumi.unsecret(provider.settings);
    const ready = pulumi.all([pulumi.output(asked), settings, existing(opts.dependsOn), pulumi.all(each)]);
    const result = ready.apply(async ([known, settled]) => {
      try {
        return await answer(source, checkedArguments(source, known), opts, settled);
      } catch (error) {
        throw failureOf(source.call, error);
      }
    });
    return source.isSecret ? (pulumi.secret(result) as pulumi.Output<Result>) : result;
  };
}

/** Known when all of `dependsOn` exist. */
function existing(dependsOn: pulumi.InvokeOutputOptions["dependsOn"] = []): pulumi.Output<unknown> {
  return pulumi.output(dependsOn).apply((resources) => pulumi.all([resources].flat().flatMap(signsOfExistence)));
}

/** A custom resource exists when its id is known, a component when all its children exist. */
function signsOfExistence(resource: pulumi.Resource): pulumi.Output<string>[] {
  if (pulumi.CustomResource.isInstance(resource)) return [resource.id];
  const children = Reflect.get(resource, "__childResources") as Iterable<pulumi.Resource> | undefined;
  return [resource.urn, ...[...(children ?? [])].flatMap(signsOfExistence)];
}
