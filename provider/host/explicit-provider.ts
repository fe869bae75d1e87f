import { settings as declared, type Setting } from "../credentials/settings";

/** The stack's configuration, or an explicit provider's, with full keys: `platform:baseUrl`. */
export type Settings = Readonly<Record<string, string | undefined>>;

/**
 * Marks the inputs of an explicit provider with its own address. `PLATFORM_*` then describes another platform: its identity would
 * not exist here, and its token must not be sent here.
 */
export const ownPlatform = "platform:ownPlatform";

const variables = new Set<string>(Object.values<Setting>(declared).map(({ environment }) => environment));

/** The settings and the environment that apply together; an explicit provider may exclude `PLATFORM_*` settings. */
export function scoped(
  configured: Settings,
  environment: NodeJS.ProcessEnv,
): { settings: Settings; environment: NodeJS.ProcessEnv } {
  const { [ownPlatform]: own, ...settings } = configured;
  if (own === undefined) return { settings, environment };
  return { settings, environment: Object.fromEntries(Object.entries(environment).filter(([name]) => !variables.has(name))) };
}
