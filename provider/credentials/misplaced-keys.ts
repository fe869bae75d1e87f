import { nearestName, suggest } from "../client/nearest-name";
import { printable } from "../client/printable";
import { type Setting, settings } from "./settings";

const prefix = "platform:";
const jwt = /\beyJ[\w-]+\.[\w-]+\.[\w-]*/;
const secretName = /token|secret|password/i;
const knownNames = Object.values<Setting>(settings).flatMap(({ key }) => key?.slice(prefix.length) ?? []);
/** The variables of settings, by their letters without underscores. */
const variables = new Map(Object.values<Setting>(settings).map(({ environment }) => [lettersOf(environment), environment]));
const tokenVariables: string[] = [settings.token.environment, settings.oidcToken.environment];
const secretVariables = "PLATFORM_TOKEN (an API token) or PLATFORM_OIDC_TOKEN (an OIDC token to exchange)";

/**
 * Problems of a stack's configuration: unknown keys, and secrets, which the engine copies into state. No message contains a value.
 */
// See docs/contributing/engine.md#configuration-in-state.
export function misplacedKeys(configured: Readonly<Record<string, string | undefined>>): string[] {
  return Object.entries(configured).flatMap(([given, value]) => {
    const key = printable(given);
    if (value === undefined || !key.startsWith(prefix)) return [];
    if (jwt.test(value)) return [secretInState(key, secretVariables)];
    const name = key.slice(prefix.length);
    if (knownNames.includes(name)) return [];
    if (secretName.test(name) && nearestName(name, knownNames) === undefined) {
      const instead = /oidc/i.test(name) ? settings.oidcToken.environment : settings.token.environment;
      return [secretInState(key, instead)];
    }
    const hint = suggest(name, knownNames, "settings", (known) => prefix + known);
    return [`${key} is not a setting; ${hint} Remove it with \`pulumi config rm ${key}\`.`];
  });
}

/** Problems of the environment. Variables other than those for tokens must not contain a token. */
export function misplacedTokens(environment: NodeJS.ProcessEnv): string[] {
  return Object.values<Setting>(settings)
    .filter(({ environment: variable }) => !tokenVariables.includes(variable) && jwt.test(environment[variable] ?? ""))
    .map(({ environment: variable }) => `${variable} holds a token. Unset it and set ${secretVariables} instead.`);
}

/**
 * Problems of the environment. A variable that differs from a setting only in underscores is a mistake, because without an error
 * `PLATFORM_READONLY` would let a run write. Any other variable may belong to another tool.
 */
export function misspeltVariables(environment: NodeJS.ProcessEnv): string[] {
  return Object.entries(environment).flatMap(([given, value]) => {
    const meant = variables.get(lettersOf(given));
    if (meant === undefined || meant === given || !value?.trim()) return [];
    return [`${printable(given)} is not a setting; did you mean ${meant}? Rename or unset it.`];
  });
}

function lettersOf(variable: string): string {
  return variable.replaceAll("_", "");
}

function secretInState(key: string, instead: string): string {
  return `${key} holds a secret, which the engine would copy into state. Remove it with \`pulumi config rm ${key}\` and set the environment variable ${instead} instead.`;
}
