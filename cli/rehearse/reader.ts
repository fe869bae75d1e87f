import { PlatformError } from "../../provider/client/errors";
import { connect, readConfiguration, settings } from "../../provider/credentials";
import type { Configured } from "../../rehearse/private-stack";
import type { Connection } from "../shell/settings";
import { heed, verdictOn } from "../shell/verdict";

/** The settings that say where credentials come from and go, which only the environment decides. */
const ofEnvironment = ["baseUrl", "authUrl", "audience", "oidcTokenFile", "tokenCommand", "oidcAudience"] as const;

/** The connection of the reader, and what follows from the settings for the run. */
interface Reader {
  readonly connection: Connection;
  /** The stack's configuration. */
  readonly plain: Readonly<Record<string, string | undefined>>;
  /** The origins that the run sends requests to. */
  readonly standsFor: readonly string[];
}

/**
 * Connects the reader. Address and credentials come from the environment, because a pull request can change the stack's configuration.
 *
 * @throws PlatformError `CONFIGURATION`
 */
export function readerOf(configured: Configured): Reader {
  const plain = Object.fromEntries(Object.entries(configured).map(([key, { value }]) => [key, value]));
  if (!process.env[settings.baseUrl.environment]?.trim())
    throw new PlatformError(
      "CONFIGURATION",
      `A rehearsal reads the platform with address and credentials of the environment alone. Set ${settings.baseUrl.environment} to the address, beside the credentials.`,
    );
  heed(verdictOn(plain, process.env, "program"));
  const keys: readonly string[] = ofEnvironment.map((name) => settings[name].key);
  const others = Object.fromEntries(Object.entries(plain).filter(([key]) => !keys.includes(key)));
  const configuration = readConfiguration(others, process.env);
  const addresses = [configuration.baseUrl, configuration.authUrl, plain[settings.baseUrl.key], plain[settings.authUrl.key]];
  const origins = addresses.flatMap((each) => (each !== undefined && URL.canParse(each) ? [new URL(each).origin] : []));
  return { connection: { configuration, client: connect(configuration) }, plain, standsFor: [...new Set(origins)] };
}
