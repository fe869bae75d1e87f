import * as pulumi from "@pulumi/pulumi";
import { literal } from "../provider/client/printable";
import { misplacedKeys } from "../provider/credentials";
import { uid } from "../provider/kinds/inputs";
import { isEventual } from "./functions/arguments";

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

/** What an untyped program may pass as arguments: the provider's checks name what is missing. */
type Args = object | null | undefined;

/** `args` with the secret ones marked: `additionalSecretOutputs` encrypts outputs only. */
function withSecrets({ secrets = [] }: ResourceType, args: Args): pulumi.Inputs {
  return Object.fromEntries(
    Object.entries(args ?? {}).map(([name, value]: [string, unknown]) => [
      name,
      secrets.includes(name) ? pulumi.secret(value) : value,
    ]),
  );
}

/** `args` with the logical name in the place of a name that has no value, be that now or once it is known. */
export function named(logicalName: string, args: { name?: pulumi.Input<string | undefined> } | null | undefined): object {
  const given = args?.name;
  const isPlain = given === undefined || typeof given === "string";
  return { ...args, name: isPlain ? (given ?? logicalName) : pulumi.output(given).apply((name) => name ?? logicalName) };
}

/** Options to read the object `uid`; one that has no value is passed on, to be refused where all are checked. */
export function reading(
  uid: pulumi.Input<pulumi.ID> | null | undefined,
  opts?: pulumi.CustomResourceOptions,
): pulumi.CustomResourceOptions {
  return { ...opts, id: uid ?? "" };
}

/**
 * `id`, checked now or once it is known: to the engine an empty one is none, and the resource a new one to be made.
 *
 * @throws pulumi.RunError
 */
function idToRead(what: string, id: pulumi.Input<pulumi.ID>): pulumi.Input<pulumi.ID> {
  return isEventual(id) ? pulumi.output(id).apply((known) => checkedId(what, known)) : checkedId(what, id);
}

function checkedId(what: string, id: unknown): pulumi.ID {
  const parsed = uid.safeParse(id === null || id === "" ? undefined : id);
  if (parsed.success) return parsed.data;
  throw new pulumi.RunError(`${what} cannot be read: uid ${parsed.error.issues.map(({ message }) => message).join(", ")}.`);
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
   * Uid of the object: the same output as `id`. In the preview of an update `id` alone stays known, so children of a renamed
   * object are not previewed as replaced.
   */
  declare readonly uid: pulumi.Output<string>;

  /**
   * @param type how the engine knows the class
   * @param name the unique name of the resource in the program
   * @param args what the program declares; ignored with `opts.id`, which reads an existing object
   * @throws pulumi.RunError for an `opts.id` that is no uid
   */
  protected constructor(type: ResourceType, name: string, args: Args, opts?: pulumi.CustomResourceOptions) {
    refuseSecretsInConfiguration();
    const what = `${type.token.split(":").at(-1) ?? ""} ${literal(name)}`;
    const id = opts?.id === undefined ? undefined : idToRead(what, opts.id);
    const properties: pulumi.Inputs = {
      // A name with no value becomes an output property; without it the engine's answer would be dropped.
      ...Object.fromEntries(type.outputs.map((output) => [output, undefined])),
      ...(id === undefined ? withSecrets(type, args) : {}),
      __provider: `exports.handler = () => require("pulumi-platform/provider").${type.served}`,
    };
    const prepareStackTrace: unknown = Reflect.get(Error, "prepareStackTrace");
    // The engine keeps the stack of this call in state, with paths of this machine; without frames there is none (ENGINE §2).
    Error.prepareStackTrace = (error) => String(error);
    try {
      const own = { additionalSecretOutputs: [...(type.secrets ?? [])] };
      super(type.token, name, properties, pulumi.mergeOptions({ ...opts, ...(id !== undefined && { id }) }, own));
    } finally {
      Reflect.set(Error, "prepareStackTrace", prepareStackTrace);
    }
    this.uid = this.id;
  }
}
