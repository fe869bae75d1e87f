import { list } from "../client/printable";
import { rememberToken } from "../client/redact";
import type { Rehearsal } from "../client/rehearsal";
import { commandWords } from "./command-words";
import { isTokenWord } from "./jwt";
import { type Found, type Setting, type SettingName, type SettingReader, settings } from "./settings";

/** The source of an OIDC token to exchange. `origin` is its name in messages, a key or a variable. */
export type OidcTokenSource =
  | { readonly kind: "oidc-token"; readonly origin: string; readonly token: string }
  | { readonly kind: "oidc-token-file"; readonly origin: string; readonly path: string }
  | { readonly kind: "github-actions"; readonly origin: string; readonly requestUrl: string; readonly requestToken: string };

/** The one source of API tokens. */
export type CredentialSource =
  | OidcTokenSource
  | { readonly kind: "token"; readonly origin: string; readonly token: string }
  | { readonly kind: "command"; readonly origin: string; readonly words: readonly [string, ...string[]] };

/** True for an OIDC token, which is exchanged for an API token of the identity in the settings. */
export function isExchanged(source: CredentialSource): source is OidcTokenSource {
  return source.kind !== "token" && source.kind !== "command";
}

/** The settings that can be a source of credentials. One place may set only one. */
export const sourceNames = ["token", "oidcToken", "oidcTokenFile", "tokenCommand"] as const satisfies SettingName[];
type SourceName = (typeof sourceNames)[number];
type Candidate = Found & { readonly name: SourceName };

/** The variables of a GitHub Actions job with `permissions: id-token: write`. */
export const github = { url: "ACTIONS_ID_TOKEN_REQUEST_URL", token: "ACTIONS_ID_TOKEN_REQUEST_TOKEN" };

/**
 * Chooses the first source of credentials from the stack's configuration, the `PLATFORM_*` environment and the variables of GitHub Actions.
 * Adds a problem to `reader` if there is no source, or if one place has two.
 *
 * @param rehearsed its token is the only source in a rehearsal, whatever the settings name: no file is read and no command runs
 */
export function chooseSource(reader: SettingReader, rehearsed?: Rehearsal): CredentialSource | undefined {
  const candidates = (find: (name: SourceName) => Found | undefined): Candidate[] =>
    sourceNames.flatMap((name) => {
      const value = find(name);
      return value ? [{ ...value, name }] : [];
    });
  const configured = candidates((name) => reader.inConfiguration(name));
  const level = configured.length > 0 || rehearsed ? configured : candidates((name) => reader.inEnvironment(name));
  const [chosen, other] = level;
  if (other) {
    reader.problems.push(
      `Only one source of credentials may be set, but these are: ${list(level.map(({ origin }) => origin))}. Remove all but one.`,
    );
    return undefined;
  }
  if (rehearsed) {
    rememberToken(rehearsed.token);
    return { kind: "oidc-token", origin: "the rehearsal", token: rehearsed.token };
  }
  if (!chosen) {
    const source = githubActions(reader);
    if (!source) reader.problems.push(noSource(reader));
    return source;
  }
  return sourceOf(standIn(chosen, reader) ?? chosen, reader);
}

/** The token in the environment, which replaces the file in the stack's configuration. A pipeline may not have that file. */
function standIn(chosen: Candidate, reader: SettingReader): Candidate | undefined {
  const token = reader.inEnvironment("oidcToken");
  const identity = reader.inEnvironment("identity");
  const sameIdentity = !identity || identity.value === reader.inConfiguration("identity")?.value;
  const namesFile = chosen.origin === settings.oidcTokenFile.key;
  return token && namesFile && sameIdentity ? { ...token, name: "oidcToken" } : undefined;
}

function sourceOf({ name, value, origin }: Candidate, reader: SettingReader): CredentialSource | undefined {
  switch (name) {
    case "token":
    case "oidcToken":
      rememberToken(value);
      if (!isTokenWord(value)) {
        reader.problems.push(`${origin} is not one word. Set it to the token only, without "Bearer" and without line breaks.`);
        return undefined;
      }
      return { kind: name === "token" ? "token" : "oidc-token", origin, token: value };
    case "oidcTokenFile":
      return { kind: "oidc-token-file", origin, path: value };
    case "tokenCommand":
      return command(value, origin, reader);
  }
}

function command(value: string, origin: string, reader: SettingReader): CredentialSource | undefined {
  const words = commandWords(value);
  const [program, ...rest] = words ?? [];
  if (program) return { kind: "command", origin, words: [program, ...rest] };
  reader.problems.push(
    words
      ? `${origin} names no program: its first word is empty. Set it to a command that prints an API token.`
      : `${origin} has an unclosed quote or ends in a backslash. Close the quote, or put the word in single quotes.`,
  );
  return undefined;
}

function githubActions(reader: SettingReader): CredentialSource | undefined {
  const url = reader.variable(github.url);
  const token = reader.variable(github.token);
  if (!url || !token || !URL.canParse(url.value)) return undefined;
  rememberToken(token.value);
  return { kind: "github-actions", origin: "GitHub Actions", requestUrl: url.value, requestToken: token.value };
}

function noSource({ hasStack, own }: SettingReader): string {
  if (own.includes("baseUrl"))
    return (
      "No credentials: a Provider with its own baseUrl uses neither the stack's nor those of PLATFORM_*, which are for another platform. " +
      "Set its argument oidcTokenFile or tokenCommand; or, in GitHub Actions, give the job `permissions: id-token: write`."
    );
  const ways = sourceNames.map((name) => {
    const { key, environment, meaning }: Setting = settings[name];
    // The CLI rejects plain values of keys that contain "token" without the flag (docs/contributing/engine.md#plain-config-values).
    return `    ${environment}${key && hasStack ? `, or \`pulumi config set --plaintext ${key} ...\`` : ""}: ${meaning}`;
  });
  const actions = `    GitHub Actions (${github.url} and ${github.token}): give the job \`permissions: id-token: write\``;
  return ["No credentials: none of these is set. Set exactly one of them:", ...ways, actions].join("\n");
}
