import { PlatformError } from "../../provider/client/errors";
import { list, literal, options } from "../../provider/client/printable";
import { withoutTrailingSlash } from "../../provider/credentials/addresses";
import { chooseSource, github, isExchanged, sourceNames } from "../../provider/credentials/credential-source";
import { type Found, type Setting, SettingReader, settings } from "../../provider/credentials/settings";

/**
 * The work of a command besides reading the platform. `program` runs the program of the stack, and so the code of its author. `file`
 * reviews a preview that another job may have made, and must run no code of the author of the stack's configuration. `read` only reads.
 */
export type Use = "program" | "file" | "read";

/** Whether a command may send credentials to the address in the configuration of a stack. */
export type Verdict = { readonly is: "ok" } | { readonly is: "warning" | "error"; readonly text: string };

type Configured = Readonly<Record<string, string | undefined>> | undefined;

const deadline = "The next release makes this an error.";

/**
 * Decides whether the settings of a stack may be used. A pull request can change these settings, while the environment and its credentials
 * belong to the job. Therefore an address in the environment excludes any other. Where no code of the pull request runs, the environment
 * must name the address and must allow a command.
 *
 * @param configured undefined without a stack
 */
// See docs/decisions/0051-the-environment-says-where-credentials-go.md.
export function verdictOn(configured: Configured, environment: NodeJS.ProcessEnv, use: Use): Verdict {
  if (configured === undefined) return { is: "ok" };
  const reader = new SettingReader(configured, environment);
  const error = otherAddress(reader) ?? (use === "file" ? (unnamedAddress(reader) ?? unknownCommand(reader)) : undefined);
  if (error !== undefined) return { is: "error", text: error };
  const warning = use === "read" ? warningOn(reader) : undefined;
  return warning === undefined ? { is: "ok" } : { is: "warning", text: warning };
}

/** Throws an error, and writes a warning to standard error. @throws PlatformError `CONFIGURATION` */
export function heed(verdict: Verdict): void {
  if (verdict.is === "error") throw new PlatformError("CONFIGURATION", verdict.text);
  if (verdict.is === "warning") process.stderr.write(`Warning: ${verdict.text}\n`);
}

/** The error if the stack and the environment name different addresses. */
function otherAddress(reader: SettingReader): string | undefined {
  const pinned = reader.inEnvironment("baseUrl");
  const tokens = reader.inEnvironment("authUrl") ?? (isSentForTokens(reader) ? pinned : undefined);
  const [base, auth] = [reader.inConfiguration("baseUrl"), reader.inConfiguration("authUrl")];
  const others = [
    ...(base && pinned && isOther(base, pinned) ? [{ is: base, named: pinned, variable: settings.baseUrl.environment }] : []),
    ...(auth && tokens && isOther(auth, tokens) ? [{ is: auth, named: tokens, variable: settings.authUrl.environment }] : []),
  ];
  if (others.length === 0) return undefined;
  const texts = others.map(({ is, named }) => `${is.origin} is ${shown(is)}, ${named.origin} is ${shown(named)}`);
  const keys = others.map(({ is }) => is.origin);
  return (
    `The stack has another address than the environment of this run: ${texts.join("; ")}. Nothing was sent.` +
    options([
      `If the environment is right, correct ${list(keys)} of the stack, or remove it: ${keys.map((key) => `\`pulumi config rm ${key}\``).join(", ")}.`,
      `If the stack is right, set ${list(others.map(({ variable }) => variable))} to its address.`,
    ])
  );
}

/** Whether credentials are exchanged for a token, and so are sent to the token-issuing address. */
function isSentForTokens(reader: SettingReader): boolean {
  const source = chooseSource(reader);
  return source === undefined || isExchanged(source);
}

/** The error if only the stack names the platform that receives credentials. */
function unnamedAddress(reader: SettingReader): string | undefined {
  if (!isUnnamed(reader)) return undefined;
  return (
    "Only the configuration of the stack says where the platform is, and a pull request may have written it. Nothing was sent." +
    options([`Set ${missing(reader)} in the environment, beside the credentials.`, offline])
  );
}

const offline = "Review the preview alone: --offline.";

/** The error if the stack names a command that the environment does not allow. */
function unknownCommand(reader: SettingReader): string | undefined {
  if (!isUnknownCommand(reader)) return undefined;
  const { key, environment } = settings.tokenCommand;
  return (
    `${key} of the stack is a command that a pull request may have written. Nothing was run or sent.` +
    options([
      `Set ${environment} to the same text, which allows it.`,
      `Remove it from the stack with \`pulumi config rm ${key}\`, and give the credentials in the environment.`,
      offline,
    ])
  );
}

/** The warning of commands that only read, if the environment gives a part of the settings and the stack the rest. */
function warningOn(reader: SettingReader): string | undefined {
  const source = chooseSource(reader);
  const isOwn = source !== undefined && !isOfStack(source.origin);
  if (isUnnamed(reader) && isOwn)
    return (
      `A pull request can change the configuration of the stack, whose address receives the credentials of ${source.origin}. ` +
      `Set ${missing(reader)} beside them. ${deadline}`
    );
  const { key, environment } = settings.tokenCommand;
  if (!isUnknownCommand(reader) || !isSet(reader)) return undefined;
  return (
    `${key} of the stack, which a pull request can change, is a command that the environment does not allow. ` +
    `Set ${environment} to the same text. ${deadline}`
  );
}

function isUnnamed(reader: SettingReader): boolean {
  return reader.inConfiguration("baseUrl") !== undefined && reader.inEnvironment("baseUrl") === undefined;
}

function isUnknownCommand(reader: SettingReader): boolean {
  const command = reader.inConfiguration("tokenCommand");
  return command !== undefined && command.value !== reader.inEnvironment("tokenCommand")?.value;
}

/** True if the environment names a platform or has credentials for one. */
function isSet(reader: SettingReader): boolean {
  const names = ["baseUrl", ...sourceNames] as const;
  return names.some((name) => reader.inEnvironment(name) !== undefined) || reader.variable(github.token) !== undefined;
}

/** The variables for settings that only the stack has: `PLATFORM_BASE_URL and PLATFORM_AUTH_URL`. */
function missing(reader: SettingReader): string {
  const names = (["baseUrl", "authUrl"] as const).filter(
    (name) => reader.inConfiguration(name) !== undefined && reader.inEnvironment(name) === undefined,
  );
  return list(names.map((name) => settings[name].environment));
}

function isOfStack(origin: string): boolean {
  return sourceNames.some((name) => (settings[name] as Setting).key === origin);
}

function isOther(one: Found, other: Found): boolean {
  return canonical(one.value) !== canonical(other.value);
}

/** An address in the form for comparison, without case of the host, default port and trailing slashes. */
function canonical(address: string): string | undefined {
  const url = URL.parse(address);
  return url === null ? undefined : withoutTrailingSlash(url.origin + url.pathname);
}

function shown({ value }: Found): string {
  const address = canonical(value);
  return address === undefined ? "no address" : literal(address);
}
