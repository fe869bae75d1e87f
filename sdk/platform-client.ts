import * as pulumi from "@pulumi/pulumi";
import type { PlatformClient } from "../provider/client/client";
import { connect, readConfiguration } from "../provider/credentials";

const clients = new Map<string, PlatformClient>();

/**
 * The program's own client, for the stack's configuration and the environment as they are now. One configuration
 * has one client, and so one API token, however many calls use it.
 *
 * @throws PlatformError `CONFIGURATION` (DESIGN §8)
 */
export function platformClient(): PlatformClient {
  const configuration = readConfiguration(pulumi.runtime.allConfig(), process.env);
  const key = JSON.stringify(configuration);
  const client = clients.get(key) ?? connect(configuration);
  clients.set(key, client);
  return client;
}
