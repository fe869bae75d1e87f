import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { createInterface } from "node:readline";
import { credentials, Server, ServerCredentials, type ServiceError } from "@grpc/grpc-js";
import { EngineService } from "@pulumi/pulumi/proto/engine_grpc_pb";
import type { LogRequest } from "@pulumi/pulumi/proto/engine_pb";
import { ResourceProviderClient } from "@pulumi/pulumi/proto/provider_grpc_pb";
import * as proto from "@pulumi/pulumi/proto/provider_pb";
import { Empty } from "google-protobuf/google/protobuf/empty_pb";
import { type JavaScriptValue, Struct } from "google-protobuf/google/protobuf/struct_pb";

/** Values as they travel. */
export type Properties = Record<string, unknown>;

/** How the wire marks a secret. */
export const secret = (value: unknown) => ({
  "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270",
  value,
});

/** What the engine passes for an unknown text. */
export const unknown = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";

const script = path.resolve(__dirname, "../../dist/cli/resource-plugin.js");

/** What the plugin says to its engine. */
interface Message {
  urn: string;
  severity: number;
  text: string;
}

/** The plugin as the engine starts it, with a client and a log that stand in for the engine. */
export class PluginProcess {
  readonly messages: Message[] = [];

  private constructor(
    private readonly child: ChildProcess,
    readonly client: ResourceProviderClient,
    private readonly engine: Server,
    readonly fromEngine: Message[],
  ) {
    this.messages = fromEngine;
  }

  /** @param environment `PLATFORM_*` variables of the process */
  static async start(environment: Record<string, string>): Promise<PluginProcess> {
    const messages: Message[] = [];
    const engine = new Server();
    engine.addService(EngineService, {
      log: ({ request }: { request: LogRequest }, done: (error: null, answer: Empty) => void) => {
        messages.push({ urn: request.getUrn(), severity: request.getSeverity(), text: request.getMessage() });
        done(null, new Empty());
      },
    });
    const address = await new Promise<string>((resolve, reject) => {
      engine.bindAsync("127.0.0.1:0", ServerCredentials.createInsecure(), (error, port) => {
        if (error) reject(error);
        else resolve(`127.0.0.1:${port}`);
      });
    });
    const inherited = Object.entries(process.env).filter(([name]) => !/^(PLATFORM|PULUMI|ACTIONS)_/.test(name));
    const child = spawn(process.execPath, [script, address], {
      env: { ...Object.fromEntries(inherited), ...environment },
      stdio: ["ignore", "pipe", "inherit"],
    });
    const [port] = (await once(createInterface(child.stdout), "line")) as [string];
    const client = new ResourceProviderClient(`127.0.0.1:${port}`, credentials.createInsecure());
    return new PluginProcess(child, client, engine, messages);
  }

  /** The engine goes away. */
  loseEngine(): void {
    this.engine.forceShutdown();
  }

  /** Waits for the process to exit on its own. */
  async ended(): Promise<number | null> {
    if (this.child.exitCode === null) await once(this.child, "close");
    return this.child.exitCode;
  }

  async close(): Promise<void> {
    this.client.close();
    this.engine.forceShutdown();
    this.child.kill();
    await this.ended();
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
    request.setNews(struct(news)).setOlds(struct(olds));
    const response = await answered<proto.CheckResponse>((done) => this.client.check(request, done));
    const failures = response.getFailuresList().map((failure) => [failure.getProperty(), failure.getReason()]);
    return { inputs: values(response.getInputs()), failures };
  }

  async diff(type: string, id: string, olds: Properties, news: Properties, ignored: string[] = []) {
    const request = new proto.DiffRequest().setUrn(urnOf(type, "it")).setType(type).setId(id);
    request.setOlds(struct(olds)).setNews(struct(news)).setIgnorechangesList(ignored);
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
    request.setProperties(struct(properties)).setPreview(preview).setTimeout(timeout);
    const response = await answered<proto.CreateResponse>((done) => this.client.create(request, done));
    return { id: response.getId(), outs: values(response.getProperties()) };
  }

  async read(type: string, id: string, state: Properties = {}, inputs: Properties = {}) {
    const request = new proto.ReadRequest().setUrn(urnOf(type, "it")).setType(type).setId(id);
    request.setProperties(struct(state)).setInputs(struct(inputs));
    const response = await answered<proto.ReadResponse>((done) => this.client.read(request, done));
    return { id: response.getId(), outs: values(response.getProperties()), inputs: values(response.getInputs()) };
  }

  async update(type: string, id: string, olds: Properties, news: Properties, { preview = false, timeout = 0 } = {}) {
    const request = new proto.UpdateRequest().setUrn(urnOf(type, "it")).setType(type).setId(id);
    request.setOlds(struct(olds)).setNews(struct(news)).setPreview(preview).setTimeout(timeout);
    return values((await answered<proto.UpdateResponse>((done) => this.client.update(request, done))).getProperties());
  }

  async delete(type: string, id: string, state: Properties): Promise<void> {
    const request = new proto.DeleteRequest().setUrn(urnOf(type, "it")).setType(type).setId(id).setProperties(struct(state));
    await answered((done) => this.client.delete(request, done));
  }

  async invoke(token: string, args: Properties): Promise<Properties> {
    const request = new proto.InvokeRequest().setTok(token).setArgs(struct(args));
    return values((await answered<proto.InvokeResponse>((done) => this.client.invoke(request, done))).getReturn());
  }

  async schema(): Promise<unknown> {
    const response = await answered<proto.GetSchemaResponse>((done) => this.client.getSchema(new proto.GetSchemaRequest(), done));
    return JSON.parse(response.getSchema());
  }

  async cancel(): Promise<void> {
    await answered((done) => this.client.cancel(new Empty(), done));
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
