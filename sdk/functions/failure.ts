import * as pulumi from "@pulumi/pulumi";
import { messageOf } from "../../provider/client/errors";

/**
 * Does `work` for the data source `call`.
 *
 * @throws pulumi.RunError that begins with the name of the data source: the engine prints it without a stack (ENGINE §3)
 */
export async function withReadableErrors<Result>(call: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw new pulumi.RunError(`${call}: ${messageOf(error)}`, { cause: error });
  }
}
