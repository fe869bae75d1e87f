import * as pulumi from "@pulumi/pulumi";
import { literal } from "../../provider/client/printable";
import type { Settings } from "../../provider/host/explicit-provider";
import { type Door, dynamicDoor, nativeDoor } from "./door";
import { inputsOf, key, type ProviderArgs } from "./provider-arguments";
import { hideFrames } from "../program/stack-trace";
import { invalid } from "../program/program-failure";

/**
 * A second platform, or a second identity on the same platform, for resources and data sources that name it as their provider.
 *
 * A changed `baseUrl` points the resources in state at another platform. They are looked up there, not moved.
 * Give a new platform a new provider and new resources.
 *
 * @example
 * ```ts
 * import { getGroupsOutput, Group, Provider } from "pulumi-platform";
 *
 * const staging = new Provider("staging", {
 *   baseUrl: "https://api.staging.example.com",
 *   identity: "0123456789abcdef0123456789abcdef01234567/0123456789abcdef",
 *   oidcTokenFile: "/run/secrets/staging-oidc-token",
 * });
 * const team = new Group("team", { parentUid: "0123456789abcdef0123456789abcdef01234567" }, { provider: staging });
 * export const teamUid = team.uid;
 * export const roots = getGroupsOutput({ inRoot: true }, { provider: staging }).groups;
 * ```
 */
export class Provider extends pulumi.ProviderResource {
  /** Type of the engine's resource for a provider of dynamic resources. */
  static readonly __pulumiType: string = typeOf(dynamicDoor);

  /** How the engine reaches the code of the resources of this provider. */
  protected static readonly door: Door = dynamicDoor;

  /** Configuration of this provider by full key, for data sources. */
  readonly settings: pulumi.Output<Settings>;

  /**
   * @param name the unique name of the provider in the program
   * @throws pulumi.RunError for an unknown argument, an argument without a value, a secret, and a name of the engine's own providers
   */
  constructor(name: string, args: ProviderArgs, opts?: pulumi.ResourceOptions) {
    const what = `Provider ${literal(name)}`;
    rejectHidden(what, name);
    rejectMappings(what, opts);
    const { door } = new.target;
    const inputs = inputsOf(what, args);
    const aliases = door === dynamicDoor ? [] : [{ type: typeOf(dynamicDoor) }];
    const restore = hideFrames();
    try {
      super(door.package, name, door === dynamicDoor ? inputs : nativeInputs(inputs), pulumi.mergeOptions(opts, { aliases }));
    } finally {
      restore();
    }
    this.settings = pulumi.output(inputs);
  }

  /** Returns true for a provider of this package, also one that another copy of the package made. */
  static override isInstance(obj: unknown): obj is Provider {
    return isOfDoor(obj, dynamicDoor);
  }
}

/** Type of the engine's resource for a provider through `door`. */
export function typeOf(door: Pick<Door, "package">): string {
  return `pulumi:providers:${door.package}`;
}

/** True for a provider of this package through `door`, also one that another copy of the package made. */
export function isOfDoor(obj: unknown, door: Pick<Door, "package">): obj is Provider {
  const { __pulumiType: type, settings } = (obj ?? {}) as { __pulumiType?: unknown; settings?: unknown };
  return type === typeOf(door) && pulumi.Output.isInstance(settings);
}

/** The inputs of the plugin's provider: the plugin names its settings without a namespace. */
function nativeInputs(inputs: Record<string, pulumi.Input<string>>): Record<string, pulumi.Input<string>> {
  return Object.fromEntries(Object.entries(inputs).map(([name, value]) => [name.slice(key("").length), value]));
}

/**
 * Checks that a provider which the program selects for a resource belongs to the resource's door. The SDK would ignore any other
 * provider, and the resource would go to the platform of the stack.
 *
 * @throws pulumi.RunError
 */
export function requireDoor(what: string, opts: pulumi.CustomResourceOptions, door: Door): void {
  const other = door === dynamicDoor ? nativeDoor : dynamicDoor;
  const applies = opts.provider || inheritedFrom(opts.parent, [door, other]);
  if (isOfDoor(applies, other))
    throw invalid(`${what}: its provider is a Provider of ${other.module}, which cannot serve it. Pass one of ${door.module}.`);
  if (opts.provider && !isOfDoor(opts.provider, door))
    throw invalid(
      `${what}: opts.provider is not a Provider of ${door.module}. Nothing was sent. Leave it out to use the parent's, or the stack's configuration.`,
    );
}

/**
 * The explicit provider that `opts` selects; undefined for the stack's own.
 *
 * @throws pulumi.RunError for a provider of another package
 */
export function providerOf(opts: pulumi.InvokeOptions | undefined): Provider | undefined {
  const chosen = opts?.provider ?? inheritedFrom(opts?.parent, [dynamicDoor, nativeDoor]);
  if (chosen === undefined || isOfDoor(chosen, dynamicDoor) || isOfDoor(chosen, nativeDoor)) return chosen;
  throw invalid("opts.provider is not a Provider of pulumi-platform. Nothing was sent.");
}

/** The provider that `parent` passes on, for the first possible one of `doors`. */
function inheritedFrom(parent: pulumi.Resource | undefined, doors: readonly Door[]): pulumi.ProviderResource | undefined {
  return doors.map((door) => parent?.getProvider(`${door.package}:index:Resource`)).find(Boolean);
}

/**
 * The configuration of `provider`, once it is known.
 *
 * @throws pulumi.RunError when a preview cannot know it
 */
export async function settledSettings(provider: Provider | undefined): Promise<Settings | undefined> {
  if (provider === undefined) return undefined;
  const settings = provider.settings as unknown as { promise(): Promise<Settings>; isKnown: Promise<boolean> };
  const value = await settings.promise();
  if (await settings.isKnown) return value;
  throw invalid("the configuration of opts.provider is not known yet. Use the Output form of this function.");
}

/**
 * The engine would take a provider of such a name for its own. No preview shows that one, so the platform of its resources would be
 * invisible.
 */
// See docs/contributing/engine.md#providers-in-previews.
function rejectHidden(what: string, name: unknown): void {
  if (typeof name !== "string" || !/^default(_|$)/.test(name)) return;
  throw invalid(
    `${what}: previews do not show a provider whose name is "default" or begins with "default_". Choose another name.`,
  );
}

function rejectMappings(what: string, opts: pulumi.ResourceOptions | undefined): void {
  if (opts?.envVarMappings === undefined) return;
  throw invalid(
    `${what}: envVarMappings would not reach data sources. Set tokenCommand to a command that prints the API token, such as "printenv OTHER_TOKEN", or set oidcTokenFile.`,
  );
}
