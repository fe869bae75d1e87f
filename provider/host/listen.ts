import { Server, ServerCredentials, type UntypedServiceImplementation } from "@grpc/grpc-js";
import { ResourceProviderService } from "@pulumi/pulumi/proto/provider_grpc_pb";

/** The engine sends the whole state of a resource in one message. */
const longestMessage = 400 * 1024 * 1024;

/** A provider that an engine on this machine reaches. */
export interface Listening {
  readonly port: number;
  /** Ends every call. */
  close(): void;
}

/** Serves `implementation` on this machine. */
export async function listen(implementation: UntypedServiceImplementation): Promise<Listening> {
  const server = new Server({ "grpc.max_receive_message_length": longestMessage, "grpc.max_send_message_length": -1 });
  server.addService(ResourceProviderService, implementation);
  const port = await new Promise<number>((resolve, reject) => {
    server.bindAsync("127.0.0.1:0", ServerCredentials.createInsecure(), (error, bound) => {
      if (error) reject(error);
      else resolve(bound);
    });
  });
  return { port, close: () => server.forceShutdown() };
}
