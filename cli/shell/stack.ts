import { execFile } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { z } from "zod";
import { decodedText } from "../../provider/client/decoded-text";
import { messageOf, PlatformError, platformErrorAs } from "../../provider/client/errors";
import { asSentence, literal, options, printable } from "../../provider/client/printable";
import { projectFile } from "../../provider/credentials/project-file";
import { valueOf } from "./files";
import { yaml } from "./yaml";

/** States of large organisations take tens of megabytes. */
const maxOutput = 1024 ** 3;

const configuration = z.record(z.string(), z.looseObject({ value: z.string().optional(), secret: z.boolean().optional() }));

/**
 * The configuration of a stack of the program in the working directory, by keys such as `platform:baseUrl`. Values are decrypted only if an
 * encrypted value is a setting, because a run of the stack sees that value too and rejects a token.
 *
 * @throws PlatformError `CONFIGURATION`
 */
export async function stackConfiguration(stack: string): Promise<Record<string, string | undefined>> {
  const what = `Read the configuration of stack ${literal(stack)}`;
  const read = async (...flags: string[]) => {
    const { data, error } = configuration.safeParse(
      valueOf(await pulumi(what, ["config", "--json", "--stack", stack, ...flags])),
    );
    if (error !== undefined)
      throw new PlatformError("CONFIGURATION", `${what}: the Pulumi CLI printed something unexpected. Update it.`);
    return Object.entries(data);
  };
  const shown = await read();
  const isHidden = shown.some(([key, { secret }]) => key.startsWith("platform:") && secret === true);
  return Object.fromEntries((isHidden ? await read("--show-secrets") : shown).map(([key, { value }]) => [key, value]));
}

/**
 * The text of a stack's state, which is the output of `pulumi stack export` with encrypted secrets.
 *
 * @throws PlatformError `CONFIGURATION`
 */
export async function stackState(stack: string): Promise<string> {
  return pulumi(`Read the state of stack ${literal(stack)}`, ["stack", "export", "--stack", stack]);
}

/**
 * The configuration of a stack with its secrets in plain text, as `pulumi config --json` prints it.
 *
 * @throws PlatformError `CONFIGURATION`
 */
export async function plainConfiguration(stack: string): Promise<string> {
  const what = `Read the configuration of stack ${literal(stack)}`;
  return pulumi(what, ["config", "--json", "--show-secrets", "--stack", stack]);
}

/**
 * The text of a stack's state with its secrets in plain text.
 *
 * @throws PlatformError `CONFIGURATION`
 */
export async function plainState(stack: string): Promise<string> {
  return pulumi(`Read the state of stack ${literal(stack)}`, ["stack", "export", "--show-secrets", "--stack", stack]);
}

/** The address of the backend of the project. @throws PlatformError `CONFIGURATION` */
export async function backendAddress(): Promise<string> {
  const { url } = z.looseObject({ url: z.string() }).parse(valueOf(await pulumi("Read the backend", ["whoami", "--json"])));
  return url;
}

/** The file with the configuration of a stack; undefined if there is none. @param stack without its organisation and project */
export function stackFile(stack: string): string | undefined {
  const project = projectFile();
  if (project === undefined) return undefined;
  const [named] = inProject("stackconfigdir").filter((folder) => typeof folder === "string");
  const folder = path.resolve(path.dirname(project), named ?? ".");
  const files = ["yaml", "yml", "json"].map((type) => path.join(folder, `Pulumi.${stack}.${type}`));
  return files.find((file) => existsSync(file));
}

/**
 * Removes a resource from the state of a stack, without any request to the platform.
 *
 * @throws PlatformError `CONFIGURATION`, for example if the resource is protected or others depend on it
 */
export async function removeFromState(stack: string, urn: string): Promise<void> {
  await pulumi(`Remove ${literal(urn)} from the state of stack ${literal(stack)}`, [
    ...["state", "delete", urn, "--yes", "--stack", stack],
  ]);
}

/**
 * The selected stack of the Pulumi project around the working directory. Undefined without a project, without a selected stack, and if the
 * Pulumi CLI cannot tell.
 */
export async function selectedStack(): Promise<string | undefined> {
  if (projectFile() === undefined) return undefined;
  const name = await pulumi("Read the selected stack", ["stack", "--show-name"]).catch(platformErrorAs(() => ""));
  return name.trim() || undefined;
}

/** The name of the Pulumi project around the working directory; undefined without one. */
export function projectName(): string | undefined {
  return inProject("name").find((name) => typeof name === "string");
}

