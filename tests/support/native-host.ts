import { PassThrough } from "node:stream";
import { Metadata, type ServiceError, type UntypedServiceImplementation } from "@grpc/grpc-js";
import { type ResourceProviderClient, ResourceProviderService } from "@pulumi/pulumi/proto/provider_grpc_pb";
import { Connections } from "../../provider/host/plugin/connections";
import { Messages } from "../../provider/host/plugin/messages";
import { Plugin } from "../../provider/host/plugin/plugin";
import { typeToken } from "../../provider/host/plugin/resources";
import { service } from "../../provider/host/plugin/service";
import type { Inputs, Kind } from "../../provider/schema/kind";
import type { Provider } from "./engine-simulator";
import { hostProcess, type ProcessOptions } from "./host-process";
import { failedCreateIn, PluginClient, type Properties, secret } from "./plugin-client";

/** A handler of the plugin's service, with what it uses of a call. */
type Handler = (call: object, done?: (error: Partial<ServiceError> | null, answer: unknown) => void) => void;

/** The connection of the engine. */
const peer = "127.0.0.1:1";

/** How the messages of a method become bytes. */
type Coding = Record<"requestSerialize" | "responseSerialize", (message: unknown) => Buffer> &
  Record<"requestDeserialize" | "responseDeserialize", (bytes: Buffer) => unknown>;

/** A client of the plugins that `load` makes in this process, each for one run of the engine. Requests and answers travel as bytes and later, as over gRPC, but through no socket. */
export function clientOf(load: Plugin | (() => Plugin)): PluginClient {
  const providers = new Connections(() => {
    const plugin = typeof load === "function" ? load() : load;
    return {
      plugin,
      messages: new Messages(""),
      reference: undefined,
      construct: () => Promise.reject(new Error("this host constructs no components")),
      attach: () => undefined,
      cancel: () => {
        plugin.cancel();
        return Promise.resolve();
      },
      get phase() {
        return plugin.phase;
      },
    };
  });
  providers.loaded(peer);
  const handlers = service(providers, {}) as UntypedServiceImplementation & Record<string, Handler>;
  const failure = (error: Partial<ServiceError>) => Object.assign(new Error(error.details), { metadata: new Metadata() }, error);
  const calls = Object.entries(ResourceProviderService).map(([name, method]) => {
    const coding = method as Coding;
    const answered = (answer: unknown) => coding.responseDeserialize(coding.responseSerialize(answer));
    const call = (request: unknown, done: Parameters<Handler>[1]) => {
      const received = {
        request: coding.requestDeserialize(coding.requestSerialize(request)),
        getPeer: () => peer,
        metadata: new Metadata(),
      };
      const stream = new PassThrough({ objectMode: true });
      const streaming = {
        write: (answer: unknown) => stream.write(answered(answer)),
        end: () => stream.end(),
        emit: (_event: "error", error: Partial<ServiceError>) => stream.destroy(failure(error)),
      };
      setImmediate(() =>
        handlers[name]?.(
          { ...received, ...streaming },
          done && ((error, answer) => (error ? done(failure(error), undefined) : done(null, answered(answer)))),
        ),
      );
      return stream;
    };
    return [name, call] as const;
  });
  return new PluginClient(Object.fromEntries(calls) as unknown as ResourceProviderClient);
}

/** Starts a plugin, configured with `settings`. @returns the provider of a kind, as the engine reaches it through the plugin */
export function startNativeHost(settings: Record<string, string>, options?: ProcessOptions): (kind: Kind) => Provider {
  const client = clientOf(new Plugin([], hostProcess(options)));
  const named = Object.entries(settings).map(([key, value]) => [key.replace(/^platform:/, ""), value]);
  const configured = client.configure(Object.fromEntries(named) as Properties).then(() => client);
  return (kind) => {
    const type = typeToken(kind);
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

/** The error of a call as the dynamic provider host throws it; its stack would be that of this test, which nobody is shown. */
function asThrown(answer: ServiceError): Error {
  const error = Object.assign(new Error(answer.details || answer.message), { stack: "" });
  const failed = failedCreateIn(answer);
  return failed === undefined ? error : Object.assign(error, { ...failed, properties: received(failed.properties) });
}
