import { settings as declared, type Setting, type SettingName } from "../credentials/settings";

/** The stack's configuration, or an explicit provider's, with full keys: `platform:baseUrl`. */
export type Settings = Readonly<Record<string, string | undefined>>;

/**
 * Marks the inputs of an explicit provider that names an address of its own. What `PLATFORM_*` says of a platform describes another
 * one then: its identity would not exist there, and its token must not be sent there.
 */
export const ownPlatform = "platform:ownPlatform";

/** What describes the run and not the platform: errors of any provider advise these for one run. */
const ofTheRun: readonly SettingName[] = ["adopt", "allowSelfLockout", "concurrency", "log"];

const ofThePlatform = new Set<string>(
  Object.entries<Setting>(declared).flatMap(([name, { environment }]) =>
    (ofTheRun as readonly string[]).includes(name) ? [] : [environment],
  ),
);

/** The settings and the environment that apply together; an explicit provider may exclude what describes the stack's platform. */
export function scoped(
  configured: Settings,
  environment: NodeJS.ProcessEnv,
): { settings: Settings; environment: NodeJS.ProcessEnv } {
  const { [ownPlatform]: own, ...settings } = configured;
  if (own === undefined) return { settings, environment };
  return { settings, environment: Object.fromEntries(Object.entries(environment).filter(([name]) => !ofThePlatform.has(name))) };
}
