import type { handleUnaryCall, UntypedServiceImplementation } from "@grpc/grpc-js";
import type { IResourceProviderServer } from "@pulumi/pulumi/proto/provider_grpc_pb";
import type { ParameterizeRequest } from "@pulumi/pulumi/proto/provider_pb";
import type { JavaScriptValue, Struct } from "google-protobuf/google/protobuf/struct_pb";
import { isDeepStrictEqual } from "node:util";
import type { Listening } from "../provider/host/listen";
import { protocol } from "./protocol";

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
    readonly record: NullRecord,
    private readonly listening: Listening,
  ) {}

  static async start(): Promise<NullProvider> {
    const record: NullRecord = { invented: new Set(), refused: new Set() };
    return new NullProvider(record, await protocol().listen(nullService(record)));
  }

  get port(): number {
    return this.listening.port;
  }

  close(): void {
    this.listening.close();
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
