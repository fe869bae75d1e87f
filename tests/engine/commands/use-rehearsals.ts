import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { RehearseDocument } from "../../../cli/documents/rehearse";
import { type Ended, runBuilt, start } from "../../support/cli";
import { project } from "../use-project";

/** The temporary files of the commands of the present test, so that it sees all that is left. */
export let temporary = "";

/** Gives each test of a file a folder for temporary files. */
export function useRehearsals(): void {
  beforeEach(() => (temporary = mkdtempSync(path.join(tmpdir(), "rehearse-"))));
  afterEach(() => rmSync(temporary, { recursive: true, force: true }));
}

const words = (args: readonly string[]) => ["rehearse", "--stack", project.environment["PULUMI_STACK"] ?? "test", ...args];
const variables = () => ({ ...project.variables, TMPDIR: temporary });

/** Runs the command in the project's folder. */
export function run(...args: string[]): Promise<Ended> {
  return runBuilt(words(args), variables(), { folder: project.folder });
}

/** The JSON document of a rehearsal. */
export async function rehearse(...args: string[]): Promise<RehearseDocument> {
  const { stdout, stderr } = await run("--json", ...args);
  if (stdout === "") throw new Error(stderr);
  return JSON.parse(stdout) as RehearseDocument;
}

/** Starts the command in the project's folder. */
export function startRehearsal(more: Readonly<Record<string, string>> = {}, ...args: string[]) {
  return start(words(args), { ...variables(), ...more }, project.folder);
}

/** Waits for a moment of a running command. @throws Error if it ends before */
export async function until(
  isReached: () => boolean | Promise<boolean>,
  child: ReturnType<typeof start>,
  interval = 100,
): Promise<void> {
  const said: string[] = [];
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk: Buffer) => said.push(chunk.toString()));
  while (!(await isReached())) {
    if (child.exitCode !== null) throw new Error(said.join(""));
    await sleep(interval);
  }
}

/** Command lines of the running processes that contain `text`. */
export function processes(text: string): string[] {
  return running(["-A", "-o", "stat=,args="], text);
}

/** Command lines, with their variables, of the running processes whose temporary files are those of the present test. */
export function ownProcesses(): string[] {
  return running(["axeww", "-o", "stat=,args="], `TMPDIR=${temporary}`);
}

function running(options: readonly string[], text: string): string[] {
  const all = execFileSync("ps", options, { encoding: "utf8", maxBuffer: 2 ** 28 }).split("\n");
  return all.filter((line) => line.includes(text) && !line.startsWith("Z"));
}

/** The files of the present test's commands that contain `text`, by their paths. Sockets are none. */
export function filesWith(text: string): string[] {
  const entries = readdirSync(temporary, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const files = entries.map((entry) => path.join(entry.parentPath, entry.name));
  return files.filter((file) => readFileSync(file, "latin1").includes(text)).map((file) => path.relative(temporary, file));
}
