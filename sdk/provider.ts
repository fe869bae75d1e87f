import * as pulumi from "@pulumi/pulumi";
import { suggest } from "../provider/client/nearest-name";
import { maxConnections } from "../provider/client/http";
import { literal } from "../provider/client/printable";
import { misplacedKeys } from "../provider/credentials";
import { ownArguments, type Settings, sourceArguments } from "../provider/host/explicit-provider";
import { type Door, dynamicDoor, nativeDoor } from "./door";
import { isEventual, isObject, objectRule } from "./functions/arguments";
import { hideFrames } from "./stack-trace";

/** Arguments of a {@link Provider}. They are stored in state as plain text, so none of them may be a secret. */
export interface ProviderArgs {
  /**
   * API address of the platform. With it, neither the stack's configuration nor the platform, identity and credentials of the
   * `PLATFORM_*` variables apply to this provider. Default: the platform of the stack.
   */
  baseUrl?: pulumi.Input<string>;
  /** Token-issuing address. Default: `baseUrl`. */
  authUrl?: pulumi.Input<string>;
  /** Audience of the token exchange. Default: `baseUrl`. */
  audience?: pulumi.Input<string>;
  /** Version of the API; `auto` asks the platform which it serves. Default: `v2beta1`. */
  apiVersion?: pulumi.Input<"v2beta1" | "v2" | "auto">;
  /** Uid of the identity to assume. It needs an OIDC token: an API token acts as the identity that it was issued for. */
  identity?: pulumi.Input<string>;
  /** Uid of the identity to assume instead in runs with `PLATFORM_READ_ONLY`. Default: that of the stack, on the same platform. */
  readOnlyIdentity?: pulumi.Input<string>;
  /** Whether resources of this provider adopt existing objects that equal the declaration. Default: false. */
  adopt?: pulumi.Input<boolean>;
  /** Maximum number of concurrent requests of this provider, 1 to 64. Default: `PLATFORM_CONCURRENCY`, else 64. */
  concurrency?: pulumi.Input<number>;
  /** Path of a file that contains the OIDC token; it is read again at each exchange. */
  oidcTokenFile?: pulumi.Input<string>;
  /** Command that prints an API token, split into words without a shell: `printenv OTHER_PLATFORM_TOKEN`. */
  tokenCommand?: pulumi.Input<string>;
  /** Audience to request from GitHub Actions. Default: the host of `authUrl`. */
  oidcAudience?: pulumi.Input<string>;
}

const names: readonly (keyof ProviderArgs)[] = [
  "baseUrl",
  "authUrl",
  "audience",
  "apiVersion",
  "identity",
  "readOnlyIdentity",
  "adopt",
  "concurrency",
  "oidcTokenFile",
  "tokenCommand",
  "oidcAudience",
];

const key = (name: string) => `platform:${name}`;

