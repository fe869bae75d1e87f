import { Option } from "commander";
import type { PlatformClient } from "../../provider/client/client";
import { type Configuration, connect, readConfiguration } from "../../provider/credentials";
import { PlatformError, platformErrorAs } from "../../provider/client/errors";
import { literal } from "../../provider/client/printable";
import { selectedStack, stackConfiguration } from "./stack";
import { heed, verdictOn } from "./verdict";

/** The settings of a command. */
export interface Settings {
  /** The stack whose configuration precedes the environment; undefined if only the environment applies. */
  readonly stack: string | undefined;
  /** Its configuration, by keys such as `platform:baseUrl`. */
  readonly configured: Readonly<Record<string, string | undefined>> | undefined;
  readonly configuration: Configuration;
}

/** The settings of a command, and a client of the platform with them. */
export interface Connection {
  readonly configuration: Configuration;
  readonly client: PlatformClient;
}

/** The common part of the descriptions of all commands that read the platform. */
export const settingsText =
  "Address and credentials come from the environment (PLATFORM_BASE_URL, PLATFORM_TOKEN and so on), or from a stack: with --stack, and\n" +
  "in a Pulumi project without PLATFORM_BASE_URL, where it is the selected one.";

/** The option `--stack`, which names the stack with the address and credentials to use in all commands. */
export function stackOption(): Option {
  return new Option("--stack <STACK>", "take address and credentials as a run of this stack does: its configuration comes first");
}

/**
 * The stack whose configuration a command uses. It is the stack of `--stack`, otherwise the selected one, which is announced. An
 * environment that names a platform precedes the selected stack as a whole. Its credentials are never combined with the address of a stack
 * that nobody named.
 *
 * @param isMeant false if the selected stack is unrelated to the input of the command. Default: true
 */
export async function stackInUse(
  named: string | undefined,
  isMeant: (selected: string) => boolean = () => true,
): Promise<string | undefined> {
  if (named !== undefined || process.env["PLATFORM_BASE_URL"]?.trim()) return named;
  const selected = await selectedStack();
  if (selected === undefined || !isMeant(selected)) return undefined;
  process.stderr.write(`Using the selected stack ${literal(selected)}. Pass --stack for another one.\n`);
  return selected;
}

/**
 * The settings of a command.
 *
 * @param named the value of `--stack`. Default: see {@link stackInUse}
 * @throws PlatformError `CONFIGURATION`
 */
export async function settingsFor(named?: string): Promise<Settings> {
  return settingsOf(await stackInUse(named));
}

/**
 * The settings of a command that only reads, from a stack or, without one, from the environment.
 *
 * @throws PlatformError `CONFIGURATION`
 */
export async function settingsOf(stack: string | undefined): Promise<Settings> {
  const configured = stack === undefined ? undefined : await stackConfiguration(stack);
  const configuration = readConfiguration(configured, process.env);
  heed(verdictOn(configured, process.env, "read"));
  return { stack, configured, configuration };
}

/** Warns once about the settings of a stack, for a command whose checks are separate processes. Each check reports its own errors. */
export async function warnOfSettings(stack: string | undefined): Promise<void> {
  if (stack === undefined) return;
  const verdict = verdictOn(await stackConfiguration(stack).catch(platformErrorAs(() => undefined)), process.env, "read");
  if (verdict.is === "warning") heed(verdict);
}

/**
 * Connects a command with the platform.
 *
 * @param named the value of `--stack`. Default: see {@link stackInUse}
 * @throws PlatformError `CONFIGURATION`
 */
export async function connection(named?: string): Promise<Connection> {
  const { configuration } = await settingsFor(named);
  return { configuration, client: connect(configuration) };
}

/**
 * The organisation of a command.
 *
 * @param option that names a group instead. Default: a uid needs no organisation
 * @throws PlatformError `INVALID_INPUT` if no setting names it
 */
export function organizationOf({ organization, hasStack }: Configuration, option?: string): string {
  if (organization !== undefined) return organization;
  const setting = hasStack ? "platform:organization" : "PLATFORM_ORGANIZATION";
  const way =
    option === undefined ? `Set ${setting}, or pass a uid, which needs none` : `Pass ${option} GROUP, or set ${setting}`;
  throw new PlatformError("INVALID_INPUT", `Which organisation? ${way}.`);
}
