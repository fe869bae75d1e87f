import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { text } from "node:stream/consumers";
import { runProgram } from "../../cli/program";

/** The built command. */
export const main = path.resolve(__dirname, "../../dist/cli/main.js");

/** The output of a command, and its end. */
export interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** The texts and patterns that a command must print. An empty list means no output at all. */
type Printed = string | RegExp | readonly (string | RegExp)[];

/** Puts a program into the folder that answers in place of `pulumi`. @returns the PATH on which it comes first */
export function pulumiIn(folder: string, script: string): string {
  writeFileSync(path.join(folder, "pulumi"), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  return `${folder}:${process.env["PATH"] ?? ""}`;
}

/** The settings of a command: these, and no others of the platform and of pipelines. */
function only(environment: Readonly<Record<string, string>>): Record<string, string | undefined> {
  const inherited = Object.entries(process.env).filter(([name]) => !/^(PLATFORM|ACTIONS)_/.test(name));
  return { ...Object.fromEntries(inherited), ...environment };
}

/** Runs a command in this process, one at a time. @param folder its working directory. Default: one outside of any Pulumi project */
export async function run(
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
  folder = tmpdir(),
): Promise<Ended> {
  const { env, exitCode } = process;
  const cwd = process.cwd();
  const streams = [capture(process.stdout), capture(process.stderr)] as const;
  try {
    process.chdir(folder);
    process.env = only(environment);
    process.exitCode = 0;
    await runProgram(args);
    const [stdout, stderr] = streams.map(({ written }) => written());
    return { code: process.exitCode, stdout: stdout ?? "", stderr: stderr ?? "" };
  } finally {
    for (const { end } of streams) end();
    process.chdir(cwd);
    Object.assign(process, { env, exitCode });
  }
}

/** Keeps what is written to a stream, which counts as no terminal meanwhile. */
function capture(stream: NodeJS.WriteStream) {
  const { isTTY } = stream;
  const spy = jest.spyOn(stream, "write").mockReturnValue(true);
  Object.assign(stream, { isTTY: false });
  return {
    written: () => spy.mock.calls.map(([chunk]) => String(chunk)).join(""),
    end: () => {
      spy.mockRestore();
      Object.assign(stream, { isTTY });
    },
  };
}

/** Starts the built command, for what only a process shows: pipes, signals, and the Node.js that runs it. */
export function start(args: readonly string[], environment: Readonly<Record<string, string>> = {}, folder = tmpdir()) {
  return spawn(process.execPath, [main, ...args], { env: only(environment), cwd: folder, stdio: "pipe" });
}

/** Runs the built command to its end. @param input what it reads from standard input */
export async function runBuilt(
  args: readonly string[],
  environment = {},
  { input = "", folder = tmpdir() } = {},
): Promise<Ended> {
  const child = start(args, environment, folder);
  child.stdin.end(input);
  const ended = once(child, "close") as Promise<[number | null]>;
  const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  return { code: code ?? -1, stdout, stderr };
}

/**
 * Requires that a command ended with this code, and printed this.
 *
 * @throws Error that shows the code and all that it printed
 */
export function expectEnd<Any extends Ended>(
  ended: Any,
  code: number,
  printed: { stdout?: Printed; stderr?: Printed } = {},
): Any {
  const missing = (["stdout", "stderr"] as const).flatMap((stream) => {
    const wanted = [printed[stream] ?? ""].flat();
    if (wanted.length === 0) return ended[stream] === "" ? [] : [`nothing on ${stream}`];
    return wanted.flatMap((each) => (has(ended[stream], each) ? [] : [`${String(each)} on ${stream}`]));
  });
  const wrong = [...(ended.code === code ? [] : [`exit code ${code}`]), ...missing];
  if (wrong.length === 0) return ended;
  const shown = `exit code ${ended.code}\n--- stdout\n${ended.stdout}\n--- stderr\n${ended.stderr}`;
  const error = new Error(`Expected of the command: ${wrong.join("; ")}\n${shown}`);
  Error.captureStackTrace(error, expectEnd);
  throw error;
}

function has(whole: string, part: string | RegExp): boolean {
  return typeof part === "string" ? whole.includes(part) : part.test(whole);
}
