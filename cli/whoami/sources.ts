import { github, sourceNames } from "../../provider/credentials/credential-source";
import { type Found, type Setting, SettingReader, settings } from "../../provider/credentials/settings";
import type { WhoamiDocument } from "../documents/whoami";

type Source = WhoamiDocument["sources"][number];

/**
 * Every source of credentials in the order of the search, with the reason why it was not used. Contains no secret values.
 *
 * @param configured the stack's configuration; undefined if no stack was named
 * @param taken the origin of the used source
 */
export function sourcesOf(
  configured: Readonly<Record<string, string | undefined>> | undefined,
  environment: NodeJS.ProcessEnv,
  taken: string,
): Source[] {
  const reader = new SettingReader(configured, environment);
  const row = (level: Source["level"], name: string, found: Found | undefined, unset?: string): Source => {
    if (found !== undefined && name === taken) return { name, level, state: "taken" };
    if (found === undefined) return { name, level, state: "notSet", ...(unset !== undefined && { reason: unset }) };
    return { name, level, state: "passedOver", reason: passedOver(level, name, taken) };
  };
  const keys = sourceNames.flatMap((name) => {
    const { key }: Setting = settings[name];
    const unset = reader.hasStack ? undefined : "no stack was named: pass --stack";
    return key === undefined ? [] : [row("configuration", key, reader.inConfiguration(name), unset)];
  });
  const variables = sourceNames.map((name) => row("environment", settings[name].environment, reader.inEnvironment(name)));
  const missing = Object.values(github).filter((variable) => reader.variable(variable) === undefined);
  const job = missing.length > 0 ? undefined : reader.variable(github.url);
  const unset = `${missing.join(" and ")} ${missing.length > 1 ? "are" : "is"} missing: a job has them with \`permissions: id-token: write\``;
  return [...keys, ...variables, row("githubActions", "GitHub Actions", job, unset)];
}

function passedOver(level: Source["level"], name: string, taken: string): string {
  if (level === "configuration") return `${taken} stands in for the file that ${name} names`;
  if (taken.startsWith("platform:")) return `the stack's configuration comes first: ${taken}`;
  return `the PLATFORM_* environment comes first: ${taken}`;
}
