import { type ApiVersion, apiVersions } from "../client/api-version";
import { PlatformError } from "../client/errors";
import { isLoopback, maxConnections } from "../client/http";
import { rehearsal } from "../client/rehearsal";
import { isUid, uidRule } from "../client/uid";
import { withoutTrailingSlash } from "./addresses";
import { breakGlassIn } from "./break-glass";
import { chooseSource, type CredentialSource, isExchanged } from "./credential-source";
import { misplacedKeys, misplacedTokens, misspeltVariables } from "./misplaced-keys";
import { overriddenIn } from "./overridden";
import { settingName, type SettingName, SettingReader, settings } from "./settings";

/** All settings, checked and with their defaults. Addresses and audiences have no trailing slash. */
export interface Configuration {
  readonly baseUrl: string;
  readonly authUrl: string;
  /** `aud` of the token exchange. */
  readonly audience: string;
  /** `auto`: the platform is asked for the version that it serves. */
  readonly apiVersion: ApiVersion | "auto";
  readonly organization?: string;
  /** Whether every change is rejected before it is sent. */
  readonly readOnly: boolean;
  /** Uid of the identity to assume; absent leaves the choice to the platform. */
  readonly identity?: string;
  /** Default of the resources' `adopt`. */
  readonly adopt: boolean;
  /** Whether a run may remove the access that it runs with. */
  readonly allowSelfLockout: boolean;
  /** Whether a run may overwrite changes of others since the last run. */
  readonly overwrite: boolean;
  /** Whether a run may change objects of another organisation than {@link organization}. */
  readonly allowOtherOrganization: boolean;
  /** Uids of identities marked as break-glass. */
  readonly breakGlass: readonly string[];
  /** Maximum number of concurrent requests. */
  readonly concurrency: number;
  readonly credentials: CredentialSource;
  /** Audience to request from GitHub Actions. */
  readonly oidcAudience: string;
  /** True when {@link oidcAudience} is set: an OIDC token without it is then rejected. */
  readonly oidcAudienceExplicit: boolean;
  /** False for a command, which reads only the environment, so that its messages name no keys of a stack. */
  readonly hasStack: boolean;
  /** Sentences about variables without effect. Absent if every variable has one. */
  readonly overridden?: readonly string[];
}

/**
 * Reads the configuration from the keys and values of a stack (such as `platform:baseUrl`; other namespaces are ignored) and from the
 * environment. Reads no file and sends nothing. In a rehearsal the credentials are those of the copy, and nothing makes the run read-only.
 *
 * @param configured undefined without a stack
 * @param own names of the arguments of an explicit provider, whose identity may differ from that of the environment
 * @throws PlatformError `CONFIGURATION` with all problems at once. No message contains the value of a setting.
 */
export function readConfiguration(
  configured: Readonly<Record<string, string | undefined>> | undefined,
  environment: NodeJS.ProcessEnv,
  own: readonly string[] = [],
): Configuration {
  const rehearsed = rehearsal(environment);
  const reader = new SettingReader(configured, environment, own);
  reader.problems.push(...misplacedKeys(configured ?? {}), ...misplacedTokens(environment), ...misspeltVariables(environment));
  if (!reader.find("baseUrl")) reader.problems.push(noAddress(reader));
  const baseUrl = readAddress(reader, "baseUrl");
  const authUrl = readAddress(reader, "authUrl") ?? baseUrl;
  const apiVersion = readApiVersion(reader);
  const organization = readUid(reader, "organization");
  // The copy accepts the identity that runs `pulumi up`.
  const readOnly = readFlag(reader, "readOnly") && rehearsed === undefined;
  const readOnlyIdentity = readUid(reader, "readOnlyIdentity");
  const identity = identityOf(reader, readUid(reader, "identity"), readOnly ? readOnlyIdentity : undefined);
  const adopt = readFlag(reader, "adopt");
  const allowSelfLockout = readFlag(reader, "allowSelfLockout");
  const overwrite = readFlag(reader, "overwrite");
  const allowOtherOrganization = readFlag(reader, "allowOtherOrganization");
  const breakGlass = breakGlassIn(reader);
  const concurrency = readConcurrency(reader);
  verifyLog(reader);
  const credentials = chooseSource(reader, rehearsed);
  if (readOnly && credentials && isExchanged(credentials)) verifyReadOnlyIdentity(reader);
  if (reader.problems.length > 0 || !baseUrl || !authUrl || !credentials) throw invalid(reader.problems);
  const oidcAudience = readAudience(reader, "oidcAudience");
  const overridden = rehearsed === undefined ? overriddenIn(reader, credentials.origin) : [];
  return {
    baseUrl,
    authUrl,
    audience: readAudience(reader, "audience") ?? baseUrl,
    apiVersion,
    ...(organization && { organization }),
    readOnly,
    ...(identity && { identity }),
    adopt,
    allowSelfLockout,
    overwrite,
    allowOtherOrganization,
    breakGlass,
    concurrency,
    credentials,
    oidcAudience: oidcAudience ?? new URL(authUrl).host,
    oidcAudienceExplicit: oidcAudience !== undefined && rehearsed === undefined,
    hasStack: reader.hasStack,
    ...(overridden.length > 0 && { overridden }),
  };
}

