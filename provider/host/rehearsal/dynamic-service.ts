import type {
  handleUnaryCall,
  sendUnaryData,
  ServerUnaryCall,
  ServerWritableStream,
  UntypedServiceImplementation,
} from "@grpc/grpc-js";
import { status } from "@grpc/grpc-js";
import { PluginInfo, type PluginAttach } from "@pulumi/pulumi/proto/plugin_pb";
import type { IResourceProviderServer } from "@pulumi/pulumi/proto/provider_grpc_pb";
import * as proto from "@pulumi/pulumi/proto/provider_pb";
import { version } from "@pulumi/pulumi/version";
import { Empty } from "google-protobuf/google/protobuf/empty_pb";
import { type JavaScriptValue, Struct } from "google-protobuf/google/protobuf/struct_pb";
import { unknownValue } from "../../schema/inputs";
import type { Inputs } from "../../schema/kind";
import type { DynamicProvider } from "../dynamic";
import { secretMark, signature } from "../engine-marks";
import type { Settings } from "../explicit-provider";
import type { Connections } from "../plugin/connections";
import type { ConnectedDynamicProvider } from "./dynamic-provider";
import { dynamicFailure } from "./dynamic-failure";

/** The requests about a resource. */
interface AboutResource {
  getUrn(): string;
  getType(): string;
}

const { DIFF_NONE, DIFF_SOME } = proto.DiffResponse.DiffChanges;

/** The calls that Pulumi's host does not implement, as its texts name them. The engine then goes on without them. */
const missing = {
  ...{ handshake: "Handshake", parameterize: "Parameterize", checkConfig: "CheckConfig", diffConfig: "DiffConfig" },
  ...{ getSchema: "GetSchema", construct: "Construct", call: "Call", getMapping: "GetMapping", getMappings: "GetMappings" },
};

/** Serves `providers` as Pulumi's dynamic provider host serves them, answer by answer. */
// See docs/contributing/engine.md#the-host-of-a-rehearsal.
export function dynamicService(providers: Connections<ConnectedDynamicProvider>): UntypedServiceImplementation {
  const loading =
    <Request, Response>(
      work: (provider: ConnectedDynamicProvider, request: Request) => Response,
    ): handleUnaryCall<Request, Response> =>
    (call, done) => {
      done(null, work(providers.loading(call.getPeer()), call.request));
    };
  /** @param textOf the properties with the text that serves the resource */
  const serving =
    <Request extends AboutResource, Response>(
      textOf: (request: Request) => Inputs,
      work: (provider: DynamicProvider, request: Request) => Promise<Response>,
    ) =>
    (call: ServerUnaryCall<Request, Response>, done: sendUnaryData<Response>) => {
      const { request } = call;
      const answer = async () => {
        const provider = providers.serving(call.getPeer());
        return provider.messages.about("", async () =>
          work(provider.of(request.getUrn(), typeOf(request), textOf(request)), request),
        );
      };
      answer().then(
        (response) => done(null, response),
        (error: unknown) => done(dynamicFailure(error)),
      );
    };
  const implementation: Partial<IResourceProviderServer> = {
    attach: loading((provider, request: PluginAttach) => {
      provider.attach(request.getAddress());
      return new Empty();
    }),
    getPluginInfo: loading(() => new PluginInfo().setVersion(version)),
    configure: loading((provider, request: proto.ConfigureRequest) => {
      provider.configure(settingsIn(request.getArgs()));
      return new proto.ConfigureResponse();
    }),
    invoke({ request }: ServerUnaryCall<proto.InvokeRequest, proto.InvokeResponse>, done) {
      done({ code: status.UNKNOWN, details: `unknown function ${request.getTok()}` });
    },
    list(call: ServerWritableStream<proto.ListRequest, proto.ListResponse>) {
      call.emit("error", { code: status.UNIMPLEMENTED, details: "List is not implemented by the dynamic provider" });
    },
    cancel: loading((provider) => {
      provider.end();
      return new Empty();
    }),
    check: serving(
      (request: proto.CheckRequest) => withText(request.getNews(), request.getOlds()),
      async (provider, request) => {
        const news = values(request.getNews());
        const { inputs, failures } = await provider.check(values(request.getOlds()), news);
        const failed = failures.map(({ property, reason }) => new proto.CheckFailure().setProperty(property).setReason(reason));
        return new proto.CheckResponse().setInputs(struct(inputs, news)).setFailuresList(failed);
      },
    ),
    diff: serving(
      (request: proto.DiffRequest) => withText(request.getNews(), request.getOlds()),
      async (provider, request) => {
        const result = await provider.diff(request.getId(), values(request.getOlds()), values(request.getNews()));
        return new proto.DiffResponse()
          .setChanges(result.changes ? DIFF_SOME : DIFF_NONE)
          .setReplacesList([...result.replaces])
          .setDeletebeforereplace(result.deleteBeforeReplace);
      },
    ),
    create: serving(
      (request: proto.CreateRequest) => values(request.getProperties()),
      async (provider, request) => {
        const inputs = values(request.getProperties());
        const { id, outs } = await provider.create(inputs);
        return new proto.CreateResponse().setId(id).setProperties(struct(outs, inputs));
      },
    ),
    read: serving(stateIn, async (provider, request: proto.ReadRequest) => {
      const state = stateIn(request);
      const { id, props, inputs } = await provider.read(request.getId(), state);
      const response = new proto.ReadResponse().setProperties(struct(props ?? {}, state));
      if (id !== undefined) response.setId(id);
      return inputs === undefined ? response : response.setInputs(struct(inputs, state));
    }),
    update: serving(
      (request: proto.UpdateRequest) => values(request.getNews()),
      async (provider, request) => {
        const news = values(request.getNews());
        const { outs } = await provider.update(request.getId(), values(request.getOlds()), news);
        return new proto.UpdateResponse().setProperties(struct(outs, news));
      },
    ),
    delete: serving(
      (request: proto.DeleteRequest) => values(request.getProperties()),
      async (provider, request) => {
        await provider.delete(request.getId(), values(request.getProperties()));
        return new Empty();
      },
    ),
  };
  const others = Object.entries(missing).map(([name, call]) => [name, unimplemented(call, providers)] as const);
  return { ...(implementation as UntypedServiceImplementation), ...Object.fromEntries(others) };
}

