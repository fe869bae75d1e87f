import type { handleUnaryCall, Server, UntypedServiceImplementation } from "@grpc/grpc-js";
import type { IResourceProviderServer } from "@pulumi/pulumi/proto/provider_grpc_pb";
import type { ParameterizeRequest } from "@pulumi/pulumi/proto/provider_pb";
import type { JavaScriptValue, Struct } from "google-protobuf/google/protobuf/struct_pb";
import { isDeepStrictEqual } from "node:util";
import { protocol } from "./protocol";

/** The engine sends the whole state of a resource in one message. */
const longestMessage = 400 * 1024 * 1024;

/** The answers of a null provider that the real provider might not give. */
export interface NullRecord {
  /** URNs of resources whose outputs it made up. */
  readonly invented: Set<string>;
  /** Functions, components and methods of other packages, which it cannot run. */
  readonly refused: Set<string>;
}

/** A provider in place of those of all other packages. It does nothing: a resource to create "exists" with its inputs as outputs. */
export class NullProvider {
  private constructor(
    readonly port: number,
    readonly record: NullRecord,
    private readonly server: Server,
  ) {}

  static async start(): Promise<NullProvider> {
    const record: NullRecord = { invented: new Set(), refused: new Set() };
    const { Server, ServerCredentials, ResourceProviderService } = protocol();
    const server = new Server({ "grpc.max_receive_message_length": longestMessage, "grpc.max_send_message_length": -1 });
    server.addService(ResourceProviderService, nullService(record));
    const port = await new Promise<number>((resolve, reject) => {
      server.bindAsync("127.0.0.1:0", ServerCredentials.createInsecure(), (error, bound) => {
        if (error) reject(error);
        else resolve(bound);
      });
    });
    return new NullProvider(port, record, server);
  }

  close(): void {
    this.server.forceShutdown();
  }
}

function nullService({ invented, refused }: NullRecord): UntypedServiceImplementation {
  const { status, PluginInfo, proto, Empty, Struct } = protocol();
  const { DIFF_NONE, DIFF_SOME } = proto.DiffResponse.DiffChanges;
  const unary =
    <Request, Response>(answer: (request: Request) => Response): handleUnaryCall<Request, Response> =>
    ({ request }, done) =>
      done(null, answer(request));
  const refuse =
    <Request>(nameOf: (request: Request) => string): handleUnaryCall<Request, never> =>
    ({ request }, done) => {
      const name = nameOf(request);
      refused.add(name);
      done({ code: status.UNIMPLEMENTED, details: `${name} belongs to another package, which a rehearsal does not run` });
    };
  const implementation: Partial<IResourceProviderServer> = {
    handshake: unary(() => new proto.ProviderHandshakeResponse()),
    attach: unary(() => new Empty()),
    getPluginInfo: unary(() => new PluginInfo().setVersion("0.0.0")),
    getSchema: unary(() => new proto.GetSchemaResponse().setSchema("{}")),
    getMapping: unary(() => new proto.GetMappingResponse()),
    getMappings: unary(() => new proto.GetMappingsResponse()),
    parameterize: unary((request: ParameterizeRequest) => {
      const { name, version } = request.getValue()?.toObject() ?? { name: "", version: "" };
      return new proto.ParameterizeResponse().setName(name).setVersion(version);
    }),
    checkConfig: unary((request) => new proto.CheckResponse().setInputs(request.getNews())),
    diffConfig: unary(() => new proto.DiffResponse().setChanges(DIFF_NONE)),
    configure: unary(() =>
      new proto.ConfigureResponse()
        .setAcceptsecrets(true)
        .setAcceptresources(true)
        .setAcceptoutputs(true)
        .setSupportspreview(true),
    ),
    check: unary((request) => new proto.CheckResponse().setInputs(withDefaults(request.getOlds(), request.getNews()))),
    diff: unary((request) => {
      const [olds, news] = [request.getOldInputs(), request.getNews()].map((each) => each?.toJavaScript() ?? {});
      return new proto.DiffResponse().setChanges(isDeepStrictEqual(olds, news) ? DIFF_NONE : DIFF_SOME);
    }),
    create: unary((request) => {
      invented.add(request.getUrn());
      return new proto.CreateResponse().setId(request.getPreview() ? "" : "rehearsed").setProperties(request.getProperties());
    }),
    update: unary((request) => {
      invented.add(request.getUrn());
      const merged = { ...request.getOlds()?.toJavaScript(), ...request.getNews()?.toJavaScript() };
      return new proto.UpdateResponse().setProperties(Struct.fromJavaScript(merged));
    }),
    read: unary((request) => {
      // Only the real provider knows the present outputs, of a refresh as of a `get`.
      invented.add(request.getUrn());
      return new proto.ReadResponse()
        .setId(request.getId())
        .setProperties(request.getProperties())
        .setInputs(request.getInputs());
    }),
    delete: unary(() => new Empty()),
    cancel: unary(() => new Empty()),
    invoke: refuse((request) => `function ${request.getTok()}`),
    call: refuse((request) => `method ${request.getTok()}`),
    construct: refuse((request) => `component ${request.getName()} (${request.getType()})`),
  };
  return implementation as UntypedServiceImplementation;
}

/**
 * The new inputs, with the values that the real provider once filled in. Bridged providers list these in `__defaults`. Without them every
 * unchanged resource would look changed.
 */
function withDefaults(olds: Struct | undefined, news: Struct | undefined): Struct {
  const { Struct } = protocol();
  return Struct.fromJavaScript(filled(news?.toJavaScript() ?? {}, olds?.toJavaScript() ?? {}) as Record<string, JavaScriptValue>);
}

function filled(news: JavaScriptValue, olds: JavaScriptValue): JavaScriptValue {
  if (Array.isArray(news))
    return news.map((each: JavaScriptValue, at) =>
      filled(each, Array.isArray(olds) ? ((olds as JavaScriptValue[])[at] ?? null) : null),
    );
  if (!isMembers(news) || !isMembers(olds)) return news;
  const { __defaults: defaults } = olds;
  const names = Array.isArray(defaults) ? defaults.filter((name) => typeof name === "string") : [];
  const kept = names.flatMap((name) => (name in news ? [] : [[name, olds[name] ?? null] as const]));
  return {
    ...Object.fromEntries(Object.entries(news).map(([name, member]) => [name, filled(member, olds[name] ?? null)])),
    ...Object.fromEntries(kept),
    ...(defaults !== undefined && !("__defaults" in news) && { __defaults: defaults }),
  };
}

function isMembers(value: JavaScriptValue | undefined): value is Record<string, JavaScriptValue> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
