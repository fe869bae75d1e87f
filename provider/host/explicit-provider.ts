import { PlatformError } from "../client/errors";
import { organizationOf, parentOf } from "../client/uid";
import { type Configuration, isExchanged, readConfiguration } from "../credentials";
import { settings as declared, type SettingName } from "../credentials/settings";

/** The configuration of the stack or of an explicit provider, with full keys: `platform:baseUrl`. */
export type Settings = Readonly<Record<string, string | undefined>>;

/** The key with the names of an explicit provider's own arguments, separated by commas. All other inputs come from the stack. */
export const ownArguments = "platform:arguments";

/** The credential sources among the arguments. An argument replaces the sources of the stack. */
export const sourceArguments = ["oidcTokenFile", "tokenCommand"] as const satisfies SettingName[];

const credentials: readonly SettingName[] = ["token", "oidcToken", ...sourceArguments];

/** The variables that describe the run instead of the platform. Errors of any provider suggest them for one run. */
const ofTheRun: readonly SettingName[] = [
  "adopt",
  "allowOtherOrganization",
  "allowSelfLockout",
  "concurrency",
  "log",
  "overwrite",
  "readOnly",
];

const ofThePlatform = (Object.keys(declared) as SettingName[]).filter((name) => !ofTheRun.includes(name));

/**
 * The configuration of the stack, or of an explicit provider. A provider with its own address excludes the platform settings in
 * `PLATFORM_*`, because the identity would not exist there, and the token must not be sent there. A provider with its own credentials
 * excludes those of the environment, so that no token of the stack replaces a file that the program names.
 *
 * @throws PlatformError `CONFIGURATION`
 */
export function configurationOf(configured: Settings, environment: NodeJS.ProcessEnv): Configuration {
  const { [ownArguments]: own, ...settings } = configured;
  const named = own?.split(",").filter(Boolean) ?? [];
  // A provider sets all keys that it lists. In a stack, this key is a mistake.
  if (named.some((name) => settings[`platform:${name}`] === undefined)) throw notASetting();
  const hasSource = sourceArguments.some((source) => named.includes(source));
  const excluded = named.includes("baseUrl") ? ofThePlatform : hasSource ? credentials : [];
  const variables = new Set<string>(excluded.map((name) => declared[name].environment));
  const applied = Object.fromEntries(Object.entries(environment).filter(([name]) => !variables.has(name)));
  const configuration = readConfiguration(settings, applied, named);
  if (named.includes("identity")) verifyCanAssume(configuration);
  return configuration;
}

/**
 * Uid of a group in the organisation that a provider manages; undefined if it may manage any. An explicit provider with an identity of
 * another organisation manages that organisation.
 */
export function managedOrganization(configured: Settings, { organization }: Configuration): string | undefined {
  const named = (configured[ownArguments] ?? "").split(",");
  const identity = configured["platform:identity"]?.trim();
  const isOther = named.includes("identity") && !named.includes("organization") && !named.includes("baseUrl");
  // A person belongs to no organisation.
  return isOther && identity !== undefined && parentOf(identity) !== undefined ? organizationOf(identity) : organization;
}

function notASetting(): PlatformError {
  const problem = `${ownArguments} is not a setting. Remove it with \`pulumi config rm ${ownArguments}\`.`;
  return new PlatformError("CONFIGURATION", problem);
}

/** A ready-made API token acts as the identity for which it was issued, regardless of the program. */
function verifyCanAssume({ credentials }: Configuration): void {
  if (isExchanged(credentials)) return;
  throw new PlatformError(
    "CONFIGURATION",
    `The argument identity of a Provider has no effect: the API token of ${credentials.origin} already acts as an identity. Nothing was sent. ` +
      "Set oidcTokenFile to assume the identity with an OIDC token, or remove identity.",
  );
}
