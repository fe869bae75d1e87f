import type { handleUnaryCall, ServerWritableStream, UntypedServiceImplementation } from "@grpc/grpc-js";
import { type PluginAttach, PluginInfo } from "@pulumi/pulumi/proto/plugin_pb";
import type { IResourceProviderServer } from "@pulumi/pulumi/proto/provider_grpc_pb";
import * as proto from "@pulumi/pulumi/proto/provider_pb";
import { Empty } from "google-protobuf/google/protobuf/empty_pb";
import type { Struct } from "google-protobuf/google/protobuf/struct_pb";
import { redact } from "../../client/redact";
import { version } from "../../client/version";
import type { CheckResult } from "../../resources/object/check";
import { changedConfiguration } from "./configuration";
import type { Connections, LoadedProvider } from "./connections";
import { propertyOf, withoutSecretNames } from "./detailed-diff";
import { failureStatus, Unimplemented } from "./failure-status";
import type { Listed } from "./functions";
import { mapping, mappings } from "./mapping";
import type { Messages } from "./messages";
import type { Plugin, PluginDiff, Request } from "./plugin";
import { fromWire, hasSecret, markedPaths, type Secrets, toWire } from "./properties";
import { secretsOf } from "./resources";
import { below, flushSpans } from "./spans";
import type { Existing, Subject } from "./subject";

const { ADD, ADD_REPLACE, DELETE, DELETE_REPLACE, UPDATE, UPDATE_REPLACE } = proto.PropertyDiff.Kind;
const differences = { add: [ADD, ADD_REPLACE], delete: [DELETE, DELETE_REPLACE], update: [UPDATE, UPDATE_REPLACE] } as const;
const { DIFF_NONE, DIFF_SOME } = proto.DiffResponse.DiffChanges;

/** The requests about a resource. */
interface AboutResource {
  getUrn(): string;
  getType(): string;
  getName(): string;
  getNews?(): Struct | undefined;
  getProperties?(): Struct | undefined;
}

/** The provider of a connection. */
export interface ConnectedProvider extends LoadedProvider {
  readonly plugin: Plugin;
  /** Shows the messages of the provider. */
  readonly messages: Messages;
  /** The engine's reference of the provider: its URN and its id. Undefined until it is configured, and with older engines. */
  reference: string | undefined;
  /** Constructs a component. */
  construct(request: proto.ConstructRequest): Promise<proto.ConstructResponse>;
  /** Serves the engine at `address` from now on. */
  attach(address: string): void;
  /** Ends the calls in flight, and the run if the engine has ended. */
  cancel(): Promise<void>;
}

