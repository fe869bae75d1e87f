import * as pulumi from "@pulumi/pulumi";
import type { PlatformClient } from "../../provider/client/client";
import { acceptRehearsal } from "../../provider/client/rehearsal";
import { type Configuration, connect } from "../../provider/credentials";
import { configurationOf, type Settings } from "../../provider/host/explicit-provider";
import { recordSpans } from "../../provider/client/tracing";
import { hostProcess } from "../../provider/host/process";
import { recordInTracer } from "./tracer";

const clients = new Map<string, PlatformClient>();

/**
 * The configuration of the program, or of an explicit provider. In a rehearsal the program reads from the copy.
 *
 * @param configured Default: the stack's configuration
 * @throws PlatformError `CONFIGURATION`
 */
export function programConfiguration(configured: Settings = pulumi.runtime.allConfig()): Configuration {
  // The code of a foreign resource may get here in Pulumi's provider host, which writes into a real state.
  if (hostProcess() === undefined) acceptRehearsal();
  return configurationOf(configured, process.env);
}

/**
 * The program's own client for these settings and the current environment. One configuration has one client, and so one
 * API token, for all calls.
 *
 * @param configured Default: the stack's configuration
 * @throws PlatformError `CONFIGURATION`
 */
export function platformClient(configured?: Settings): PlatformClient {
  recordSpans(recordInTracer);
  const configuration = programConfiguration(configured);
  const key = JSON.stringify(configuration);
  const client = clients.get(key) ?? connect(configuration);
  clients.set(key, client);
  return client;
}
