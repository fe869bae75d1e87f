import { access, constants, readFile, stat } from "node:fs/promises";
import { isAbsolute, resolve } from "node:path";
import { decodedText } from "../client/decoded-text";
import { hasCode, messageOf } from "../client/errors";
import { credentialsError } from "./api-token";
import { settingsFolder } from "./project-file";

/** Longest token file, in bytes. Tokens are far shorter. */
const longestToken = 64 * 1024;

/** Commands and runs may work in different folders, so the path in a setting is relative to neither. */
const relativeHint = " A relative path starts at the folder of Pulumi.yaml, whatever its `main` is.";

/**
 * The current token in the file at `path`.
 *
 * @param origin names the setting in messages
 * @throws PlatformError `CREDENTIALS`
 */
export async function readTokenFile(path: string, origin: string): Promise<string> {
  const file = resolve(settingsFolder(), path);
  const fail = (why: string) => credentialsError(`The OIDC token file ${file} (${origin}) ${why}`);
  try {
    const stats = await stat(file);
    if (!stats.isFile()) throw fail("is not a regular file. Name the file itself.");
    if (stats.size > longestToken) throw fail("is too long for a token. Name a file that contains only the token.");
    if (await isExposed(file, stats.mode)) throw fail(`is open to every user of this machine. Run \`chmod 600 ${file}\`.`);
    const token = decodedText(await readFile(file)).trim();
    if (token === "") throw fail("is empty. Check the step that writes it.");
    return token;
  } catch (error) {
    if (hasCode(error, "INVALID_INPUT")) throw fail(`cannot be read: ${messageOf(error)}`);
    throw isOfSystem(error) ? fail(`${reason(error)}${isAbsolute(path) ? "" : relativeHint}`) : error;
  }
}

/**
 * A world-writable file is never trusted, because its writer chooses the identity. A world-readable file is rejected
 * if its mode can be changed. Kubernetes mounts its projected tokens with 0644, but read-only.
 */
async function isExposed(file: string, mode: number): Promise<boolean> {
  if (process.platform === "win32") return false;
  if (mode & constants.S_IWOTH) return true;
  return (mode & constants.S_IROTH) !== 0 && (await isWritable(file));
}

async function isWritable(file: string): Promise<boolean> {
  try {
    await access(file, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

/** True for an error of the operating system. */
function isOfSystem(error: unknown): error is NodeJS.ErrnoException {
  return typeof error === "object" && error !== null && "syscall" in error;
}

function reason(error: NodeJS.ErrnoException): string {
  const { code } = error;
  if (code === "ENOENT") return "does not exist. Check the path, and the step or mount that provides it.";
  if (code === "EACCES") return "cannot be read by this user. Check the owner and mode of the file and its folders.";
  return `cannot be read: ${messageOf(error)}. Check the path.`;
}