/** Serves `providers` by the engine's protocol, with every call of `pulumirpc.ResourceProvider`. */
export function service(providers: Connections<ConnectedProvider>, schema: object): UntypedServiceImplementation {
  const over =
    (find: (peer: string) => ConnectedProvider) =>
    <Request, Response>(
      work: (request: Request, plugin: Plugin, provider: ConnectedProvider) => Promise<Response> | Response,
    ): handleUnaryCall<Request, Response> =>
    (call, done) => {
      const { request } = call;
      const subject = isAboutResource(request) ? subjectOf(request) : undefined;
      const answer = async () => {
        const provider = find(call.getPeer());
        return provider.messages.about(subject?.urn ?? "", async () => work(request, provider.plugin, provider));
      };
      below(call.metadata, answer).then(
        (response) => done(null, response),
        (error: unknown) => done(failureStatus(error, isAboutResource(request) ? secretsIn(request) : {})),
      );
    };
  const loading = over((peer) => providers.loading(peer));
  const unary = over((peer) => providers.serving(peer));
  const missing = (what: string) =>
    loading<unknown, never>(() => {
      throw new Unimplemented(what);
    });
  const implementation: Partial<IResourceProviderServer> = {
    // An engine constructs components only with a provider that accepts secrets. It sends outputs to components alone.
    handshake: over((peer) => providers.loaded(peer))(() =>
      new proto.ProviderHandshakeResponse().setAcceptSecrets(true).setAcceptOutputs(true),
    ),
    attach: loading((request: PluginAttach, _plugin, provider) => {
      provider.attach(request.getAddress());
      return new Empty();
    }),
    getPluginInfo: loading(() => new PluginInfo().setVersion(version)),
    getSchema: loading(() => new proto.GetSchemaResponse().setSchema(JSON.stringify(schema))),
    getMapping: loading(mapping),
    getMappings: loading(mappings),
    checkConfig: loading((request: proto.CheckRequest, plugin) =>
      checkResponse(plugin.checkConfig(fromWire(request.getNews()), subjectOf(request).name), { like: request.getNews() }),
    ),
    diffConfig: loading((request: proto.DiffRequest) => {
      const changed = changedConfiguration(fromWire(request.getOldInputs()), fromWire(request.getNews()));
      return new proto.DiffResponse().setChanges(changed.length > 0 ? DIFF_SOME : DIFF_NONE).setDiffsList(changed);
    }),
    configure: loading((request: proto.ConfigureRequest, plugin, provider) => {
      plugin.configure(fromWire(request.getArgs()), request.getName() || "default");
      const [urn, id] = [request.getUrn(), request.getId()];
      if (urn && id) provider.reference = `${urn}::${id}`;
      return new proto.ConfigureResponse().setSupportspreview(true).setAcceptsecrets(true).setAcceptoutputs(true);
    }),
    check: unary(async (request: proto.CheckRequest, plugin) => {
      const result = await plugin.check(subjectOf(request), fromWire(request.getOlds()), fromWire(request.getNews()));
      return checkResponse(result, secretsIn(request));
    }),
    diff: unary(async (request: proto.DiffRequest, plugin) => {
      const compared = { olds: fromWire(request.getOlds()), news: fromWire(request.getNews()) };
      const result = await plugin.diff(existing(request), compared, request.getIgnorechangesList());
      // Most diffs find nothing, and marks are read from the whole message.
      if (Object.keys(result.detailed).length === 0) return diffResponse(result);
      const secrets = [request.getOlds(), request.getNews()].flatMap(markedPaths);
      return diffResponse({ ...result, detailed: withoutSecretNames(result.detailed, secrets) });
    }),
    create: unary(async (request: proto.CreateRequest, plugin) => {
      const inputs = fromWire(request.getProperties());
      const { id, outs } = await plugin.create(subjectOf(request), inputs, askedIn(request));
      return new proto.CreateResponse().setId(id).setProperties(toWire(outs, secretsIn(request)));
    }),
    read: unary(async (request: proto.ReadRequest, plugin) => {
      const state = fromWire(request.getProperties());
      // The inputs of a `get` are empty, and an import has none (docs/contributing/engine.md#import).
      const isImport = !request.hasInputs() && Object.keys(state).length === 0;
      const observed = await plugin.read(existing(request), state, isImport);
      // An answer without an id means that the object is gone.
      if (observed === undefined) return new proto.ReadResponse();
      const secrets = secretsIn(request);
      return new proto.ReadResponse()
        .setId(observed.id)
        .setProperties(toWire(observed.outs, secrets))
        .setInputs(toWire(observed.inputs, { ...secrets, like: request.getInputs() }));
    }),
    update: unary(async (request: proto.UpdateRequest, plugin) => {
      const compared = { olds: fromWire(request.getOlds()), news: fromWire(request.getNews()) };
      const outs = await plugin.update(existing(request), compared, askedIn(request));
      return new proto.UpdateResponse().setProperties(toWire(outs, secretsIn(request)));
    }),
    delete: unary(async (request: proto.DeleteRequest, plugin) => {
      await plugin.delete(existing(request), fromWire(request.getProperties()), request.getTimeout());
      return new Empty();
    }),
    invoke: unary(async (request: proto.InvokeRequest, plugin) => {
      const { result, isSecret } = await plugin.invoke(request.getTok(), fromWire(request.getArgs()));
      const declared = isSecret || hasSecret(request.getArgs()) ? Object.keys(result).map((name) => [name]) : [];
      return new proto.InvokeResponse().setReturn(toWire(result, { declared }));
    }),
    list(call: ServerWritableStream<proto.ListRequest, proto.ListResponse>) {
      const { request } = call;
      const answer = async () => {
        const { plugin, messages } = providers.serving(call.getPeer());
        return messages.about("", () => plugin.list(request.getToken(), fromWire(request.getQuery()), request.getLimit()));
      };
      below(call.metadata, answer).then(
        (listed) => {
          for (const response of listResponses(listed)) call.write(response);
          call.end();
        },
        (error: unknown) => call.emit("error", failureStatus(error)),
      );
    },
    cancel: unary(async (_request, _plugin, provider) => {
      await provider.cancel();
      // The engine ends this process once it has the answer.
      await flushSpans();
      return new Empty();
    }),
    parameterize: missing("This provider takes no parameters."),
    construct: unary((request: proto.ConstructRequest, _plugin, provider) => provider.construct(request)),
    call: missing("The resources of this provider have no methods."),
  };
  return implementation as UntypedServiceImplementation;
}

