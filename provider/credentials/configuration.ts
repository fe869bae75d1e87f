import { PlatformError } from "../client/errors";
import { isLoopback } from "../client/http";
import { isUid, uidRule } from "../client/uid";
import { chooseSource, type CredentialSource } from "./credential-source";
import { misplacedKeys, misplacedTokens } from "./misplaced-keys";
import { type SettingName, SettingReader, settings } from "./settings";

/** Everything that the provider is told (DESIGN §8). Addresses and audiences have no trailing slash. */
export interface Configuration {
  readonly baseUrl: string;
  readonly authUrl: string;
  /** `aud` of the token exchange (SPEC §5.3). */
  readonly audience: string;
  readonly apiVersion: "v2beta1" | "v2";
  readonly organization?: string;
  /** Uid of the identity to assume; without it the exchange is asked for none. */
  readonly identity?: string;
  /** Default of the resources' `adopt`. */
  readonly adopt: boolean;
  /** Whether a run may remove the access that it runs with. */
  readonly allowSelfLockout: boolean;
  readonly credentials: CredentialSource;
  /** Audience asked of GitHub Actions. */
  readonly oidcAudience: string;
  /** True when {@link oidcAudience} was set by somebody: an OIDC token without it is refused then. */
  readonly oidcAudienceExplicit: boolean;
}

/**
 * Reads the configuration from the keys and values of a stack (`platform:baseUrl`, other namespaces are
 * ignored) and from the environment. Touches no file and no network.
 *
 * @throws PlatformError `CONFIGURATION` that tells all problems at once, and no value of any setting
 */
export function readConfiguration(
  configured: Readonly<Record<string, string | undefined>>,
  environment: NodeJS.ProcessEnv,
): Configuration {
  const reader = new SettingReader(configured, environment);
  reader.problems.push(...misplacedKeys(configured), ...misplacedTokens(environment));
  if (!reader.find("baseUrl")) {
    reader.problems.push(
      `No API address. Set it with \`pulumi config set ${settings.baseUrl.key} https://...\`, or in ${settings.baseUrl.environment}.`,
    );
  }
  const baseUrl = readAddress(reader, "baseUrl");
  const authUrl = readAddress(reader, "authUrl") ?? baseUrl;
  const apiVersion = readApiVersion(reader);
  const organization = readUid(reader, "organization");
  const identity = readUid(reader, "identity");
  const adopt = readFlag(reader, "adopt");
  const allowSelfLockout = readFlag(reader, "allowSelfLockout");
  const credentials = chooseSource(reader);
  if (reader.problems.length > 0 || !baseUrl || !authUrl || !credentials) throw invalid(reader.problems);
  const oidcAudience = readAudience(reader, "oidcAudience");
  return {
    baseUrl,
    authUrl,
    audience: readAudience(reader, "audience") ?? baseUrl,
    apiVersion,
    ...(organization && { organization }),
    ...(identity && { identity }),
    adopt,
    allowSelfLockout,
    credentials,
    oidcAudience: oidcAudience ?? new URL(authUrl).host,
    oidcAudienceExplicit: oidcAudience !== undefined,
  };
}

function invalid(problems: string[]): PlatformError {
  const [only, ...more] = problems;
  const text = more.length === 0 ? only : ["The configuration of the platform has several problems:", ...problems].join("\n- ");
  return new PlatformError("CONFIGURATION", text ?? "The configuration of the platform is incomplete.");
}

function readAddress(reader: SettingReader, name: SettingName): string | undefined {
  const found = reader.find(name);
  if (!found) return undefined;
  const url = URL.parse(found.value);
  const problem = url ? problemOf(url) : "is not an absolute address";
  if (url && !problem) return withoutTrailingSlash(url.origin + url.pathname);
  reader.problems.push(`${found.origin} ${problem ?? ""}. Set it to an address such as https://api.example.com.`);
  return undefined;
}

function problemOf(url: URL): string | undefined {
  if (url.protocol !== "https:" && url.protocol !== "http:") return "is not an https address";
  if (url.protocol === "http:" && !isLoopback(url.hostname)) return "is plain http, which is for this machine (localhost) only";
  if (url.username || url.password) return "holds a user name or password";
  if (url.search || url.hash) return "has a query or a fragment";
  return undefined;
}

function readAudience(reader: SettingReader, name: SettingName): string | undefined {
  const found = reader.find(name);
  return found && withoutTrailingSlash(found.value);
}

/** `address` as it is compared and sent: the platform knows each address in one form only. */
export function withoutTrailingSlash(address: string): string {
  return address.replace(/\/+$/, "");
}

function readApiVersion(reader: SettingReader): Configuration["apiVersion"] {
  const found = reader.find("apiVersion");
  if (!found || found.value === "v2beta1") return "v2beta1";
  if (found.value !== "v2") reader.problems.push(`${found.origin} is not a version of the API. Set it to v2beta1 or v2.`);
  return "v2";
}

function readUid(reader: SettingReader, name: SettingName): string | undefined {
  const found = reader.find(name);
  if (!found) return undefined;
  if (!isUid(found.value)) reader.problems.push(`${found.origin} is not a uid. Correct it: ${uidRule}.`);
  return found.value;
}

function readFlag(reader: SettingReader, name: SettingName): boolean {
  const found = reader.find(name);
  const value = found?.value.toLowerCase();
  if (found && !["true", "1", "false", "0"].includes(value ?? "")) {
    reader.problems.push(`${found.origin} is neither true nor false. Set it to one of them.`);
  }
  return value === "true" || value === "1";
}
