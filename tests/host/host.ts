import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { createInterface } from "node:readline";
import { credentials, type ServiceError } from "@grpc/grpc-js";
import { ResourceProviderClient } from "@pulumi/pulumi/proto/provider_grpc_pb";
import * as proto from "@pulumi/pulumi/proto/provider_pb";
import { Status } from "@pulumi/pulumi/proto/status_pb";
import { type JavaScriptValue, Struct } from "google-protobuf/google/protobuf/struct_pb";

/** Values of a resource as they travel. */
export type Properties = Record<string, unknown>;

/** The `__provider` text in state, by the export that serves the kind; it never changes. */
export const providerText = (served: string) => `exports.handler = () => require("pulumi-platform/provider").${served}`;

/** The kinds by the export that serves them. */
export const served = ["group", "identity", "roleBinding"] as const;

/** Pulumi's own dynamic provider host, as the engine starts it, with a client that stands in for the engine. */
export class Host {
  /** Everything that the process has printed. */
  output = "";

  private constructor(
    private readonly child: ChildProcess,
    private readonly client: ResourceProviderClient,
  ) {}

  /**
   * @param environment `PLATFORM_*` variables of the process
   * @param engine address of the engine that the process serves
   */
  static async start(
    environment: Record<string, string>,
    config: Record<string, string> = {},
    engine = "127.0.0.1:1",
  ): Promise<Host> {
    const inherited = Object.entries(process.env).filter(([name]) => !/^(PLATFORM|PULUMI|ACTIONS)_/.test(name));
    const child = spawn(process.execPath, [require.resolve("@pulumi/pulumi/cmd/dynamic-provider"), engine], {
      cwd: path.resolve(__dirname, "../../examples/organization"),
      env: { ...Object.fromEntries(inherited), ...environment },
      stdio: ["ignore", "pipe", "pipe"],
    });
    const [port] = (await once(createInterface(child.stdout), "line")) as [string];
    const host = new Host(child, new ResourceProviderClient(`127.0.0.1:${port}`, credentials.createInsecure()));
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk: Buffer) => (host.output += chunk.toString()));
    await host.configure(config);
    return host;
  }

  /** Waits for the process to exit on its own. */
  async ended(): Promise<void> {
    if (this.child.exitCode === null) await once(this.child, "close");
    this.client.close();
  }

  async close(): Promise<void> {
    this.client.close();
    this.child.kill();
    await once(this.child, "close");
  }

  configure(config: Record<string, string>): Promise<proto.ConfigureResponse> {
    const request = new proto.ConfigureRequest().setArgs(Struct.fromJavaScript(config));
    return answered((done) => this.client.configure(request, done));
  }

  async check(kind: string, news: Properties, olds: Properties = {}) {
    const request = new proto.CheckRequest()
      .setNews(sent(kind, news))
      .setOlds(Struct.fromJavaScript(olds as Record<string, JavaScriptValue>));
    const response = await answered<proto.CheckResponse>((done) => this.client.check(request, done));
    const failures = response
      .getFailuresList()
      .map((failure) => ({ property: failure.getProperty(), reason: failure.getReason() }));
    return { inputs: received(response.getInputs()), failures };
  }

  async diff(kind: string, id: string, olds: Properties, news: Properties) {
    const request = new proto.DiffRequest().setId(id).setOlds(sent(kind, olds)).setNews(sent(kind, news));
    const response = await answered<proto.DiffResponse>((done) => this.client.diff(request, done));
    return {
      changes: response.getChanges() === proto.DiffResponse.DiffChanges.DIFF_SOME,
      replaces: response.getReplacesList(),
      deleteBeforeReplace: response.getDeletebeforereplace(),
    };
  }

  async create(kind: string, inputs: Properties) {
    const request = new proto.CreateRequest().setProperties(sent(kind, inputs));
    const response = await answered<proto.CreateResponse>((done) => this.client.create(request, done));
    return { id: response.getId(), outputs: received(response.getProperties()) };
  }

  /** @param props what state holds; nothing for a `get` */
  async read(kind: string, id: string, props: Properties = {}) {
    const request = new proto.ReadRequest().setId(id);
    if (Object.keys(props).length > 0) request.setProperties(sent(kind, props));
    else request.setInputs(sent(kind, {}));
    const response = await answered<proto.ReadResponse>((done) => this.client.read(request, done));
    return { id: response.getId(), outputs: received(response.getProperties()), inputs: received(response.getInputs()) };
  }

  async update(kind: string, id: string, olds: Properties, news: Properties) {
    const request = new proto.UpdateRequest().setId(id).setOlds(sent(kind, olds)).setNews(sent(kind, news));
    return received((await answered<proto.UpdateResponse>((done) => this.client.update(request, done))).getProperties());
  }

  async delete(kind: string, id: string, props: Properties): Promise<void> {
    const request = new proto.DeleteRequest().setId(id).setProperties(sent(kind, props));
    await answered((done) => this.client.delete(request, done));
  }
}

/** What a failed create left behind, if the error says that it left something. */
export function leftBehind(error: ServiceError) {
  const [binary] = error.metadata.get("grpc-status-details-bin");
  if (binary === undefined) return undefined;
  const [detail] = Status.deserializeBinary(Buffer.from(binary)).getDetailsList();
  const failed = detail?.unpack(
    (bytes) => proto.ErrorResourceInitFailed.deserializeBinary(bytes),
    "pulumirpc.ErrorResourceInitFailed",
  );
  return { id: failed?.getId(), properties: failed?.getProperties()?.toJavaScript(), reasons: failed?.getReasonsList() };
}

function sent(kind: string, properties: Properties): Struct {
  return Struct.fromJavaScript({ ...(properties as Record<string, JavaScriptValue>), __provider: providerText(kind) });
}

function received(struct: Struct | undefined): Properties {
  const { __provider: _, ...properties } = struct?.toJavaScript() ?? {};
  return properties;
}

function answered<Response>(
  call: (done: (error: ServiceError | null, response: Response) => void) => unknown,
): Promise<Response> {
  return new Promise((resolve, reject) => {
    call((error, response) => {
      if (error) reject(error);
      else resolve(response);
    });
  });
}
