import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { credentials, type ServiceError } from "@grpc/grpc-js";
import { AnalyzerClient } from "@pulumi/pulumi/proto/analyzer_grpc_pb";
import * as proto from "@pulumi/pulumi/proto/analyzer_pb";
import { Empty } from "google-protobuf/google/protobuf/empty_pb";
import { type JavaScriptValue, Struct } from "google-protobuf/google/protobuf/struct_pb";

/** A resource as the engine shows it to policies. */
export interface AnalyzedResource {
  urn: string;
  type: string;
  properties: Record<string, unknown>;
  propertyDependencies?: Record<string, string[]>;
}

/** A violation of a policy. */
export interface Violation {
  policy: string;
  message: string;
  urn: string;
  isMandatory: boolean;
}

/** A policy pack, run and asked as the engine does: by Pulumi's own launcher, over gRPC. */
export class Analyzer {
  private constructor(
    private readonly process: ChildProcess,
    private readonly client: AnalyzerClient,
  ) {}

  /** @param folder folder of the pack, with its PulumiPolicy.yaml */
  static async start(folder: string): Promise<Analyzer> {
    const launcher = require.resolve("@pulumi/pulumi/cmd/run-policy-pack");
    const child = spawn(process.execPath, [launcher, "127.0.0.1:1", folder], {
      cwd: folder,
      stdio: ["ignore", "pipe", "inherit"],
    });
    const ended = once(child, "close").then(([code]) => {
      throw new Error(`the policy pack ended with exit code ${String(code)}`);
    });
    const [port] = (await Promise.race([once(createInterface(child.stdout), "line"), ended])) as [string];
    ended.catch(() => undefined);
    const analyzer = new Analyzer(child, new AnalyzerClient(`127.0.0.1:${port}`, credentials.createInsecure()));
    await analyzer.configure();
    return analyzer;
  }

  async stop(): Promise<void> {
    this.client.close();
    const closed = once(this.process, "close");
    this.process.kill();
    await closed;
  }

  /** Configures the policies as the engine does: with the defaults of their schemas, and `values` by policy and property. */
  async configure(values: Record<string, Record<string, JavaScriptValue>> = {}): Promise<void> {
    const info = await answered<proto.AnalyzerInfo>((done) => this.client.getAnalyzerInfo(new Empty(), done));
    const request = new proto.ConfigureAnalyzerRequest();
    for (const policy of info.getPoliciesList()) {
      const properties = policy.getConfigschema()?.getProperties()?.toJavaScript() ?? {};
      const defaults = Object.entries(properties as Record<string, { default: JavaScriptValue }>).map(
        ([name, schema]) => [name, schema.default] as const,
      );
      const config = new proto.PolicyConfig()
        .setEnforcementlevel(policy.getEnforcementlevel())
        .setProperties(Struct.fromJavaScript({ ...Object.fromEntries(defaults), ...values[policy.getName()] }));
      request.getPolicyconfigMap().set(policy.getName(), config);
    }
    await answered((done) => this.client.configure(request, done));
  }

  /** The verdict of the pack on one resource, before its create or update. */
  async analyze(resource: AnalyzedResource): Promise<Violation[]> {
    const request = new proto.AnalyzeRequest()
      .setType(resource.type)
      .setName(nameOf(resource))
      .setUrn(resource.urn)
      .setOptions(options())
      .setProperties(struct(resource));
    return violations(await answered<proto.AnalyzeResponse>((done) => this.client.analyze(request, done)));
  }

  /** The verdict of the pack on all resources of a stack. */
  async analyzeStack(resources: AnalyzedResource[]): Promise<Violation[]> {
    const request = new proto.AnalyzeStackRequest().setResourcesList(resources.map(stackResource));
    return violations(await answered<proto.AnalyzeResponse>((done) => this.client.analyzeStack(request, done)));
  }
}

function stackResource(resource: AnalyzedResource): proto.AnalyzerResource {
  const message = new proto.AnalyzerResource()
    .setType(resource.type)
    .setName(nameOf(resource))
    .setUrn(resource.urn)
    .setOptions(options())
    .setProperties(struct(resource));
  for (const [property, urns] of Object.entries(resource.propertyDependencies ?? {}))
    message.getPropertydependenciesMap().set(property, new proto.AnalyzerPropertyDependencies().setUrnsList(urns));
  return message;
}

function struct({ properties }: AnalyzedResource): Struct {
  return Struct.fromJavaScript(properties as Record<string, JavaScriptValue>);
}

function options(): proto.AnalyzerResourceOptions {
  return new proto.AnalyzerResourceOptions().setCustomtimeouts(new proto.AnalyzerResourceOptions.CustomTimeouts());
}

function nameOf({ urn }: AnalyzedResource): string {
  return urn.split("::").at(-1) ?? "";
}

function violations(response: proto.AnalyzeResponse): Violation[] {
  return response.getDiagnosticsList().map((diagnostic) => ({
    policy: diagnostic.getPolicyname(),
    // The description of the policy comes first.
    message: diagnostic.getMessage().split("\n").at(-1) ?? "",
    urn: diagnostic.getUrn(),
    isMandatory: diagnostic.getEnforcementlevel() === proto.EnforcementLevel.MANDATORY,
  }));
}

function answered<T>(call: (done: (error: ServiceError | null, answer: T) => void) => unknown): Promise<T> {
  return new Promise((resolve, reject) => {
    call((error, answer) => {
      if (error) reject(error);
      else resolve(answer);
    });
  });
}
