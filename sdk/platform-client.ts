import * as pulumi from "@pulumi/pulumi";
import type { PlatformClient } from "../provider/client/client";
import { connect } from "../provider/credentials";
import { configurationOf, type Settings } from "../provider/host/explicit-provider";

const clients = new Map<string, PlatformClient>();

/**
 * The program's own client for these settings and the current environment. One configuration has one client, and so one
 * API token, for all calls.
 *
 * @param configured Default: the stack's configuration
 * @throws PlatformError `CONFIGURATION`
 */
export function platformClient(configured: Settings = pulumi.runtime.allConfig()): PlatformClient {
  const configuration = configurationOf(configured, process.env);
  const key = JSON.stringify(configuration);
  const client = clients.get(key) ?? connect(configuration);
  clients.set(key, client);
  return client;
}
