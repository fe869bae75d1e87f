import { PlatformError } from "../client/errors";
import { literal } from "../client/printable";
import { hasPlatformForm, isUid, uidRule } from "../client/uid";
import { SettingReader } from "./settings";

/**
 * Uids of the break-glass identities. The marks of the stack's configuration and of the environment add up, so that neither can remove a
 * mark of the other (docs/configuration.md#break-glass-identities).
 */
export function breakGlassIn(reader: SettingReader): string[] {
  const found = [reader.inConfiguration("breakGlass"), reader.inEnvironment("breakGlass")].flatMap((each) => each ?? []);
  const uids = found.flatMap(({ value, origin }) => {
    const listed = value.split(/[\s,]+/).filter((each) => each !== "");
    return listed.map((uid) => ({ uid, origin }));
  });
  // On some platforms any text can be a uid. If one uid has the usual form, all have it, and a name in the list would protect nobody.
  const others = (["organization", "identity", "readOnlyIdentity"] as const).flatMap((name) => reader.find(name)?.value ?? []);
  const isUsual = [...others, ...uids.map(({ uid }) => uid)].some(hasPlatformForm);
  const reasons = new Map(
    uids.flatMap(({ uid, origin }): [string, string][] => {
      if (!isUid(uid)) return [[origin, uidRule]];
      return isUsual && !hasPlatformForm(uid) ? [[origin, `${literal(uid)} is not a complete uid of this platform`]] : [];
    }),
  );
  for (const [origin, reason] of reasons)
    reader.problems.push(`${origin} is not a list of uids, separated by commas. Correct it: ${reason}.`);
  return uids.map(({ uid }) => uid);
}

/**
 * The break-glass identities, for callers that need nothing else of the configuration.
 *
 * @throws PlatformError `CONFIGURATION` for a list with a text that is no uid
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
