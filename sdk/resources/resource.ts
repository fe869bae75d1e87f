import * as pulumi from "@pulumi/pulumi";
import { literal } from "../../provider/client/printable";
import { misplacedKeys } from "../../provider/credentials";
import { pathArgument, updateArgument } from "../../provider/schema/inputs";
import type { Kind } from "../../provider/schema/kind";
import { type Door, dynamicDoor } from "./door";
import { endlessPath } from "../program/endless";
import { isEventual, isObject, objectRule } from "../program/arguments";
import { isMocked } from "../program/mocks";
import { idToRead } from "./object-id";
import { pathOf, requireOneDoor } from "./one-door";
import { requireDoor } from "./provider";
import { checkOptionsLast, rejectOptions, watchStack } from "./resource-options";
import type { ServedType } from "./served-type";
import { hideFrames } from "../program/stack-trace";
import { invalid, ProgramFailure } from "../program/program-failure";

/** How the engine identifies a resource class. */
export interface ResourceType extends ServedType {
  /** The kind of the object; undefined for a value. */
  readonly kind: Kind | undefined;
  /** Every output property, inputs among them. */
  readonly outputs: readonly string[];
  /** Paths of the values encrypted in every state, each from the property down. */
  readonly secrets: readonly (readonly string[])[];
}

/** Arguments as an untyped program may pass them. The provider's check names missing ones. */
type Args = object | null | undefined;

/** `values`, marked as secret at `paths`, because `additionalSecretOutputs` encrypts only outputs. */
function withMarked(values: object, paths: readonly (readonly string[])[]): pulumi.Inputs {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]: [string, unknown]) => {
      const within = paths.filter(([first]) => first === name).map(([, ...rest]) => rest);
      return [name, within.length === 0 ? value : marked(value, within)];
    }),
  );
}

/**
 * `value`, marked at `paths`. Previews hide all of a marked message, so usually only its members are marked
 * (docs/contributing/engine.md#secrets).
 */
function marked(value: unknown, paths: readonly (readonly string[])[]): unknown {
  if (value === undefined || value === null) return value;
  const isWhole =
    typeof value !== "object" || Array.isArray(value) || isEventual(value) || paths.some(({ length }) => length === 0);
  return isWhole ? pulumi.secret(value) : withMarked(value, paths);
}

/**
 * Tells the provider's check that this is an update and not a preview, because the engine does not (docs/contributing/engine.md#previews).
 * Only in an update does the provider resolve references, and reject the problems of which a preview warns. Mocks have no provider.
 */
function updateMark(): pulumi.Inputs {
  return !pulumi.runtime.isDryRun() && !isMocked() ? { [updateArgument]: true } : {};
}

/** `args` with the logical name where `name` has no value, now or once it is known. */
export function named(logicalName: string, args: { name?: pulumi.Input<string | undefined> } | null | undefined): object {
  // The constructor rejects anything else.
  if (!isObject(args ?? {})) return args as object;
  const given = args?.name;
  const isPlain = given === undefined || typeof given === "string";
  return { ...args, name: isPlain ? (given ?? logicalName) : pulumi.output(given).apply((name) => name ?? logicalName) };
}

/**
 * Rejects forms that an untyped program may pass: no name, or a uid in place of the arguments, whose letters would become arguments.
 *
 * @throws pulumi.RunError
 */
function rejectForms(kind: string, name: unknown, args: Args): void {
  if (typeof name !== "string" || name === "")
    throw invalid(`${kind}: the first argument must be the name of the resource in the program, a text. Nothing was sent.`);
  if (!isObject(args ?? {})) throw invalid(`${kind} ${literal(name)}: ${objectRule} Nothing was sent.`);
}

/**
 * The engine copies the stack's settings into state with the first resource, before the provider can check them.
 *
 * @throws pulumi.RunError for an unknown setting and for one that holds a secret
 */
function rejectSecretsInConfiguration(): void {
  const problems = misplacedKeys(pulumi.runtime.allConfig());
  if (problems.length > 0) throw new ProgramFailure("CONFIGURATION", problems.join("\n"));
}

/**
 * Pulumi's library would recurse without end into an object that contains itself.
 *
 * @throws pulumi.RunError
 */
function rejectEndless(what: string, args: Args): void {
  const path = endlessPath(args);
  if (path !== undefined) throw invalid(`${what}: ${path.join(".")} contains itself. Nothing was sent.`);
}

/**
 * True for a resource or component of this type, also one that another copy of the package constructed. Policy packs pass an object with
 * `__pulumiType` alone.
 */
export function hasType(obj: unknown, type: string): boolean {
  return (obj as { __pulumiType?: unknown } | null | undefined)?.__pulumiType === type;
}

/**
 * Base class of all resources of this package. Passes the text by which the engine's provider host loads their code, adds `uid`, and
 * keeps paths of this machine out of state.
 */
export abstract class PlatformResource extends pulumi.CustomResource {
  /** How the engine reaches the code of the class. */
  protected static readonly door: Door = dynamicDoor;

  /**
   * Uid of the object, the same output as `id`. It stays known in the preview of an update, so the preview does not replace children of a
   * renamed object.
   */
  declare readonly uid: pulumi.Output<string>;

  /**
   * @param type how the engine identifies the class
   * @param name the unique name of the resource in the program
   * @param args the declared arguments; ignored with `opts.id`, which reads an existing object
   * @throws pulumi.RunError if `name` is no text, if `args` is no object, if `opts.id` is no uid, and for an option that would lose the
   *   object or have no effect
   */
  protected constructor(type: ResourceType, name: string, args: Args, opts?: pulumi.CustomResourceOptions) {
    const kind = type.token.split(":").at(-1) ?? "";
    rejectForms(kind, name, args);
    const what = `${kind} ${literal(name)}`;
    rejectSecretsInConfiguration();
    const { door } = new.target;
    door.require(what);
    watchStack();
    rejectOptions(what, opts ?? {}, door);
    requireDoor(what, opts ?? {}, door);
    const placed = { token: type.token, name, parent: opts?.parent };
    requireOneDoor(what, placed, door);
    rejectEndless(what, args);
    const id = opts?.id === undefined ? undefined : idToRead({ what, kind: type.kind, opts }, opts.id);
    const properties: pulumi.Inputs = {
      // A name without a value becomes an output property; without it the SDK would drop the engine's answer.
      ...Object.fromEntries(type.outputs.map((output) => [output, undefined])),
      ...(id === undefined
        ? {
            ...withMarked({ ...args }, type.secrets),
            ...(isMocked() ? {} : { [pathArgument]: pathOf(placed) }),
            ...updateMark(),
          }
        : {}),
      ...door.inputsOf(type),
    };
    const own = {
      additionalSecretOutputs: type.secrets.flatMap(([name]) => name ?? []),
      aliases: door.aliasesOf(type),
    };
    const restore = hideFrames();
    try {
      super(door.tokenOf(type), name, properties, pulumi.mergeOptions({ ...opts, ...(id !== undefined && { id }) }, own));
    } finally {
      restore();
    }
    this.uid = this.id;
  }
}
checkOptionsLast(PlatformResource.prototype, (resource) => (Reflect.get(resource.constructor, "door") as Door).rejected);
