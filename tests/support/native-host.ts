import { credentials, InterceptingCall, type Interceptor, Server, ServerCredentials, type ServiceError } from "@grpc/grpc-js";
import type { handleUnaryCall, sendUnaryData, ServerUnaryCall, UntypedServiceImplementation } from "@grpc/grpc-js";
import { ResourceProviderClient, ResourceProviderService } from "@pulumi/pulumi/proto/provider_grpc_pb";
import { ErrorResourceInitFailed } from "@pulumi/pulumi/proto/provider_pb";
import { Status } from "@pulumi/pulumi/proto/status_pb";
import { Messages } from "../../provider/host/plugin/messages";
import { Plugin } from "../../provider/host/plugin/plugin";
import { tokenOf } from "../../provider/host/plugin/resources";
import { service } from "../../provider/host/plugin/service";
import type { Inputs, Kind } from "../../provider/kinds/kind";
import type { Provider } from "./engine-simulator";
import { hostProcess, type ProcessOptions } from "./host-process";
import { PluginClient, type Properties, secret, values } from "./plugin-client";

/** What says in a call for which plugin of this process it is. */
const header = "plugin";

/** A plugin, served by its real service over real gRPC. */
interface Hosted {
  readonly id: string;
  readonly calls: UntypedServiceImplementation;
}

/** Those whose clients are still in use: a test of many lives starts thousands. */
const hosted = new Map<string, WeakRef<Hosted>>();
let opened: Promise<{ server: Server; address: string; first: ResourceProviderClient }> | undefined;

/** One server for all plugins of this process: each as a process of its own would take minutes. */
function open(): typeof opened {
  const server = new Server();
  const names = Object.keys(ResourceProviderService);
  const dispatch = (name: string) => (call: ServerUnaryCall<unknown, unknown>, done: sendUnaryData<unknown>) => {
    const found = hosted.get(String(call.metadata.get(header)[0]))?.deref();
    if (found === undefined) throw new Error(`${name}: the plugin is gone`);
    (found.calls[name] as handleUnaryCall<unknown, unknown>)(call, done);
  };
  server.addService(ResourceProviderService, Object.fromEntries(names.map((name) => [name, dispatch(name)])));
  return new Promise((resolve, reject) => {
    server.bindAsync("127.0.0.1:0", ServerCredentials.createInsecure(), (error, port) => {
      const address = `127.0.0.1:${port}`;
      if (error) reject(error);
      else resolve({ server, address, first: new ResourceProviderClient(address, credentials.createInsecure()) });
    });
  });
}

/** Ends what this process serves. */
export async function closeNativeHosts(): Promise<void> {
  const closing = await opened;
  opened = undefined;
  closing?.first.close();
  closing?.server.forceShutdown();
}

/** A client of `plugin`, which is served in this process. */
export async function clientOf(plugin: Plugin): Promise<PluginClient> {
  const connection = await (opened ??= open());
  if (connection === undefined) throw new Error("no server");
  const { address, first } = connection;
  const host: Hosted = { id: String(hosted.size), calls: service(plugin, new Messages(""), {}) };
  hosted.set(host.id, new WeakRef(host));
  const addressed: Interceptor = (options, nextCall) =>
    new InterceptingCall(nextCall(options), {
      start(metadata, listener, next) {
        metadata.set(header, host.id);
        next(metadata, listener);
      },
    });
  const options = { interceptors: [addressed], channelOverride: first.getChannel() };
  return new PluginClient(new ResourceProviderClient(address, credentials.createInsecure(), options));
}

/** Starts a plugin, configured with `settings`. @returns the provider of a kind, as the engine reaches it through the plugin */
export function startNativeHost(settings: Record<string, string>, options?: ProcessOptions): (kind: Kind) => Provider {
  const configured = clientOf(new Plugin([], hostProcess(options))).then(async (client) => {
    const named = Object.entries(settings).map(([key, value]) => [key.replace(/^platform:/, ""), value]);
    await client.configure(Object.fromEntries(named) as Properties);
    return client;
  });
  return (kind) => {
    const type = tokenOf(kind);
    const call = async <Result>(work: (client: PluginClient) => Promise<Result>): Promise<Result> => {
      try {
        return await work(await configured);
      } catch (error) {
        throw asThrown(error as ServiceError);
      }
    };
    return {
      check: (olds, news) =>
        call(async (client) => {
          const { inputs, failures } = await client.check(type, "resource", sent(news), sent(olds));
          return { inputs: received(inputs), failures: failures.map(([property = "", reason = ""]) => ({ property, reason })) };
        }),
      diff: (id, olds, news) =>
        call(async (client) => {
          const { detailed, ...result } = await client.diff(type, id, sent(olds), sent(news));
          const shown = Object.keys(detailed).length;
          if (result.changes !== shown > 0) throw new Error(`${id}: the diff shows ${shown} changes, which is wrong`);
          return result;
        }),
      create: (inputs) =>
        call(async (client) => {
          const { id, outs } = await client.create(type, sent(inputs));
          return { id, outs: received(outs) };
        }),
      read: (id, state) =>
        call(async (client) => {
          const { id: uid, outs, inputs } = await client.read(type, id, sent(state));
          return uid === "" ? {} : { id: uid, props: received(outs), inputs: received(inputs) };
        }),
      update: (id, olds, news) =>
        call(async (client) => ({ outs: received(await client.update(type, id, sent(olds), sent(news))) })),
      delete: (id, state) => call((client) => client.delete(type, id, sent(state))),
    };
  };
}

/** Properties as the engine sends them: without the text that only dynamic resources have. */
function sent({ __provider: _, ...properties }: Inputs): Properties {
  return JSON.parse(JSON.stringify(properties)) as Properties;
}

/** Properties as the engine keeps them: secrets as plain values, which it encrypts in its state. */
function received(properties: Properties): Inputs {
  const [[mark, sort]] = Object.entries(secret("")) as [[string, string]];
  return JSON.parse(JSON.stringify(properties), (_name, value: unknown) => {
    if (typeof value !== "object" || value === null || !(mark in value)) return value;
    return (value as Properties)[mark] === sort ? (value as Properties)["value"] : value;
  }) as Inputs;
}

/** The object of a create that failed although it exists, with its properties as they travel; undefined for any other error. */
export function failedCreateIn({
  metadata,
}: ServiceError): { id: string; properties: Properties; reasons: string[] } | undefined {
  const [packed] = metadata.get("grpc-status-details-bin");
  if (packed === undefined) return undefined;
  const [detail] = Status.deserializeBinary(Buffer.from(packed)).getDetailsList();
  const failed = ErrorResourceInitFailed.deserializeBinary(detail?.getValue_asU8() ?? new Uint8Array());
  return { id: failed.getId(), properties: values(failed.getProperties()), reasons: failed.getReasonsList() };
}

/** The error of a call as the dynamic provider host throws it; its stack would be that of this test, which nobody is shown. */
function asThrown(answer: ServiceError): Error {
  const error = Object.assign(new Error(answer.details || answer.message), { stack: "" });
  const failed = failedCreateIn(answer);
  return failed === undefined ? error : Object.assign(error, { ...failed, properties: received(failed.properties) });
}
