import type { ServiceError } from "@grpc/grpc-js";
import type { ResourceProviderClient } from "@pulumi/pulumi/proto/provider_grpc_pb";
import * as proto from "@pulumi/pulumi/proto/provider_pb";
import { Status } from "@pulumi/pulumi/proto/status_pb";
import { Empty } from "google-protobuf/google/protobuf/empty_pb";
import { type JavaScriptValue, Struct } from "google-protobuf/google/protobuf/struct_pb";

/** Values as they travel. */
export type Properties = Record<string, unknown>;

/** How the wire marks a secret. */
export const secret = (value: unknown) => ({
  "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270",
  value,
});

/** The engine's text for an unknown value. */
export const unknown = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";

/** The calls that the engine makes of a provider. */
export class PluginClient {
  constructor(readonly client: ResourceProviderClient) {}

  /** The properties of a resource as the engine sends them. */
  protected sent(_type: string, properties: Properties): Struct {
    return struct(properties);
  }

  protected received(properties: Struct | undefined): Properties {
    return values(properties);
  }

  configure(args: Properties = {}, name = "default"): Promise<proto.ConfigureResponse> {
    return answered((done) => this.client.configure(new proto.ConfigureRequest().setArgs(struct(args)).setName(name), done));
  }

  async checkConfig(news: Properties): Promise<string[]> {
    const urn = "urn:pulumi:test::test::pulumi:providers:platform::default";
    const request = new proto.CheckRequest().setUrn(urn).setNews(struct(news));
    const response = await answered<proto.CheckResponse>((done) => this.client.checkConfig(request, done));
    return response.getFailuresList().map((failure) => failure.getReason());
  }

  async check(type: string, name: string, news: Properties, olds: Properties = {}) {
    const request = new proto.CheckRequest().setUrn(urnOf(type, name)).setType(type).setName(name);
    request.setNews(this.sent(type, news)).setOlds(this.sent(type, olds));
    const response = await answered<proto.CheckResponse>((done) => this.client.check(request, done));
    const failures = response.getFailuresList().map((failure) => [failure.getProperty(), failure.getReason()]);
    return { inputs: this.received(response.getInputs()), failures };
  }

  async diff(type: string, id: string, olds: Properties, news: Properties, ignored: string[] = [], urn = urnOf(type, "it")) {
    const request = new proto.DiffRequest().setUrn(urn).setType(type).setId(id);
    request.setOlds(this.sent(type, olds)).setNews(this.sent(type, news)).setIgnorechangesList(ignored);
    const response = await answered<proto.DiffResponse>((done) => this.client.diff(request, done));
    const kinds = Object.entries(proto.PropertyDiff.Kind).map(([name, value]) => [name, Number(value)] as const);
    const detailed = response
      .getDetaileddiffMap()
      .toArray()
      .map(([path_, one]: [string, unknown]) => {
        const kind = Array.isArray(one) ? ((one as number[])[0] ?? 0) : 0;
        return [path_, kinds.find(([, value]) => value === kind)?.[0] ?? ""] as const;
      });
    return {
      changes: response.getChanges() === proto.DiffResponse.DiffChanges.DIFF_SOME,
      replaces: response.getReplacesList(),
      deleteBeforeReplace: response.getDeletebeforereplace(),
      detailed: Object.fromEntries(detailed),
    };
  }

  async create(type: string, properties: Properties, { preview = false, timeout = 0, name = "it" } = {}) {
    const request = new proto.CreateRequest().setUrn(urnOf(type, name)).setType(type).setName(name);
    request.setProperties(this.sent(type, properties)).setPreview(preview).setTimeout(timeout);
    const response = await answered<proto.CreateResponse>((done) => this.client.create(request, done));
    return { id: response.getId(), outs: this.received(response.getProperties()) };
  }

  async read(type: string, id: string, state: Properties = {}, inputs: Properties = {}) {
    const request = new proto.ReadRequest().setUrn(urnOf(type, "it")).setType(type).setId(id);
    // Without properties it is a `get`.
    if (Object.keys(state).length > 0) request.setProperties(this.sent(type, state));
    request.setInputs(this.sent(type, inputs));
    const response = await answered<proto.ReadResponse>((done) => this.client.read(request, done));
    return { id: response.getId(), outs: this.received(response.getProperties()), inputs: this.received(response.getInputs()) };
  }

