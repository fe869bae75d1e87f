import type { ApiVersion } from "../client/api-version";
import { maxConnections } from "../client/http";
import { logVariable } from "../client/trace";

/** One setting, with its places and its meaning. */
export interface Setting {
  /**
   * Full key in the stack's configuration. Absent for secrets, which the engine would copy into state, and for settings of a single run.
   */
  readonly key?: `platform:${string}`;
  /** Environment variable, read if the stack's configuration does not set the key. */
  readonly environment: `PLATFORM_${string}`;
  readonly meaning: string;
  readonly default?: string;
  /** The type of the argument of this name of an explicit provider, which shares the doc comment of the setting. Default: no argument. */
  readonly argument?: "text" | "version" | "flag" | "number";
}

/**
 * Every setting of the provider. The arguments of an explicit provider, `schema.json` and error messages are made from it, and tests
 * compare the documentation with it.
 */
export const settings = {
  /**
   * API address of the platform. With it, neither the stack's configuration nor the platform, identity and credentials of the
   * `PLATFORM_*` variables apply to this provider. Default: the platform of the stack.
   */
  baseUrl: { key: "platform:baseUrl", environment: "PLATFORM_BASE_URL", meaning: "API address", argument: "text" },
  /** Token-issuing address. Default: `baseUrl`. */
  authUrl: {
    key: "platform:authUrl",
    environment: "PLATFORM_AUTH_URL",
    meaning: "token-issuing address",
    default: "the API address",
    argument: "text",
  },
  /** Audience of the token exchange. Default: `baseUrl`. */
  audience: {
    key: "platform:audience",
    environment: "PLATFORM_AUDIENCE",
    meaning: "audience of the token exchange",
    default: "the API address",
    argument: "text",
  },
  /** Version of the API; `auto` asks the platform which it serves. Default: `v2beta1`. */
  apiVersion: {
    key: "platform:apiVersion",
    environment: "PLATFORM_API_VERSION",
    meaning: "`v2beta1`, `v2`, or `auto`: ask the platform once per run which one it serves",
    default: "v2beta1",
    argument: "version",
  },
  /** Uid of the root group of the organisation that this provider manages. Default: the one of its own identity, else of the stack. */
  organization: {
    key: "platform:organization",
    environment: "PLATFORM_ORGANIZATION",
    meaning: "uid of the organisation's root group, for programs and commands; a run changes nothing in another organisation",
    argument: "text",
  },
  /** Uid of the identity to assume. It needs an OIDC token: an API token acts as the identity that it was issued for. */
  identity: {
    key: "platform:identity",
    environment: "PLATFORM_IDENTITY",
    meaning: "uid of the identity to assume",
    argument: "text",
  },
  /** Uid of the identity to assume instead in runs with `PLATFORM_READ_ONLY`. Default: that of the stack, on the same platform. */
  readOnlyIdentity: {
    key: "platform:readOnlyIdentity",
    environment: "PLATFORM_READ_ONLY_IDENTITY",
    meaning: "uid of the identity to assume instead in runs with `PLATFORM_READ_ONLY`",
    argument: "text",
  },
  readOnly: {
    environment: "PLATFORM_READ_ONLY",
    meaning: "whether this run may only read: every change is rejected before it is sent",
    default: "false",
  },
  /** Whether resources of this provider adopt existing objects that equal the declaration. Default: false. */
  adopt: {
    key: "platform:adopt",
    environment: "PLATFORM_ADOPT",
    meaning: "whether resources take over objects that already exist",
    default: "false",
    argument: "flag",
  },
  allowSelfLockout: {
    environment: "PLATFORM_ALLOW_SELF_LOCKOUT",
    meaning: "whether a run may remove the access that it runs with",
    default: "false",
  },
  overwrite: {
    environment: "PLATFORM_OVERWRITE",
    meaning: "whether a run may overwrite what somebody else has changed since the last one",
    default: "false",
  },
  allowOtherOrganization: {
    environment: "PLATFORM_ALLOW_OTHER_ORGANIZATION",
    meaning: "whether a run may change objects of another organisation than that of `platform:organization`",
    default: "false",
  },
  breakGlass: {
    key: "platform:breakGlass",
    environment: "PLATFORM_BREAK_GLASS",
    meaning:
      "uids of break-glass identities, separated by commas: `review`, `rehearse` and `drift` rank any loss of theirs as critical",
  },
  /** Maximum number of concurrent requests of this provider, 1 to 64. Default: `PLATFORM_CONCURRENCY`, else 64. */
  concurrency: {
    key: "platform:concurrency",
    environment: "PLATFORM_CONCURRENCY",
    meaning: `maximum number of concurrent requests, 1 to ${maxConnections}; lowered after a 429`,
    default: String(maxConnections),
    argument: "number",
  },
  log: { environment: logVariable, meaning: "`debug` traces every request to stderr, without secrets" },
  token: { environment: "PLATFORM_TOKEN", meaning: "an API token, used as is" },
  oidcToken: { environment: "PLATFORM_OIDC_TOKEN", meaning: "an OIDC token to exchange" },
  /** Path of a file that contains the OIDC token; it is read again at each exchange. */
  oidcTokenFile: {
    key: "platform:oidcTokenFile",
    environment: "PLATFORM_OIDC_TOKEN_FILE",
    meaning: "a file that contains the OIDC token, read at each exchange",
    argument: "text",
  },
  /** Command that prints an API token, split into words without a shell: `printenv OTHER_PLATFORM_TOKEN`. */
  tokenCommand: {
    key: "platform:tokenCommand",
    environment: "PLATFORM_TOKEN_COMMAND",
    meaning: "a command that prints an API token, run without a shell for at most 30 s",
    argument: "text",
  },
  /** Audience to request from GitHub Actions. Default: the host of `authUrl`. */
  oidcAudience: {
    key: "platform:oidcAudience",
    environment: "PLATFORM_OIDC_AUDIENCE",
    meaning: "audience to request from GitHub Actions; when set, an OIDC token without it is rejected before it is sent",
    default: "the host of the token-issuing address",
    argument: "text",
  },
} as const satisfies Record<string, Setting>;

