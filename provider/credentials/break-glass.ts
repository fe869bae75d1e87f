import { PlatformError } from "../client/errors";
import { isUid, uidRule } from "../client/uid";
import { SettingReader } from "./settings";

/**
 * Uids of the break-glass identities: those of the stack's configuration and those of the environment together, so that neither can
 * take a mark of the other away (docs/configuration.md#break-glass-identities).
 */
export function breakGlassIn(reader: SettingReader): string[] {
  const found = [reader.inConfiguration("breakGlass"), reader.inEnvironment("breakGlass")].flatMap((each) => each ?? []);
  return found.flatMap(({ value, origin }) => {
    const uids = value.split(/[\s,]+/).filter((each) => each !== "");
    if (!uids.every(isUid)) reader.problems.push(`${origin} is not a list of uids, separated by commas. Correct it: ${uidRule}.`);
    return uids;
  });
}

/**
 * The break-glass identities where nothing else of the configuration is needed.
 *
 * @throws PlatformError `CONFIGURATION` for a list that has something else than uids
 */
export function readBreakGlass(
  configured: Readonly<Record<string, string | undefined>> | undefined,
  environment: NodeJS.ProcessEnv,
): string[] {
  const reader = new SettingReader(configured, environment);
  const uids = breakGlassIn(reader);
  const [problem] = reader.problems;
  if (problem !== undefined) throw new PlatformError("CONFIGURATION", problem);
  return uids;
}
