import { AsyncLocalStorage } from "node:async_hooks";
import type { PlatformClient } from "../../provider/client/client";
import { type Configuration, readConfiguration } from "../../provider/credentials";

const current = new AsyncLocalStorage<PlatformClient>();

/** Stands in for the export of the same name of sdk/program/platform-client.ts: `jest.mock` of that module with this one. */
export function platformClient(): PlatformClient {
  const client = current.getStore();
  if (client === undefined) throw new Error("No client: call the data source inside of withClient.");
  return client;
}

/** The default settings, of an address that nothing asks: the client decides. */
export function programConfiguration(): Configuration {
  return readConfiguration({ "platform:baseUrl": "http://localhost", "platform:oidcTokenFile": "none" }, {});
}

/** Calls data sources with `client`. Calls that run beside it keep their own. */
export function withClient<Result>(client: PlatformClient, work: () => Promise<Result>): Promise<Result> {
  return current.run(client, work);
}
