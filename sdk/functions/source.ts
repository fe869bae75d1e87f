import * as pulumi from "@pulumi/pulumi";
import { codeOf, messageOf } from "../../provider/client/errors";
import type { Settings } from "../../provider/host/explicit-provider";
import type { Asked, ClientSource } from "../../provider/sources/source";
import { platformClient, programConfiguration } from "../program/platform-client";
import { plainMessageOf, ProgramFailure } from "../program/program-failure";
import { providerOf, settledSettings } from "../resources/provider";
import { given, problemsOf, reject } from "../program/arguments";
import { isMocked } from "../program/mocks";

/** A failure of the data source `call`, without a stack. The engine would print the stack if the result is an argument of a resource. */
export function failureOf(call: string, error: unknown): ProgramFailure {
  const failure = new ProgramFailure(codeOf(error), `${call}: ${plainMessageOf(error)}`, error);
  failure.stack = failure.message;
  return failure;
}

/** The form of a data source that takes values and returns a promise. */
export function plainForm<Result>(source: ClientSource<Result>): (args?: object, opts?: pulumi.InvokeOptions) => Promise<Result> {
  return async (args, opts) => {
    try {
      const asked = checkedArguments(source, args);
      return await answer(source, asked, opts, await settledSettings(providerOf(opts)));
    } catch (error) {
      throw failureOf(source.call, error);
    }
  };
}

/**
 * The result from the platform, or from a test's mocks.
 *
 * @param settings configuration of the explicit provider; undefined for the stack's own
 * @throws PlatformError
 */
export async function answer<Result>(
  source: ClientSource<Result>,
  asked: Asked,
  opts: pulumi.InvokeOptions | undefined,
  settings: Settings | undefined,
): Promise<Result> {
  // Without mocks the engine would look for a plugin of this name on the network.
  if (isMocked()) return mocked<Result>(`platform:${source.area}:${source.call}`, asked, opts);
  return source.read(asked, platformClient(settings), programConfiguration(settings));
}

async function mocked<Result>(token: string, asked: Asked, opts: pulumi.InvokeOptions = {}): Promise<Result> {
  try {
    return (await pulumi.runtime.invoke(token, { ...asked }, opts)) as Result;
  } catch (error) {
    // The SDK drops the message of an error that a mock throws.
    throw new Error(messageOf(error) || `the test's mock of ${token} threw an error.`, { cause: error });
  }
}

/**
 * The arguments that have a value.
 *
 * @throws PlatformError `INVALID_INPUT`
 */
export function checkedArguments(source: ClientSource<unknown>, args: unknown): Asked {
  const asked = given(args);
  if (source.usage !== undefined && Object.keys(asked).length === 0) reject([source.usage]);
  reject(problemsOf(source.rules(asked), asked, source.excludes));
  return asked;
}