/** Answers a call that Pulumi's host does not implement. The handshake is the first call of a connection. */
function unimplemented(name: string, providers: Connections<ConnectedDynamicProvider>): handleUnaryCall<unknown, never> {
  return (call, done) => {
    if (name === missing.handshake) providers.loaded(call.getPeer());
    done({ code: status.UNIMPLEMENTED, details: `${name} is not implemented by the dynamic provider` });
  };
}

/** Older engines name the type in the URN alone. */
function typeOf(request: AboutResource): string {
  return request.getType() || (request.getUrn().split("::")[2]?.split("$").at(-1) ?? "");
}

/** The side of a comparison whose text serves it, as Pulumi's host chooses it. */
function withText(news: Struct | undefined, olds: Struct | undefined): Inputs {
  const properties = values(news);
  return properties["__provider"] === unknownValue ? values(olds) : properties;
}

/** The properties of a Read; those of a `get` are its inputs. */
function stateIn(request: proto.ReadRequest): Inputs {
  const state = values(request.getProperties());
  return Object.keys(state).length === 0 ? values(request.getInputs()) : state;
}

function values(properties: Struct | undefined): Inputs {
  return properties?.toJavaScript() ?? {};
}

/** `properties` with the text of the resource, which the state needs for the next call. */
function struct(properties: object, { __provider: text }: Inputs): Struct {
  return Struct.fromJavaScript({ ...properties, __provider: text } as Record<string, JavaScriptValue>);
}

/** The arguments of `Configure`, whose secrets are marked even if no marks were agreed. */
function settingsIn(args: Struct | undefined): Settings {
  const unmarked = ([name, value]: [string, unknown]) => {
    const mark = (value ?? {}) as Inputs;
    return [name, mark[signature] === secretMark ? mark["value"] : value];
  };
  const given = Object.entries(values(args)).filter(([name]) => name !== "__provider");
  return Object.fromEntries(given.map(unmarked)) as Settings;
}
