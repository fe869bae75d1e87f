import { textOf, withCode } from "../../client/errors";
import { misplacedKeys } from "../../credentials";
import { unknownValue } from "../../schema/inputs";
import type { Inputs } from "../../schema/kind";
import type { CheckResult } from "../../resources/object/check";
import { configurationOf, ownArguments, type Settings } from "../explicit-provider";

/** Inputs that the engine adds to every provider. */
const engineInputs = ["version", "pluginDownloadURL", "pluginChecksums", "parameterization"];

/** The names of the program's own arguments among the inputs. The Node.js class passes it, because it passes the stack's settings too. */
const argumentsInput = "arguments";

/**
 * The settings in the inputs of a provider.
 *
 * @param name of the provider's resource. The engine's default provider has the stack's settings, any other has its own arguments. A
 * program may give its own provider the same name as a default one, which only the Node.js class shows
 */
export function settingsIn(inputs: Inputs, name: string): Settings {
  const { [argumentsInput]: own, ...given } = inputs;
  const named = Object.entries(given).filter(
    ([key, value]) => value !== undefined && value !== null && !engineInputs.includes(key) && !key.startsWith("__"),
  );
  const settings = Object.fromEntries(named.map(([key, value]) => [`platform:${key}`, String(value)]));
  if (typeof own === "string") return { ...settings, [ownArguments]: own };
  return isDefault(name) ? settings : { ...settings, [ownArguments]: named.map(([key]) => key).join(",") };
}

/** Checks the inputs of a provider. Values that a preview does not know yet are checked in the update. */
export function checkConfiguration(inputs: Inputs, name: string): CheckResult {
  if (Object.values(inputs).includes(unknownValue)) return { inputs, failures: [] };
  try {
    const { [ownArguments]: own, ...settings } = settingsIn(inputs, name);
    const problems = misplacedKeys(settings);
    if (problems.length > 0)
      return { inputs, failures: problems.map((reason) => ({ property: "", reason: withCode("CONFIGURATION", reason) })) };
    configurationOf({ ...settings, [ownArguments]: own }, process.env);
    return { inputs, failures: [] };
  } catch (error) {
    return { inputs, failures: [{ property: "", reason: textOf(error) }] };
  }
}

/** Names of the inputs that differ. A change never replaces managed objects; they are looked up with the new settings, not moved. */
export function changedConfiguration(olds: Inputs, news: Inputs): string[] {
  return Object.keys({ ...olds, ...news }).filter((name) => (olds[name] ?? undefined) !== (news[name] ?? undefined));
}

function isDefault(name: string): boolean {
  return /^default(_|$)/.test(name);
}
