import { execFile, type ExecFileException } from "node:child_process";
import { stripVTControlCharacters } from "node:util";
import { redact, rememberToken } from "../client/redact";
import { type ApiToken, credentialsError, sentence, statedToken } from "./api-token";
import { isTokenWord } from "./jwt";
import { settingsFolder } from "./project-file";
import type { TokenClock } from "./token-clock";

/**
 * Limits of a token command. They are the milliseconds of its run, the bytes of its output, and the characters of its stderr in a
 * message.
 */
const longestRunMs = 30_000;
const maxOutput = 256 * 1024;
const maxComplaint = 500;

interface Outcome {
  readonly error: ExecFileException | null;
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * Runs a command that prints an API token, without a shell and with a closed stdin, so it cannot wait for input.
 *
 * @param origin names the setting in messages
 * @throws PlatformError `CREDENTIALS`
 */
export async function runTokenCommand(
  [program, ...parameters]: readonly [string, ...string[]],
  origin: string,
  clock: TokenClock,
  timeoutMs = longestRunMs,
): Promise<ApiToken> {
  // Arguments may be secret, and so may the value in `NAME=value program`, which only a shell understands.
  const name = `${origin} (${program.split("=", 1).join("")})`;
  const fail = (why: string) => credentialsError(`The command of ${name} ${why}`);
  const { error, stdout, stderr } = await run(program, parameters, timeoutMs).catch((error: unknown) => {
    // Errors of Node.js and the system have a code.
    if (typeof error !== "object" || error === null || !("code" in error)) throw error;
    throw fail("cannot be started: the system rejects its arguments. Check for control characters in them.");
  });
  const token = stdout.trim();
  const isToken = isTokenWord(token);
  if (isToken) rememberToken(token);
  const said = complaint(stderr);
  const hint = "It runs without a shell and without input: try it yourself with </dev/null.";
  if (error) throw fail(`${reason(error, timeoutMs)}.${said} ${hint}`);
  if (!isToken) throw fail(`printed ${token ? "more than one word" : "nothing"}. Make it print only an API token.${said}`);
  return statedToken(token, name, clock);
}

function run(program: string, parameters: string[], timeoutMs: number): Promise<Outcome> {
  const limits = { timeout: timeoutMs, maxBuffer: maxOutput, killSignal: "SIGKILL", windowsHide: true } as const;
  // A relative path in the command is that of a setting, like the path of a token file.
  const options = { ...limits, cwd: settingsFolder() };
  return new Promise((resolve) => {
    const child = execFile(program, parameters, options, (error, stdout, stderr) => {
      resolve({ error, stdout, stderr });
    });
    child.stdin?.end();
  });
}

/** Built from parts without output, because the error's own message repeats arguments and output. */
function reason({ code, killed, signal }: ExecFileException, timeoutMs: number): string {
  if (code === "ENOENT") return "was not found";
  if (code === "EACCES") return "is not executable";
  if (code === "ERR_CHILD_PROCESS_STDIO_MAXBUFFER") return "printed far more than a token";
  if (killed) return `was still running after ${timeoutMs / 1000} s`;
  return signal ? `was ended by ${signal}` : `failed with exit code ${code ?? "unknown"}`;
}

function complaint(stderr: string): string {
  const text = redact(stripVTControlCharacters(stderr)).replace(/\s+/g, " ").trim();
  const end = text.length > maxComplaint ? `...${text.slice(-maxComplaint)}` : text;
  return end && ` Its stderr: ${sentence(end)}`;
}