/** The runtime of the Pulumi project around the working directory, such as `nodejs`; undefined without one. */
export function projectRuntime(): string | undefined {
  const [runtime] = inProject("runtime");
  const name = typeof runtime === "object" && runtime !== null ? (runtime as { name?: unknown }).name : runtime;
  return typeof name === "string" ? name : undefined;
}

/** The folder of the program, or its file: that of the Pulumi project around the working directory, or what `main` names there. */
export function programPath(): string {
  const [main = "."] = inProject("main").filter((each) => typeof each === "string");
  return path.resolve(path.dirname(projectFile() ?? "."), main);
}

/** Names of the packages for which the Pulumi project around the working directory has plugins or sources of its own. */
export function projectPackages(): string[] {
  const packages = inProject("packages").flatMap((each) => Object.keys(each ?? {}));
  return [...inProject("plugins", "providers", "name"), ...packages].filter((name) => typeof name === "string");
}

/** Whether a backend is storage, which the Pulumi CLI opens without `PULUMI_ACCESS_TOKEN` and where stacks have no organisation. */
export function isStorage(backend: string): boolean {
  return /^(azblob|file|gs|postgres|s3):/.test(backend);
}

/** The service for which `PULUMI_ACCESS_TOKEN` is meant by default. */
const defaultService = /^https:\/\/api\.pulumi\.com\/*$/;

/**
 * Requires that the project file does not choose the service to which the Pulumi CLI sends `PULUMI_ACCESS_TOKEN`. A pull request can change
 * that file.
 *
 * @param others ways on, besides naming it in the environment
 * @throws PlatformError `CONFIGURATION`
 */
// See docs/contributing/engine.md#backend-of-a-project.
export function verifyBackend(...others: readonly string[]): void {
  const { PULUMI_ACCESS_TOKEN: token, PULUMI_BACKEND_URL: named } = process.env;
  if (!token || named) return;
  const backend = inProject("backend", "url")
    .map(String)
    .find((url) => !isStorage(url) && !defaultService.test(url));
  if (backend === undefined) return;
  const ways = ["Set PULUMI_BACKEND_URL to the backend, beside the token.", ...others];
  throw new PlatformError(
    "CONFIGURATION",
    `Only the project's file names the backend ${literal(backend)}, and a pull request may have written it. ` +
      `The Pulumi CLI, which would send PULUMI_ACCESS_TOKEN there, was not run.${options(ways)}`,
  );
}

/** Values in the file of the Pulumi project around the working directory, in lists too. The CLI ignores the case of keys in JSON. */
function inProject(...keys: readonly string[]): unknown[] {
  const file = projectFile();
  const project: unknown = file && yaml().parseDocument(projectText(file), { merge: true }).toJS();
  const members = (value: unknown, key: string) =>
    Object.entries(value ?? {}).flatMap(([name, member]): unknown[] => (name.toLowerCase() === key ? [member] : []));
  return keys.reduce((values: unknown[], key) => values.flat().flatMap((value) => members(value, key)), [project]);
}

/** The text of a project's file, in every encoding that the Pulumi CLI reads. @throws PlatformError `INVALID_INPUT` */
function projectText(file: string): string {
  try {
    return decodedText(readFileSync(file));
  } catch (error) {
    throw new PlatformError("INVALID_INPUT", `Read ${printable(file)}: ${messageOf(error)}`);
  }
}

/**
 * The output of a command of the Pulumi CLI.
 *
 * @param what names the operation in messages
 * @throws PlatformError `CONFIGURATION`
 */
async function pulumi(what: string, parameters: readonly string[]): Promise<string> {
  const settings = { maxBuffer: maxOutput, env: { ...process.env, PULUMI_SKIP_UPDATE_CHECK: "true", NO_COLOR: "1" } };
  return new Promise((resolve, reject) => {
    execFile("pulumi", [...parameters, "--non-interactive"], settings, (error, stdout, stderr) => {
      if (error === null) resolve(stdout);
      else reject(new PlatformError("CONFIGURATION", `${what}: ${reasonOf(error, stderr)}`));
    });
  });
}

function reasonOf(error: Error & { code?: unknown }, stderr: string): string {
  if (error.code === "ENOENT")
    return "the Pulumi CLI `pulumi` is not on PATH. Install it, or set the PLATFORM_* variables instead of a stack.";
  const said =
    printable(stderr)
      .replace(/^error: /, "")
      .trim() || messageOf(error);
  return `${asSentence(said)} Run the command in the folder of the program, logged in to its backend.`;
}
