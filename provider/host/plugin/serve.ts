import { Server, ServerCredentials, type UntypedServiceImplementation } from "@grpc/grpc-js";
import { ResourceProviderService } from "@pulumi/pulumi/proto/provider_grpc_pb";
import schema from "../../../schema.json";
import { endWith } from "../engine-watch";
import { PluginProvider } from "./attached";
import { Connections } from "./connections";
import type { ServedFunction } from "./functions";
import { service } from "./service";

/** The engine sends the whole state of a resource in one message. */
const longestMessage = 400 * 1024 * 1024;

/**
 * Serves the provider to the engine at `address` until the engine ends.
 *
 * @param address `host:port`; empty if a person has started this process
 * @param others data sources declared outside of `provider/`
 * @returns the port
 */
export async function serve(address: string, others: readonly ServedFunction[]): Promise<number> {
  const providers = new Connections(() => new PluginProvider(address, others));
  endWith(address, () => {
    for (const { plugin } of providers.all) plugin.close();
  });
  return listen(service(providers, schema));
}

/** Serves `implementation` on this machine. @returns the port */
export async function listen(implementation: UntypedServiceImplementation): Promise<number> {
  const server = new Server({ "grpc.max_receive_message_length": longestMessage, "grpc.max_send_message_length": -1 });
  server.addService(ResourceProviderService, implementation);
  return new Promise((resolve, reject) => {
    server.bindAsync("127.0.0.1:0", ServerCredentials.createInsecure(), (error, port) => {
      if (error) reject(error);
      else resolve(port);
    });
  });
}
