import * as pulumi from "@pulumi/pulumi";
import { misplacedKeys } from "../provider/credentials";

/** How a resource class is known to the engine. */
export interface ResourceType {
  /** Full type, part of every URN. Pulumi's dynamic provider host serves all that begin with `pulumi-nodejs:dynamic` (ENGINE §2). */
  readonly token: `pulumi-nodejs:dynamic/platform/${string}`;
  /** Export of `pulumi-platform/provider` that serves the type. */
  readonly served: string;
  /** Every output property, inputs among them. */
  readonly outputs: readonly string[];
  /** Properties that are encrypted in state, whether or not the program marks them as secret. Default: none. */
  readonly secrets?: readonly string[];
}

/** `args` with the secret ones marked: `additionalSecretOutputs` encrypts outputs only. */
function withSecrets({ secrets = [] }: ResourceType, args: object): pulumi.Inputs {
  return Object.fromEntries(
    Object.entries(args).map(([name, value]: [string, unknown]) => [name, secrets.includes(name) ? pulumi.secret(value) : value]),
  );
}

/** `given`, or the logical name where it has no value, be that now or once it is known. */
export function nameOr(logicalName: string, given: pulumi.Input<string | undefined>): pulumi.Input<string> {
  if (given === undefined || typeof given === "string") return given ?? logicalName;
  return pulumi.output(given).apply((name) => name ?? logicalName);
}

/**
 * The engine copies the stack's settings into state with the first resource, before the provider can look at them (ENGINE §3).
 *
 * @throws pulumi.RunError for a setting that holds a secret, or that nobody reads
 */
function refuseSecretsInConfiguration(): void {
  const problems = misplacedKeys(pulumi.runtime.allConfig());
  if (problems.length > 0) throw new pulumi.RunError(problems.join("\n"));
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
    refuseSecretsInConfiguration();
    const properties: pulumi.Inputs = {
      // A name with no value becomes an output property; without it the engine's answer would be dropped.
      ...Object.fromEntries(type.outputs.map((output) => [output, undefined])),
      ...(opts?.id === undefined ? withSecrets(type, args) : {}),
      __provider: `exports.handler = () => require("pulumi-platform/provider").${type.served}`,
    };
    const prepareStackTrace: unknown = Reflect.get(Error, "prepareStackTrace");
    // The engine keeps the stack of this call in state, with paths of this machine; without frames there is none (ENGINE §2).
    Error.prepareStackTrace = (error) => String(error);
    try {
      super(type.token, name, properties, pulumi.mergeOptions(opts, { additionalSecretOutputs: [...(type.secrets ?? [])] }));
    } finally {
      Reflect.set(Error, "prepareStackTrace", prepareStackTrace);
    }
    this.uid = this.id;
  }
}
