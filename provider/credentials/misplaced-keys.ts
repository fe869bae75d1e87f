import { nearestName } from "../client/nearest-name";
import { type Setting, settings } from "./settings";

const jwt = /\beyJ[\w-]+\.[\w-]+\.[\w-]*/;
const secretName = /token|secret|password/i;
const knownKeys = Object.values<Setting>(settings).flatMap(({ key }) => key ?? []);
const secretVariables = "PLATFORM_TOKEN (an API token) or PLATFORM_OIDC_TOKEN (an OIDC token to exchange)";

/**
 * What a stack's configuration must not hold: keys that nobody reads, and secrets, which the engine
 * copies into state (ENGINE §3). No message holds a value.
 */
export function misplacedKeys(configured: Readonly<Record<string, string | undefined>>): string[] {
  return Object.entries(configured).flatMap(([key, value]) => {
    if (value === undefined || !key.startsWith("platform:")) return [];
    if (jwt.test(value)) return [secretInState(key, secretVariables)];
    if (knownKeys.includes(key as (typeof knownKeys)[number])) return [];
    const near = nearestName(key, knownKeys);
    if (secretName.test(key) && near.distance > 2) {
      const instead = /oidc/i.test(key) ? settings.oidcToken.environment : settings.token.environment;
      return [`${secretInState(key, instead)} The nearest setting is ${near.name}.`];
    }
    return [
      `${key} is not a setting; the nearest is ${near.name}. Remove it with \`pulumi config rm ${key}\` and set the one you mean.`,
    ];
  });
}

/** Settings of the environment, other than the two for tokens, that hold a token. */
export function misplacedTokens(environment: NodeJS.ProcessEnv): string[] {
  return Object.values<Setting>(settings)
    .filter(({ key, environment: variable }) => key !== undefined && jwt.test(environment[variable] ?? ""))
    .map(({ environment: variable }) => `${variable} holds a token. Unset it and set ${secretVariables} instead.`);
}

function secretInState(key: string, instead: string): string {
  return `${key} holds a secret, which the engine would copy into state. Remove it with \`pulumi config rm ${key}\` and set the environment variable ${instead} instead.`;
}
