import { withoutTrailingSlash } from "./addresses";
import { sourceNames } from "./credential-source";
import { type Setting, type SettingName, type SettingReader, settings } from "./settings";

/** The settings whose two places add up, or must agree. */
const combined: readonly SettingName[] = ["breakGlass", "identity", "readOnlyIdentity"];

/**
 * Sentences about the variables that have no effect, because the stack's configuration comes first. A user who has set one expects it to
 * decide.
 *
 * @param taken the origin of the credentials in use
 */
export function overriddenIn(reader: SettingReader, taken: string): string[] {
  const others = (Object.keys(settings) as SettingName[]).filter((name) => !isSource(name) && !combined.includes(name));
  return [...overriddenSources(reader, taken), ...others.flatMap((name) => overriddenSetting(reader, name) ?? [])];
}

function isSource(name: SettingName): boolean {
  return (sourceNames as readonly SettingName[]).includes(name);
}

function overriddenSources(reader: SettingReader, taken: string): string[] {
  const configured = sourceNames.flatMap((name) => reader.inConfiguration(name)?.origin ?? []);
  if (configured.length === 0) return [];
  const set = sourceNames.flatMap((name) => reader.inEnvironment(name)?.origin ?? []).filter((origin) => origin !== taken);
  return set.map((origin) => sentence(origin, taken));
}

/** An argument of an explicit provider is meant to differ. */
function overriddenSetting(reader: SettingReader, name: SettingName): string | undefined {
  const { key }: Setting = settings[name];
  const [configured, variable] = [reader.inConfiguration(name)?.value, reader.inEnvironment(name)];
  if (key === undefined || configured === undefined || variable === undefined || reader.own.includes(name)) return undefined;
  return withoutTrailingSlash(configured) === withoutTrailingSlash(variable.value) ? undefined : sentence(variable.origin, key);
}

function sentence(variable: string, instead: string): string {
  const why = instead.startsWith("platform:") ? `${instead} in the stack's configuration comes first` : `${instead} comes first`;
  return `${variable} has no effect: ${why}.`;
}
