import * as pulumi from "@pulumi/pulumi";
import { maxConnections } from "../../provider/client/http";
import { suggest } from "../../provider/client/nearest-name";
import { literal } from "../../provider/client/printable";
import { argumentTypes, misplacedKeys, type ProviderArguments } from "../../provider/credentials";
import { ownArguments, sourceArguments } from "../../provider/host/explicit-provider";
import { isEventual, isObject, objectRule } from "../program/arguments";
import { invalid, ProgramFailure } from "../program/program-failure";

/** Arguments of a `Provider`. They are stored in state as plain text, so none of them may be a secret. */
export type ProviderArgs = { [Name in keyof ProviderArguments]: pulumi.Input<NonNullable<ProviderArguments[Name]>> };

/** The key of a setting in the configuration of a stack: `platform:baseUrl`. */
export const key = (name: string) => `platform:${name}`;

/**
 * The configuration of a provider by full key. It consists of its arguments, and without `baseUrl` also of the stack's settings.
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

/** The stack's own settings, which the engine gives only to its default provider. */
function ambient(args: object): Record<string, pulumi.Input<string>> {
  const configured = pulumi.runtime.allConfig();
  const problems = misplacedKeys(configured);
  if (problems.length > 0) throw new ProgramFailure("CONFIGURATION", problems.join("\n"));
  const replaced = sourceArguments.some((source) => source in args) ? sourceArguments.map(key) : [];
  const inputs = Object.entries(configured).filter(([name]) => name.startsWith("platform:") && !replaced.includes(name));
  return Object.fromEntries(inputs.map(([name, value]) => [name, isConfigSecret(name) ? pulumi.secret(value) : value]));
}

/** Whether a setting of the stack is encrypted, which `allConfig` does not tell. The SDK declares no type for this function. */
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
  if (argumentTypes.has(name)) return [];
  if (/^(api|oidc|access|id)?_?-?(token|secret|password|credentials?)$/i.test(name)) return [`${name} is a secret. ${stored}`];
  return [`unknown argument ${literal(name)}; ${suggest(name, [...argumentTypes.keys()], "arguments", String)}`];
}

/** The problem of an argument. Never quotes the value, which may be a secret in the wrong argument. */
function problemWith(name: string, value: unknown): string | undefined {
  const type = argumentTypes.get(name);
  if (type === "flag") return typeof value === "boolean" ? undefined : `${name} must be true or false.`;
  if (type === "number") {
    const isValid = Number.isInteger(value) && Number(value) >= 1 && Number(value) <= maxConnections;
    return isValid ? undefined : `${name} must be a whole number from 1 to ${maxConnections}.`;
  }
  // A missing value must not select another platform or identity.
  if (value === undefined || value === null || value === "") return `${name} has no value. Leave it out, or give it one.`;
  if (typeof value !== "string") return `${name} must be a string.`;
  if (misplacedKeys({ [key("baseUrl")]: value }).length > 0) return `${name} holds a token. ${stored}`;
  // A command may contain an address.
  const addresses = [value, ...value.split(/[\s"'=]+/)].map((word) => URL.parse(word));
  if (addresses[0]?.username || addresses.some((address) => address?.password))
    return `${name} holds a user name or password. ${stored}`;
  return undefined;
}