/** Name of a setting: the part of its key after `platform:`. */
export type SettingName = keyof typeof settings;

/** The settings that an explicit provider takes as arguments. */
type Arguments = Pick<
  typeof settings,
  { [Name in SettingName]: (typeof settings)[Name] extends { argument: string } ? Name : never }[SettingName]
>;

/** The types of the arguments of an explicit provider. */
interface ArgumentTypes {
  text: string;
  version: ApiVersion | "auto";
  flag: boolean;
  number: number;
}

/** The arguments of an explicit provider, as plain values. */
export type ProviderArguments = { -readonly [Name in keyof Arguments]?: ArgumentTypes[Arguments[Name]["argument"]] };

/** The type of each argument of an explicit provider. */
export const argumentTypes = new Map(
  Object.entries<Setting>(settings).flatMap(([name, { argument }]) =>
    argument === undefined ? [] : [[name, argument] as const],
  ),
);

/** A value and its origin, which is a key or a variable. */
export interface Found {
  readonly value: string;
  readonly origin: string;
}

/** The places of a setting, for messages: `platform:authUrl (PLATFORM_AUTH_URL)`, or only the variable without a stack. */
export function settingName(name: SettingName, { hasStack }: { readonly hasStack: boolean }): string {
  const { key, environment }: Setting = settings[name];
  return key && hasStack ? `${key} (${environment})` : environment;
}

/** Looks up settings in a stack's configuration and in an environment, and collects the problems. */
export class SettingReader {
  readonly problems: string[] = [];
  /** False for a command, which reads only the environment. */
  readonly hasStack: boolean;

  constructor(
    private readonly configured: Readonly<Record<string, string | undefined>> | undefined,
    private readonly environment: NodeJS.ProcessEnv,
    /** Names of the arguments of an explicit provider. */
    readonly own: readonly string[] = [],
  ) {
    this.hasStack = configured !== undefined;
  }

  /** The effective value. The configuration precedes the environment. */
  find(name: SettingName): Found | undefined {
    return this.inConfiguration(name) ?? this.inEnvironment(name);
  }

  inConfiguration(name: SettingName): Found | undefined {
    const { key }: Setting = settings[name];
    return key && found(this.configured?.[key], key);
  }

  inEnvironment(name: SettingName): Found | undefined {
    return this.variable(settings[name].environment);
  }

  /** Any environment variable. */
  variable(name: string): Found | undefined {
    return found(this.environment[name], name);
  }
}

/** An empty value is treated as unset, because pipelines pass unset variables on as empty. */
function found(value: string | undefined, origin: string): Found | undefined {
  const trimmed = value?.trim();
  return trimmed ? { value: trimmed, origin } : undefined;
}
