import { PlatformError } from "../../client/errors";
import { list } from "../../client/printable";
import { readConfiguration, settings as declared } from "../../credentials";
import { withoutTrailingSlash } from "../../credentials/addresses";
import { ownArguments, type Settings, sourceArguments } from "../explicit-provider";
import { providerText } from "./identity";

/** The settings by which a provider could act elsewhere, or as somebody else. */
const fixed = ["baseUrl", "authUrl", "audience", "identity", "oidcAudience", ...sourceArguments] as const;
type Fixed = (typeof fixed)[number];

/**
 * The settings of a provider in a bound run, without those that only the environment decides.
 *
 * @throws PlatformError `CONFIGURATION` for a provider that names another address, identity, token file or command. The stack's own
 * credentials are not used, because a pipeline may have others
 */
export function boundSettings(settings: Settings, environment: NodeJS.ProcessEnv): Settings {
  const named = new Set((settings[ownArguments] ?? "").split(",").filter(Boolean));
  const run: Partial<Record<Fixed, unknown>> = { ...readConfiguration(undefined, environment) };
  for (const source of sourceArguments) run[source] = environment[declared[source].environment];
  const isIgnored = (name: Fixed) => (sourceArguments as readonly string[]).includes(name) && !named.has(name);
  const others = fixed.filter((name) => {
    const value = settings[declared[name].key]?.trim() ?? "";
    return value !== "" && !isIgnored(name) && withoutTrailingSlash(value) !== run[name];
  });
  if (others.length > 0)
    throw new PlatformError(
      "CONFIGURATION",
      `${sentenceStart(providerText(settings))} names another ${list(others)} than this bound run. Nothing was sent. ` +
        "Only the environment of `pulumi-platform up` decides where and as whom it runs: remove the setting, or give it the same value " +
        `in ${list(others.map((name) => declared[name].environment))}.`,
    );
  const keys: readonly string[] = fixed.map((name) => declared[name].key);
  const left = [...named].filter((name) => !(fixed as readonly string[]).includes(name));
  const kept = Object.entries(settings).filter(([key]) => key !== ownArguments && !keys.includes(key));
  return { ...Object.fromEntries(kept), ...(left.length > 0 && { [ownArguments]: left.join(",") }) };
}

function sentenceStart(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
