import { Option } from "commander";
import type { PlatformClient } from "../../provider/client/client";
import { type Configuration, connect, readConfiguration } from "../../provider/credentials";
import { PlatformError } from "../../provider/client/errors";
import { stackConfiguration } from "./stack";

/** The settings of a command, and a client of the platform with them. */
export interface Connection {
  readonly configuration: Configuration;
  readonly client: PlatformClient;
}

/** The option `--stack`, for commands that read the platform. */
export function stackOption(): Option {
  return new Option("--stack <STACK>", "take address and credentials as a run of this stack does: its configuration comes first");
}

/**
 * Connects a command with the platform.
 *
 * @param stack whose configuration comes before the environment. Default: the environment alone
 * @throws PlatformError `CONFIGURATION`
 */
export async function connection(stack?: string): Promise<Connection> {
  const configured = stack === undefined ? undefined : await stackConfiguration(stack);
  const configuration = readConfiguration(configured, process.env);
  return { configuration, client: connect(configuration) };
}

/**
 * The group at which a command starts.
 *
 * @throws PlatformError `INVALID_INPUT` if no setting says it
 */
export function organizationOf({ organization, hasStack }: Configuration): string {
  if (organization !== undefined) return organization;
  const setting = hasStack ? "platform:organization" : "PLATFORM_ORGANIZATION";
  throw new PlatformError("INVALID_INPUT", `Which organisation? Pass --root GROUP, or set ${setting}.`);
}
