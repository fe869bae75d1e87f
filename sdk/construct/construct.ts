import * as pulumi from "@pulumi/pulumi";
import { type ConstructRequest, ConstructResponse } from "@pulumi/pulumi/proto/provider_pb";
import { type JavaScriptValue, Struct } from "google-protobuf/google/protobuf/struct_pb";
import { declare, isComponent } from "./components";
import { PlatformError } from "../../provider/client/errors";
import { invalid, ProgramFailure } from "../program/program-failure";
import { inFlight } from "./in-flight";
import { optionsOf } from "./options";
import { asProgram } from "./runtime";
import { argumentsOf } from "./values";

/** The provider that an engine asks for a component. */
export interface Asked {
  /** Address of the engine: `host:port`. */
  readonly engine: string;
  /** Reference of the provider; undefined if the engine has not sent it. */
  readonly provider: string | undefined;
}

/** Declares the component in `request`, with all its resources, through the engine that asks for it. */
export function construct(request: ConstructRequest, { engine, provider }: Asked): Promise<ConstructResponse> {
  return inFlight(request.getMonitorendpoint(), async () => {
    try {
      return await asProgram(request, engine, () => declared(request, provider));
    } catch (error) {
      throw error instanceof ProgramFailure ? new PlatformError(error.code, error.plain) : error;
    }
  });
}

async function declared(request: ConstructRequest, provider: string | undefined): Promise<ConstructResponse> {
  const [type, name] = [request.getType(), request.getName()];
  if (!isComponent(type)) throw invalid(`${type} is not a component of this provider.`);
  const { urn, outputs } = declare(type, name, argumentsOf(request), optionsOf(request, provider));
  const [state, dependencies] = await pulumi.runtime.serializeResourceProperties(type, outputs);
  const response = new ConstructResponse().setUrn(await known(urn));
  response.setState(Struct.fromJavaScript(state as Record<string, JavaScriptValue>));
  for (const [property, resources] of dependencies) {
    const urns = await Promise.all([...resources].map((resource) => known(resource.urn)));
    response.getStatedependenciesMap().set(property, new ConstructResponse.PropertyDependencies().setUrnsList(urns));
  }
  return response;
}

function known(urn: pulumi.Output<string>): Promise<string> {
  return (urn as unknown as { promise(): Promise<string> }).promise();
}