  /** Reads for an import: the engine then sends neither properties nor inputs. */
  async import(type: string, id: string) {
    const request = new proto.ReadRequest().setUrn(urnOf(type, "it")).setType(type).setId(id);
    const response = await answered<proto.ReadResponse>((done) => this.client.read(request, done));
    return { id: response.getId(), outs: this.received(response.getProperties()), inputs: this.received(response.getInputs()) };
  }

  async update(type: string, id: string, olds: Properties, news: Properties, { preview = false, timeout = 0 } = {}) {
    const request = new proto.UpdateRequest().setUrn(urnOf(type, "it")).setType(type).setId(id);
    request.setOlds(this.sent(type, olds)).setNews(this.sent(type, news)).setPreview(preview).setTimeout(timeout);
    return this.received((await answered<proto.UpdateResponse>((done) => this.client.update(request, done))).getProperties());
  }

  async delete(type: string, id: string, state: Properties, { timeout = 0, urn = urnOf(type, "it") } = {}): Promise<void> {
    const request = new proto.DeleteRequest().setUrn(urn).setType(type).setId(id).setProperties(this.sent(type, state));
    request.setTimeout(timeout);
    await answered((done) => this.client.delete(request, done));
  }

  async invoke(token: string, args: Properties): Promise<Properties> {
    const request = new proto.InvokeRequest().setTok(token).setArgs(struct(args));
    return values((await answered<proto.InvokeResponse>((done) => this.client.invoke(request, done))).getReturn());
  }

  /** The objects that a List answers, each as name and id; `computed` where the query is not known. */
  async list(token: string, query: Properties = {}, limit = 0): Promise<[string, string][] | "computed"> {
    const answers: proto.ListResponse[] = [];
    const stream = this.client.list(new proto.ListRequest().setToken(token).setQuery(struct(query)).setLimit(limit));
    for await (const answer of stream) answers.push(answer as proto.ListResponse);
    if (answers.some((answer) => answer.hasComputed())) return "computed";
    return answers.map((answer) => [answer.getResult()?.getName() ?? "", answer.getResult()?.getId() ?? ""]);
  }

  async schema(): Promise<unknown> {
    const response = await answered<proto.GetSchemaResponse>((done) => this.client.getSchema(new proto.GetSchemaRequest(), done));
    return JSON.parse(response.getSchema());
  }

  async cancel(): Promise<void> {
    await answered((done) => this.client.cancel(new Empty(), done));
  }

  /** Checks and creates a group through the plugin, as the engine does. */
  async makeGroup(parentUid: string, name: string, options: { timeout?: number } = {}) {
    const { inputs } = await this.check("platform:iam:Group", name, { parentUid });
    return this.create("platform:iam:Group", inputs, { ...options, name });
  }
}

/** The URN of a resource. */
export function urnOf(type: string, name: string): string {
  return `urn:pulumi:test::test::${type}::${name}`;
}

function struct(values: Properties): Struct {
  return Struct.fromJavaScript(values as Record<string, JavaScriptValue>);
}

function values(struct: Struct | undefined): Properties {
  return struct?.toJavaScript() ?? {};
}

/** The answer to a call, or its error. */
export function answered<Answer>(call: (done: (error: ServiceError | null, answer: Answer) => void) => unknown): Promise<Answer> {
  return new Promise((resolve, reject) => {
    call((error, answer) => {
      if (error) reject(error);
      else resolve(answer);
    });
  });
}

/** The object of a create that failed although it exists, with its properties as they travel; undefined for any other error. */
export function failedCreateIn({ metadata }: ServiceError) {
  const [packed] = metadata.get("grpc-status-details-bin");
  if (packed === undefined) return undefined;
  const [detail] = Status.deserializeBinary(Buffer.from(packed)).getDetailsList();
  const failed = proto.ErrorResourceInitFailed.deserializeBinary(detail?.getValue_asU8() ?? new Uint8Array());
  return { id: failed.getId(), properties: values(failed.getProperties()), reasons: failed.getReasonsList() };
}
