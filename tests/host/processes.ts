import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { createInterface } from "node:readline";
import { credentials, Server, ServerCredentials } from "@grpc/grpc-js";
import { EngineService } from "@pulumi/pulumi/proto/engine_grpc_pb";
import type { LogRequest } from "@pulumi/pulumi/proto/engine_pb";
import { ResourceProviderClient } from "@pulumi/pulumi/proto/provider_grpc_pb";
import { ConfigureRequest } from "@pulumi/pulumi/proto/provider_pb";
import { Empty } from "google-protobuf/google/protobuf/empty_pb";
import { type JavaScriptValue, Struct } from "google-protobuf/google/protobuf/struct_pb";
import type { FaultProxy } from "../support/fault-proxy";
import { answered, PluginClient, type Properties } from "../support/plugin-client";
import type { TestPlatform } from "../support/test-platform";

/** A process that serves the provider, as the engine starts it, with a client that stands in for the engine. */
class ProviderProcess extends PluginClient {
  /** Everything that it has printed. */
  output = "";

  constructor(
    private readonly child: ChildProcess,
    port: string,
  ) {
    super(new ResourceProviderClient(`127.0.0.1:${port}`, credentials.createInsecure()));
    for (const stream of [child.stdout, child.stderr]) stream?.on("data", (chunk: Buffer) => (this.output += chunk.toString()));
  }

  /** Ends the process. */
  kill(signal: NodeJS.Signals): void {
    this.child.kill(signal);
  }

  /** Waits for the process to exit on its own. */
  async ended(): Promise<number | null> {
    if (this.child.exitCode === null && this.child.signalCode === null) await once(this.child, "close");
    this.client.close();
    return this.child.exitCode;
  }

  async close(): Promise<void> {
    this.kill("SIGTERM");
    await this.ended();
  }
}

/** Starts `script` for the engine at `engine`. @param environment `PLATFORM_*` variables of the process */
async function start(
  script: string,
  engine: string,
  environment: Record<string, string>,
  cwd?: string,
  stdin: "ignore" | "pipe" = "ignore",
) {
  const inherited = Object.entries(process.env).filter(([name]) => !/^(PLATFORM|PULUMI|ACTIONS)_/.test(name));
  const env = { ...Object.fromEntries(inherited), ...environment };
  const child = spawn(process.execPath, [script, engine], { cwd, env, stdio: [stdin, "pipe", "pipe"] });
  const lines = child.stdout;
  if (lines === null) throw new Error("no output");
  const [port] = (await once(createInterface(lines), "line")) as [string];
  return { child, port };
}

/** The `__provider` text in state, by the export that serves the kind; it never changes. */
export const providerText = (served: string) => `exports.handler = () => require("pulumi-platform/provider").${served}`;

/** Pulumi's own dynamic provider host. The type of a resource is the export that serves it. */
export class Host extends ProviderProcess {
  /** @param engine address of the engine that the process serves */
  static async start(environment: Record<string, string>, config: Record<string, string> = {}, engine = "127.0.0.1:1") {
    const script = require.resolve("@pulumi/pulumi/cmd/dynamic-provider");
    const project = path.resolve(__dirname, "../../examples/organization");
    const { child, port } = await start(script, engine, environment, project);
    const host = new Host(child, port);
    await answered((done) => host.client.configure(new ConfigureRequest().setArgs(Struct.fromJavaScript(config)), done));
    return host;
  }

  protected override sent(served: string, properties: Properties): Struct {
    return super.sent(served, { ...properties, __provider: providerText(served) });
  }

  protected override received(properties: Struct | undefined): Properties {
    const { __provider: _, ...received } = super.received(properties) as Record<string, JavaScriptValue>;
    return received;
  }
}

/** The plugin, with a log that stands in for the engine's. */
export class PluginProcess extends ProviderProcess {
  private constructor(
    child: ChildProcess,
    port: string,
    private readonly engine: Server,
    /** Its messages to the engine, each with its resource. */
    readonly messages: readonly { readonly urn: string; readonly text: string }[],
  ) {
    super(child, port);
  }

  /** The plugin of a stack on `platform`, which it reaches through `proxy`; configured. */
  static async start(proxy: FaultProxy, platform: TestPlatform, more: Record<string, string> = {}): Promise<PluginProcess> {
    const messages: { urn: string; text: string }[] = [];
    const engine = new Server();
    engine.addService(EngineService, {
      log: ({ request }: { request: LogRequest }, done: (error: null, answer: Empty) => void) => {
        messages.push({ urn: request.getUrn(), text: request.getMessage() });
        done(null, new Empty());
      },
    });
    const address = await new Promise<string>((resolve, reject) => {
      engine.bindAsync("127.0.0.1:0", ServerCredentials.createInsecure(), (error, port) => {
        if (error) reject(error);
        else resolve(`127.0.0.1:${port}`);
      });
    });
    const addresses = { PLATFORM_BASE_URL: proxy.baseUrl, PLATFORM_AUDIENCE: platform.baseUrl };
    const script = path.resolve(__dirname, "../../dist/cli/resource-plugin.js");
    const { child, port } = await start(script, address, { ...platform.environment, ...addresses, ...more });
    const plugin = new PluginProcess(child, port, engine, messages);
    await plugin.configure();
    return plugin;
  }

  /** The engine goes away. */
  loseEngine(): void {
    this.engine.forceShutdown();
  }

  override async close(): Promise<void> {
    this.loseEngine();
    await super.close();
  }
}

/** The host of a rehearsal, for the dynamic resources. */
export class RehearsalProcess extends ProviderProcess {
  /** @param rehearsal what the command `rehearse` tells it */
  static async start(rehearsal: object): Promise<RehearsalProcess> {
    const script = path.resolve(__dirname, "../../dist/cli/rehearsal-host.js");
    const { child, port: line } = await start(script, "", { PLATFORM_REHEARSAL: JSON.stringify(rehearsal) }, undefined, "pipe");
    const { ports } = JSON.parse(line) as { ports: Record<string, number> };
    return new RehearsalProcess(child, String(ports["pulumi-nodejs"]));
  }
}
