import * as pulumi from "@pulumi/pulumi";
import { maxConnections } from "../../provider/client/http";
import { suggest } from "../../provider/client/nearest-name";
import { literal } from "../../provider/client/printable";
import { misplacedKeys } from "../../provider/credentials";
import { ownArguments, sourceArguments } from "../../provider/host/explicit-provider";
import { isEventual, isObject, objectRule } from "../program/arguments";
import { invalid, ProgramFailure } from "../program/program-failure";

/** Arguments of a `Provider`. They are stored in state as plain text, so none of them may be a secret. */
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

/** The key of a setting in the configuration of a stack: `platform:baseUrl`. */
export const key = (name: string) => `platform:${name}`;

/**
 * The configuration that a provider gets from its arguments, by full key: with `baseUrl`, these alone; else with the stack's settings.
 *
 * @param what names the provider in errors
 * @throws pulumi.RunError for an unknown argument, an argument without a value, and a secret
 */
export function inputsOf(what: string, args: unknown): Record<string, pulumi.Input<string>> {
  if (!isObject(args)) throw invalid(`${what}: ${objectRule}`);
  const problems = Object.keys(args).flatMap((name) => undeclared(name));
  const inputs = Object.entries(args).flatMap(([name, value]): [string, pulumi.Input<string>][] => {
    if (isEventual(value)) return [[key(name), eventual(what, name, value)]];
    const problem = problemWith(name, value);
    if (problem !== undefined) problems.push(problem);
    return [[key(name), String(value)]];
  });
  if (problems.length > 0) throw invalid(`${what}: ${problems.join(" ")}`);
  const own = { ...Object.fromEntries(inputs), [ownArguments]: Object.keys(args).sort().join(",") };
  return "baseUrl" in args ? own : { ...ambient(args), ...own };
}

/** The stack's own settings: the engine gives them to its default provider only. */
function ambient(args: object): Record<string, pulumi.Input<string>> {
  const configured = pulumi.runtime.allConfig();
  const problems = misplacedKeys(configured);
  if (problems.length > 0) throw new ProgramFailure("CONFIGURATION", problems.join("\n"));
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
    if (problem !== undefined) throw invalid(`${what}: ${problem}`);
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
  // A command may have an address in it.
  const addresses = [value, ...value.split(/[\s"'=]+/)].map((word) => URL.parse(word));
  if (addresses[0]?.username || addresses.some((address) => address?.password))
    return `${name} holds a user name or password. ${stored}`;
  return undefined;
}
