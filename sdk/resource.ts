import * as pulumi from "@pulumi/pulumi";

/** How a resource class is known to the engine. */
export interface ResourceType {
  /** Full type, part of every URN. Pulumi's dynamic provider host serves all that begin with `pulumi-nodejs:dynamic` (ENGINE §2). */
  readonly token: `pulumi-nodejs:dynamic/platform/${string}`;
  /** Export of `pulumi-platform/provider` that serves the type. */
  readonly served: string;
  /** Every output property, inputs among them. */
  readonly outputs: readonly string[];
}

/** `given`, or the logical name where it has no value, be that now or once it is known. */
export function nameOr(logicalName: string, given: pulumi.Input<string | undefined>): pulumi.Input<string> {
  if (given === undefined || typeof given === "string") return given ?? logicalName;
  return pulumi.output(given).apply((name) => name ?? logicalName);
}

/**
 * What all resources of the package have in common: the text that tells the engine's provider host which code
 * serves them, a `uid`, and no path of this machine in state.
 */
export abstract class PlatformResource extends pulumi.CustomResource {
  /**
   * Uid of the object: the same output as `id`, which alone stays known in the preview of an update, so that
   * what lies below a renamed object is not previewed as replaced (ENGINE §3).
   */
  declare readonly uid: pulumi.Output<string>;

  /**
   * @param type how the engine knows the class
   * @param name the unique name of the resource in the program
   * @param args what the program declares; ignored with `opts.id`, which reads an existing object
   */
  protected constructor(type: ResourceType, name: string, args: object, opts?: pulumi.CustomResourceOptions) {
    const properties: pulumi.Inputs = {
      // A name with no value becomes an output property; without it the engine's answer would be dropped.
      ...Object.fromEntries(type.outputs.map((output) => [output, undefined])),
      ...(opts?.id === undefined ? args : {}),
      __provider: `exports.handler = () => require("pulumi-platform/provider").${type.served}`,
    };
    const prepareStackTrace: unknown = Reflect.get(Error, "prepareStackTrace");
    // The engine keeps the stack of this call in state, with paths of this machine; without frames there is none (ENGINE §2).
    Error.prepareStackTrace = (error) => String(error);
    try {
      super(type.token, name, properties, opts);
    } finally {
      Reflect.set(Error, "prepareStackTrace", prepareStackTrace);
    }
    this.uid = this.id;
  }
}