function isAboutResource(request: unknown): request is AboutResource {
  return typeof request === "object" && request !== null && "getUrn" in request && "getType" in request && "getName" in request;
}

/** Older engines name a resource by its URN alone. */
function subjectOf(request: AboutResource): Subject {
  const [qualified = "", ...name] = request.getUrn().split("::").slice(2);
  return {
    urn: request.getUrn(),
    type: request.getType() || (qualified.split("$").at(-1) ?? ""),
    // A name may contain the separator.
    name: request.getName() || name.join("::"),
  };
}

/** The secrets of the answer to `request`. */
function secretsIn(request: AboutResource): Secrets {
  return { declared: secretsOf(subjectOf(request).type), like: request.getNews?.() ?? request.getProperties?.() };
}

function existing(request: AboutResource & { getId(): string }): Existing {
  return { ...subjectOf(request), id: request.getId() };
}

function askedIn(request: { getPreview(): boolean; getTimeout(): number }): Request {
  return { is: request.getPreview() ? "preview" : "change", seconds: request.getTimeout() };
}

function checkResponse({ inputs, failures }: CheckResult, secrets: Secrets): proto.CheckResponse {
  const failed = failures.map(({ property, reason }) => new proto.CheckFailure().setProperty(property).setReason(redact(reason)));
  return new proto.CheckResponse().setInputs(toWire(inputs, secrets)).setFailuresList(failed);
}

/** One page of any length, because the engine accepts longer pages than it asks for. */
function listResponses(listed: readonly Listed[] | undefined): proto.ListResponse[] {
  if (listed === undefined) return [new proto.ListResponse().setComputed(new proto.ListResponse.Computed())];
  return listed.map(({ id, name }) =>
    new proto.ListResponse().setResult(new proto.ListResponse.Result().setId(id).setName(name)),
  );
}

function diffResponse({ changes, replaces, replacing, deleteBeforeReplace, names, detailed }: PluginDiff): proto.DiffResponse {
  const response = new proto.DiffResponse()
    .setChanges(changes ? DIFF_SOME : DIFF_NONE)
    .setReplacesList([...replaces])
    .setDeletebeforereplace(deleteBeforeReplace)
    .setDiffsList([...names])
    .setHasdetaileddiff(changes && Object.keys(detailed).length > 0);
  for (const [path, how] of Object.entries(detailed)) {
    const kind = differences[how][replacing.includes(propertyOf(path)) ? 1 : 0];
    response.getDetaileddiffMap().set(path, new proto.PropertyDiff().setKind(kind));
  }
  return response;
}
