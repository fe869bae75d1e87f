import { Server, ServerCredentials, type handleUnaryCall, status, type UntypedServiceImplementation } from "@grpc/grpc-js";
import { ResourceMonitorService } from "@pulumi/pulumi/proto/resource_grpc_pb";
import * as proto from "@pulumi/pulumi/proto/resource_pb";
import { Empty } from "google-protobuf/google/protobuf/empty_pb";
import type { Properties } from "./plugin-client";

/** A resource that a program has registered. */
export interface Registered {
  readonly type: string;
  readonly name: string;
  readonly parent: string;
  readonly inputs: Properties;
  readonly request: proto.RegisterResourceRequest;
}

/** The resource monitor of an engine, which makes every resource at once. */
export class FakeMonitor {
  readonly registered: Registered[] = [];
  /** Outputs of components, by URN. */
  readonly outputs = new Map<string, Properties>();
  /** Called before each answer; an error is the answer. */
  beforeAnswer: (resource: Registered) => Promise<void> = () => Promise.resolve();
  readonly #server = new Server();
  address = "";

  static async start(): Promise<FakeMonitor> {
    const monitor = new FakeMonitor();
    monitor.#server.addService(ResourceMonitorService, monitor.#implementation());
    const port = await new Promise<number>((resolve, reject) => {
      monitor.#server.bindAsync("127.0.0.1:0", ServerCredentials.createInsecure(), (error, bound) => {
        if (error) reject(error);
        else resolve(bound);
      });
    });
    monitor.address = `127.0.0.1:${port}`;
    return monitor;
  }

  close(): void {
    this.#server.forceShutdown();
  }

  #implementation(): UntypedServiceImplementation {
    const supportsFeature: handleUnaryCall<proto.SupportsFeatureRequest, proto.SupportsFeatureResponse> = (_call, done) => {
      done(null, new proto.SupportsFeatureResponse().setHassupport(true));
    };
    const registerResource: handleUnaryCall<proto.RegisterResourceRequest, proto.RegisterResourceResponse> = (call, done) => {
      this.#register(call.request).then(
        (response) => done(null, response),
        (error: unknown) => done({ code: status.UNKNOWN, details: String(error) }),
      );
    };
    const registerResourceOutputs: handleUnaryCall<proto.RegisterResourceOutputsRequest, Empty> = ({ request }, done) => {
      this.outputs.set(request.getUrn(), request.getOutputs()?.toJavaScript() ?? {});
      done(null, new Empty());
    };
    return { supportsFeature, registerResource, registerResourceOutputs };
  }

  async #register(request: proto.RegisterResourceRequest): Promise<proto.RegisterResourceResponse> {
    const [type, name, parent] = [request.getType(), request.getName(), request.getParent()];
    const resource = { type, name, parent, inputs: request.getObject()?.toJavaScript() ?? {}, request };
    this.registered.push(resource);
    await this.beforeAnswer(resource);
    const response = new proto.RegisterResourceResponse().setUrn(urnIn(parent, type, name)).setObject(request.getObject());
    return request.getCustom() ? response.setId(`uid of ${name}`) : response;
  }
}

function urnIn(parent: string, type: string, name: string): string {
  const above = parent.split("::")[2];
  const qualified = above === undefined || above === "pulumi:pulumi:Stack" ? type : `${above}$${type}`;
  return `urn:pulumi:stack::project::${qualified}::${name}`;
}
