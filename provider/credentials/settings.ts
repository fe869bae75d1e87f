/** One setting: where it may be given and what it means. */
export interface Setting {
  /** Full key in the stack's configuration; absent for a secret, which the engine would copy into state, and for what one run decides. */
  readonly key?: `platform:${string}`;
  /** Environment variable, read where the stack's configuration does not say. */
  readonly environment: `PLATFORM_${string}`;
  readonly meaning: string;
  readonly default?: string;
}

/** Every setting of the provider (DESIGN §8). Documentation and error messages are made from this table. */
export const settings = {
  baseUrl: { key: "platform:baseUrl", environment: "PLATFORM_BASE_URL", meaning: "API address" },
  authUrl: {
    key: "platform:authUrl",
    environment: "PLATFORM_AUTH_URL",
    meaning: "token-issuing address",
    default: "the API address",
  },
  audience: {
    key: "platform:audience",
    environment: "PLATFORM_AUDIENCE",
    meaning: "audience of the token exchange",
    default: "the API address",
  },
  apiVersion: {
    key: "platform:apiVersion",
    environment: "PLATFORM_API_VERSION",
    meaning: "`v2beta1` or `v2`",
    default: "v2beta1",
  },
  organization: {
    key: "platform:organization",
    environment: "PLATFORM_ORGANIZATION",
    meaning: "uid of the organisation's root group, for programs and commands",
  },
  identity: { key: "platform:identity", environment: "PLATFORM_IDENTITY", meaning: "uid of the identity to assume" },
  adopt: {
    key: "platform:adopt",
    environment: "PLATFORM_ADOPT",
    meaning: "whether resources take over what exists already",
    default: "false",
  },
  allowSelfLockout: {
    environment: "PLATFORM_ALLOW_SELF_LOCKOUT",
    meaning: "whether a run may remove the access that it runs with",
    default: "false",
  },
  token: { environment: "PLATFORM_TOKEN", meaning: "an API token as it is" },
  oidcToken: { environment: "PLATFORM_OIDC_TOKEN", meaning: "an OIDC token to exchange" },
  oidcTokenFile: {
    key: "platform:oidcTokenFile",
    environment: "PLATFORM_OIDC_TOKEN_FILE",
    meaning: "a file that holds the OIDC token, read again at each exchange",
  },
  tokenCommand: {
    key: "platform:tokenCommand",
    environment: "PLATFORM_TOKEN_COMMAND",
    meaning: "a command that prints an API token, run without a shell for at most 30 s",
  },
  oidcAudience: {
    key: "platform:oidcAudience",
    environment: "PLATFORM_OIDC_AUDIENCE",
    meaning: "audience asked of GitHub Actions; when given, an OIDC token without it is refused before it is sent",
    default: "the host of the token-issuing address",
  },
} as const satisfies Record<string, Setting>;

/** Name of a setting: the part of its key after `platform:`. */
export type SettingName = keyof typeof settings;

/** A value and where the person who reads an error can find it: a key or a variable. */
export interface Found {
  readonly value: string;
  readonly origin: string;
}

/** Looks settings up in a stack's configuration and in an environment, and collects what is wrong with them. */
export class SettingReader {
  readonly problems: string[] = [];

  constructor(
    private readonly configured: Readonly<Record<string, string | undefined>>,
    private readonly environment: NodeJS.ProcessEnv,
  ) {}

  /** What applies: configuration beats environment. */
  find(name: SettingName): Found | undefined {
    return this.inConfiguration(name) ?? this.inEnvironment(name);
  }

  inConfiguration(name: SettingName): Found | undefined {
    const { key }: Setting = settings[name];
    return key && found(this.configured[key], key);
  }

  inEnvironment(name: SettingName): Found | undefined {
    return this.variable(settings[name].environment);
  }

  /** Any environment variable. */
  variable(name: string): Found | undefined {
    return found(this.environment[name], name);
  }
}

/** An empty value counts as unset: pipelines pass unset variables on as empty ones. */
function found(value: string | undefined, origin: string): Found | undefined {
  const trimmed = value?.trim();
  return trimmed ? { value: trimmed, origin } : undefined;
}