/**
 * A second platform, or a second identity on the same one, for resources and data sources with `{ provider }`.
 *
 * A changed `baseUrl` points the resources that exist in state at another platform: they are looked up there, not moved.
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
   * @throws pulumi.RunError for an unknown argument, an argument without a value, and a secret
   */
  constructor(name: string, args: ProviderArgs, opts?: pulumi.ResourceOptions) {
    const what = `Provider ${literal(name)}`;
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
 * Checks that a provider which the program selects for a resource is one of the resource's door. The SDK would ignore any other one,
 * and the resource would go to the platform of the stack.
 *
 * @throws pulumi.RunError
 */
export function requireDoor(what: string, opts: pulumi.CustomResourceOptions, door: Door): void {
  const other = door === dynamicDoor ? nativeDoor : dynamicDoor;
  const inherited = opts.parent?.getProvider(`${other.package}:index:Resource`);
  const own = opts.parent?.getProvider(`${door.package}:index:Resource`);
  const [right, wrong] =
    door === dynamicDoor ? ["pulumi-platform", "pulumi-platform/native"] : ["pulumi-platform/native", "pulumi-platform"];
  if (isOfDoor(opts.provider, other) || (!opts.provider && own === undefined && isOfDoor(inherited, other)))
    throw new pulumi.RunError(`${what}: its provider is a Provider of ${wrong}, which cannot serve it. Pass one of ${right}.`);
  if (opts.provider && !isOfDoor(opts.provider, door))
    throw new pulumi.RunError(`${what}: opts.provider is not a Provider of ${right}. Nothing was sent.`);
}

/**
 * The explicit provider that `opts` selects; undefined for the stack's own.
 *
 * @throws pulumi.RunError for a provider of another package
 */
export function providerOf(opts: pulumi.InvokeOptions | undefined): Provider | undefined {
  const chosen = opts?.provider ?? inheritedFrom(opts?.parent);
  if (chosen === undefined || isOfDoor(chosen, dynamicDoor) || isOfDoor(chosen, nativeDoor)) return chosen;
  throw new pulumi.RunError("opts.provider is not a Provider of pulumi-platform. Nothing was sent.");
}

function inheritedFrom(parent: pulumi.Resource | undefined): pulumi.ProviderResource | undefined {
  return [dynamicDoor, nativeDoor].map((door) => parent?.getProvider(`${door.package}:index:Resource`)).find(Boolean);
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
  throw new pulumi.RunError("the configuration of opts.provider is not known yet. Use the Output form of this function.");
}

function rejectMappings(what: string, opts: pulumi.ResourceOptions | undefined): void {
  if (opts?.envVarMappings === undefined) return;
  throw new pulumi.RunError(
    `${what}: envVarMappings would not reach data sources. Set tokenCommand to a command that prints the API token, such as "printenv OTHER_TOKEN", or set oidcTokenFile.`,
  );
}

function inputsOf(what: string, args: unknown): Record<string, pulumi.Input<string>> {
  if (!isObject(args)) throw new pulumi.RunError(`${what}: ${objectRule}`);
  const problems = Object.keys(args).flatMap((name) => undeclared(name));
  const inputs = Object.entries(args).flatMap(([name, value]): [string, pulumi.Input<string>][] => {
    if (isEventual(value)) return [[key(name), eventual(what, name, value)]];
    const problem = problemWith(name, value);
    if (problem !== undefined) problems.push(problem);
    return [[key(name), String(value)]];
  });
  if (problems.length > 0) throw new pulumi.RunError(`${what}: ${problems.join(" ")}`);
  const own = { ...Object.fromEntries(inputs), [ownArguments]: Object.keys(args).sort().join(",") };
  return "baseUrl" in args ? own : { ...ambient(args), ...own };
}

/** The stack's own settings: the engine gives them to its default provider only. */
function ambient(args: object): Record<string, pulumi.Input<string>> {
  const configured = pulumi.runtime.allConfig();
  const problems = misplacedKeys(configured);
  if (problems.length > 0) throw new pulumi.RunError(problems.join("\n"));
  const replaced = sourceArguments.some((source) => source in args) ? sourceArguments.map(key) : [];
  const inputs = Object.entries(configured).filter(([name]) => name.startsWith("platform:") && !replaced.includes(name));
  return Object.fromEntries(inputs.map(([name, value]) => [name, isConfigSecret(name) ? pulumi.secret(value) : value]));
}

/** Whether a setting of the stack is encrypted. The SDK has no type for it: `allConfig` returns all settings as plain text. */
const { isConfigSecret } = pulumi.runtime as unknown as { isConfigSecret: (name: string) => boolean };

function eventual(what: string, name: string, value: unknown): pulumi.Output<string> {
  const output = pulumi.output(value);
  return pulumi.all([output, pulumi.output(pulumi.isSecret(output))]).apply(([known, isSecret]) => {
    const problem = isSecret ? `${name} is a secret. ${stored}` : problemWith(name, known);
    if (problem !== undefined) throw new pulumi.RunError(`${what}: ${problem}`);
    return String(known);
  });
}

const stored =
  "Arguments of a provider are stored in state as plain text: give the path of a file in oidcTokenFile, or a command that prints the token in tokenCommand.";

function undeclared(name: string): string[] {
  if ((names as readonly string[]).includes(name)) return [];
  if (/^(api|oidc|access|id)?_?-?(token|secret|password|credentials?)$/i.test(name)) return [`${name} is a secret. ${stored}`];
  return [`unknown argument ${literal(name)}; ${suggest(name, names, "arguments", String)}`];
}

/** No message shows a value: it may be a secret in the wrong argument. */
function problemWith(name: string, value: unknown): string | undefined {
  if (name === "adopt") return typeof value === "boolean" ? undefined : "adopt must be true or false.";
  if (name === "concurrency") {
    const isValid = Number.isInteger(value) && Number(value) >= 1 && Number(value) <= maxConnections;
    return isValid ? undefined : `concurrency must be a whole number from 1 to ${maxConnections}.`;
  }
  // A missing value must not select another platform or identity.
  if (value === undefined || value === null || value === "") return `${name} has no value. Leave it out, or give it one.`;
  if (typeof value !== "string") return `${name} must be a string.`;
  if (misplacedKeys({ [key("baseUrl")]: value }).length > 0) return `${name} holds a token. ${stored}`;
  const { username, password } = URL.parse(value) ?? {};
  if (username || password) return `${name} holds a user name or password. ${stored}`;
  return undefined;
}
