import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { createInterface } from "node:readline";
import { credentials, Server, ServerCredentials } from "@grpc/grpc-js";
import { EngineService } from "@pulumi/pulumi/proto/engine_grpc_pb";
import type { LogRequest } from "@pulumi/pulumi/proto/engine_pb";
import { ResourceProviderClient } from "@pulumi/pulumi/proto/provider_grpc_pb";
import { Empty } from "google-protobuf/google/protobuf/empty_pb";
import type { FaultProxy } from "../support/fault-proxy";
import { PluginClient } from "../support/plugin-client";
import type { TestPlatform } from "../support/test-platform";

const script = path.resolve(__dirname, "../../dist/cli/resource-plugin.js");

/** What the plugin says to its engine. */
interface Message {
  urn: string;
  severity: number;
  text: string;
}

/** The plugin as the engine starts it, with a client and a log that stand in for the engine. */
export class PluginProcess extends PluginClient {
  private constructor(
    private readonly child: ChildProcess,
    client: ResourceProviderClient,
    private readonly engine: Server,
    readonly messages: readonly Message[],
  ) {
    super(client);
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

  /** The plugin of a stack on `platform`, which it reaches through `proxy`; configured. */
  static async startThrough(proxy: FaultProxy, platform: TestPlatform): Promise<PluginProcess> {
    const addresses = { PLATFORM_BASE_URL: proxy.baseUrl, PLATFORM_AUDIENCE: platform.baseUrl };
    const plugin = await PluginProcess.start({ ...platform.environment, ...addresses });
    await plugin.configure();
    return plugin;
  }

  /** Checks and creates a group, as the engine does. */
  async makeGroup(parentUid: string, name: string, options: { timeout?: number } = {}) {
    const { inputs } = await this.check("platform:iam:Group", name, { parentUid });
    return this.create("platform:iam:Group", inputs, { ...options, name });
  }

  /** The engine goes away. */
  loseEngine(): void {
    this.engine.forceShutdown();
  }

  /** The engine no longer needs the plugin. */
  interrupt(): void {
    this.child.kill("SIGINT");
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
}
