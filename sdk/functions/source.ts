import * as pulumi from "@pulumi/pulumi";
import { messageOf } from "../../provider/client/errors";
import type { ArgumentRules, Exclusions } from "./arguments";

/** What both forms of a data source are made of. */
export interface Source<Result> {
  /** Name of the plain form, with which its failures begin. */
  readonly call: string;
  /** Rules of every argument, for those that were given. */
  rules(asked: object): ArgumentRules;
  /** Default: none. */
  readonly excludes?: Exclusions;
  /**
   * Checks the arguments and asks the platform.
   *
   * @throws PlatformError
   */
  read(args: unknown): Promise<Result>;
}

/** A failure of the data source `call`, which the engine prints without a stack (ENGINE §3). */
export function failureOf(call: string, error: unknown): pulumi.RunError {
  return new pulumi.RunError(`${call}: ${messageOf(error)}`, { cause: error });
}

/** The form of a data source that takes values and returns a promise. */
export function plainForm<Result>(source: Source<Result>): (args?: object, opts?: pulumi.InvokeOptions) => Promise<Result> {
  return async (args) => {
    try {
      return await source.read(args);
    } catch (error) {
      throw failureOf(source.call, error);
    }
  };
}
