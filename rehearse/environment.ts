import { sourceNames } from "../provider/credentials/credential-source";
import { settings } from "../provider/credentials/settings";
import { nodeOptions, organizationVariable } from "./organization";

/** Settings of the reader, which the run itself must not have: its credentials, and the flag that it may only read. */
const ofReader: ReadonlySet<string> = new Set([
  ...sourceNames.map((name) => settings[name].environment),
  settings.readOnly.environment,
  settings.readOnlyIdentity.environment,
]);

/** Variables that name another backend or secret, attach other processes than those of the rehearsal, or log its secrets. */
const ofEngine =
  /^PULUMI_(ACCESS_TOKEN|BACKEND_URL|CONFIG|CONFIG_PASSPHRASE(_FILE)?|HOME|DEBUG_(PROVIDERS|LANGUAGES|GRPC)|CREDENTIALS_PATH|DIY_BACKEND_\w+|SELF_MANAGED_\w+|API|ESC_\w+)$/;

/** Variables of this package that no setting has, but that look like a credential. */
const secretLike = /^PLATFORM_\w*(TOKEN|SECRET|PASSWORD|CREDENTIAL|KEY)/;

/** Variables whose value is always a token. */
const tokenNames: ReadonlySet<string> = new Set([
  settings.token.environment,
  settings.oidcToken.environment,
  "ACTIONS_ID_TOKEN_REQUEST_TOKEN",
]);

/** The private places and values of a rehearsal. */
export interface Private {
  readonly home: string;
  /** The folder for temporary files. */
  readonly temporary: string;
  /** The folder of the backend. */
  readonly backend: string;
  readonly passphrase: string;
  /** The value of `PLATFORM_REHEARSAL`. */
  readonly rehearsal: string;
  /** The organisation of the real stack; undefined on backends without organisations. */
  readonly organization?: string | undefined;
}

/** The environment of an engine, of its providers and of the program: as the user's, without credentials for the platform. */
export function withoutCredentials(environment: NodeJS.ProcessEnv): Record<string, string> {
  const named = namedByCommand(environment[settings.tokenCommand.environment]);
  const isKept = (name: string) =>
    !ofReader.has(name) && !secretLike.test(name) && !name.startsWith("ACTIONS_ID_TOKEN_") && !named.has(name);
  const all = Object.entries(environment).filter((entry): entry is [string, string] => entry[1] !== undefined);
  // A pipeline often has the same token under a name of its own.
  const tokens = all.flatMap(([name, value]) => (isKept(name) || !isToken(name, value) ? [] : [value.trim()]));
  return Object.fromEntries(all.filter(([name, value]) => isKept(name) && !tokens.some((token) => value.includes(token))));
}

/** True for a value that is a token, and neither a path nor another setting. */
function isToken(name: string, value: string): boolean {
  return /^\s*eyJ[\w-]+\.[\w-]+\.[\w-]+\s*$/.test(value) || (tokenNames.has(name) && value.trim().length >= 8);
}

/** The environment of the engine of a rehearsal, whose places are all private. */
export function engineEnvironment(environment: NodeJS.ProcessEnv, own: Private): Record<string, string> {
  const kept = Object.entries(withoutCredentials(environment)).filter(([name]) => !ofEngine.test(name));
  return {
    ...Object.fromEntries(kept),
    PLATFORM_REHEARSAL: own.rehearsal,
    ...(own.organization !== undefined && {
      [organizationVariable]: own.organization,
      NODE_OPTIONS: nodeOptions(environment["NODE_OPTIONS"]),
    }),
    PULUMI_HOME: own.home,
    TMPDIR: own.temporary,
    TEMP: own.temporary,
    TMP: own.temporary,
    PULUMI_BACKEND_URL: `file://${own.backend}`,
    PULUMI_CONFIG_PASSPHRASE: own.passphrase,
    // A package without a provider here must fail by name, and must not be downloaded.
    PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION: "true",
    PULUMI_SKIP_UPDATE_CHECK: "true",
    PULUMI_SKIP_CHECKPOINTS: "true",
    PULUMI_DIY_BACKEND_DISABLE_CHECKPOINT_BACKUPS: "true",
    // The CLI has the flag `--event-log` only with this.
    PULUMI_DEBUG_COMMANDS: "true",
    NO_COLOR: "1",
  };
}

/** The words of the command that prints a token, which may name a variable: `printenv OTHER_TOKEN`. */
function namedByCommand(command: string | undefined): ReadonlySet<string> {
  const words = command === undefined ? [] : command.split(/[^\w]+/);
  return new Set(words.filter((word) => /^[A-Z]\w*[A-Z0-9]$/.test(word)));
}