function noAddress({ hasStack }: SettingReader): string {
  const { key, environment } = settings.baseUrl;
  return hasStack
    ? `No API address. Set it with \`pulumi config set ${key} https://...\`, or in ${environment}.`
    : `No API address. Set ${environment} to it.`;
}

function invalid(problems: string[]): PlatformError {
  const [first = "The configuration is incomplete.", ...others] = problems;
  const text = others.length === 0 ? first : ["The platform's configuration has several problems:", ...problems].join("\n- ");
  return new PlatformError("CONFIGURATION", text);
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
  if (url.username || url.password) return "contains a user name or password";
  if (url.search || url.hash) return "has a query or a fragment";
  return undefined;
}

function readAudience(reader: SettingReader, name: SettingName): string | undefined {
  const found = reader.find(name);
  return found && withoutTrailingSlash(found.value);
}

function readApiVersion(reader: SettingReader): Configuration["apiVersion"] {
  const found = reader.find("apiVersion");
  if (!found) return "v2beta1";
  const version = [...apiVersions, "auto" as const].find((each) => each === found.value);
  if (version === undefined) {
    reader.problems.push(`${found.origin} is not a version of the API. Set it to v2beta1, v2 or auto.`);
  }
  return version ?? "v2beta1";
}

function readUid(reader: SettingReader, name: SettingName): string | undefined {
  const found = reader.find(name);
  if (!found) return undefined;
  if (!isUid(found.value)) reader.problems.push(`${found.origin} is not a uid. Correct it: ${uidRule}.`);
  return found.value;
}

/**
 * The identity to assume. All other settings of the stack override the environment, but for this one a difference is an error. The pipeline
 * asked for one identity, and another may be allowed to write.
 *
 * @param readOnlyIdentity replaces `identity` in a run that may only read
 */
function identityOf(reader: SettingReader, identity?: string, readOnlyIdentity?: string): string | undefined {
  const [configured, asked] = [reader.inConfiguration("identity"), reader.inEnvironment("identity")];
  const applies = readOnlyIdentity ?? identity;
  if (configured && asked && asked.value !== configured.value && asked.value !== applies && !reader.own.includes("identity")) {
    reader.problems.push(
      `${asked.origin} and ${configured.origin} name different identities. Unset ${asked.origin}, or remove the key with ` +
        `\`pulumi config rm ${configured.origin}\` and set the variable in every run. For previews that may only read, set ` +
        `${settings.readOnlyIdentity.key} in the configuration and ${settings.readOnly.environment}=true in the run.`,
    );
  }
  return applies;
}

/** Requires an identity for a read-only run. By default such a run must not assume the identity that applies changes. */
function verifyReadOnlyIdentity(reader: SettingReader): void {
  if (reader.find("readOnlyIdentity") ?? (reader.inConfiguration("identity") ? undefined : reader.inEnvironment("identity")))
    return;
  reader.problems.push(
    `${settings.readOnly.environment} is set, but no identity for runs that may only read. Set ${settingName("readOnlyIdentity", reader)} to its uid.`,
  );
}

function readFlag(reader: SettingReader, name: SettingName): boolean {
  const found = reader.find(name);
  const value = found?.value.toLowerCase();
  if (found && !["true", "1", "false", "0"].includes(value ?? "")) {
    reader.problems.push(`${found.origin} is neither true nor false. Set it to true or false.`);
  }
  return value === "true" || value === "1";
}

function readConcurrency(reader: SettingReader): number {
  const found = reader.find("concurrency");
  if (!found) return maxConnections;
  const value = /^\d{1,3}$/.test(found.value) ? Number(found.value) : 0;
  if (value < 1 || value > maxConnections)
    reader.problems.push(`${found.origin} is not a whole number from 1 to ${maxConnections}. Set it to a number in that range.`);
  return value;
}

/** The trace reads the variable itself. A misspelt value must not silently turn the trace off. */
function verifyLog(reader: SettingReader): void {
  const found = reader.find("log");
  if (found && found.value !== "debug") reader.problems.push(`${found.origin} is not a log level. Set it to debug, or unset it.`);
}
