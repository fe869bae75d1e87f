import { type ChildProcess, spawn } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { zstdDecompressSync } from "node:zlib";
import { type Door, testedDoor } from "../support/door";

/** Folder for everything that engine tests write. In the checkout, so that programs resolve the package by its name. */
const scratch = path.resolve(__dirname, "../../.state/tests");

/** True for a type of resources of this package, components aside. */
export function isOurs(type: string): boolean {
  return type.startsWith("pulumi-nodejs:dynamic/") || /^platform:(?!.*:(Organization|Team)$)/.test(type);
}

/** The outcome of an engine command. */
export interface Outcome {
  code: number;
  /** Everything that it printed, without colours. */
  output: string;
  /** Steps that were taken, planned or found, in order: `create Group engineering`. Steps that change nothing are omitted. */
  steps: string[];
}

interface EngineEvent {
  resourcePreEvent?: { metadata: StepMetadata };
  resOutputsEvent?: { metadata: StepMetadata };
}

interface StepMetadata {
  op: string;
  urn: string;
  type: string;
}

/** Everything that a state holds about one resource. */
export interface StateResource {
  urn: string;
  type: string;
  id?: string;
  inputs: Record<string, unknown>;
  outputs: Record<string, unknown>;
  /** URNs by property. */
  propertyDependencies?: Record<string, string[]>;
}

interface Deployment {
  resources?: StateResource[];
}

/** An engine command in progress. */
export class RunningEngine {
  #output = "";

  constructor(private readonly child: ChildProcess) {
    for (const stream of [child.stdout, child.stderr]) stream?.on("data", (chunk: Buffer) => (this.#output += chunk.toString()));
  }

  get pid(): number {
    return this.child.pid ?? 0;
  }

  /** Does what Ctrl-C in a terminal does: signals every process in the foreground, which is a group of its own here. */
  interrupt(): void {
    process.kill(-this.pid, "SIGINT");
  }

  /** Waits until the command has printed `text`. @throws Error when it ends without it */
  async printed(text: string): Promise<void> {
    while (!this.#output.includes(text)) {
      if (this.child.exitCode !== null) throw new Error(`the command ended without printing "${text}":\n${this.#output}`);
      await sleep(20);
    }
  }
}

/** How a project says where the plugin is. The dynamic provider host needs none. */
const plugins = "plugins:\n  providers:\n    - name: platform\n      path: bin\n";

/** Makes `script` the plugin of the project in `folder`. */
export async function installPlugin(folder: string, script: string): Promise<void> {
  await mkdir(path.join(folder, "bin"), { recursive: true });
  const launcher = `#!/bin/sh\nexec "${process.execPath}" "${script}" "$@"\n`;
  await writeFile(path.join(folder, "bin/pulumi-resource-platform"), launcher, { mode: 0o755 });
}

/** Writes what `stack init test` writes with the passphrase `test`. The command takes as long as a tenth of an `up`. */
async function writeEmptyStack(folder: string): Promise<void> {
  const backend = path.join(folder, "backend/.pulumi");
  await mkdir(path.join(backend, "stacks/test"), { recursive: true });
  await writeFile(path.join(backend, "meta.yaml"), "version: 1\n");
  const state = { version: 3, checkpoint: { stack: "organization/test/test" } };
  await writeFile(path.join(backend, "stacks/test/test.json"), JSON.stringify(state));
  const salt = "v1:GXhMUIgUvm4=:v1:iy9ZGo7gZRDNtBUe:a+wPOvcwPW5E2TlVO+OOCBgASCKtzw==";
  await writeFile(path.join(folder, "Pulumi.test.yaml"), `encryptionsalt: ${salt}\n`);
}

/** A Pulumi project with a stack of its own, driven by the real engine. */
export class Project {
  private constructor(
    readonly folder: string,
    /** Variables of every command; a test may change them between commands. */
    readonly environment: Record<string, string>,
    readonly door: Door,
  ) {}

  /**
   * @param program JavaScript of the program
   * @param environment `PLATFORM_*` variables
   */
  static async create(program: string, environment: Record<string, string>, door = testedDoor()): Promise<Project> {
    await mkdir(scratch, { recursive: true });
    const folder = await mkdtemp(path.join(scratch, "project-"));
    await writeEmptyStack(folder);
    await writeFile(path.join(folder, "Pulumi.yaml"), `name: test\nruntime: nodejs\n${plugins}`);
    await installPlugin(folder, path.resolve(__dirname, "../../dist/cli/resource-plugin.js"));
    await writeFile(path.join(folder, "package.json"), '{ "name": "test", "main": "index.js" }\n');
    const project = new Project(folder, environment, door);
    await project.program(program);
    return project;
  }

  /** Replaces the program. `pulumi` and the package's exports are in scope. */
  async program(text: string, door = this.door): Promise<void> {
    const name = door === "native" ? "pulumi-platform/native" : "pulumi-platform";
    const head = `const pulumi = require("@pulumi/pulumi");\nconst platform = require("${name}");\n`;
    const root = 'const root = process.env["PLATFORM_ORGANIZATION"];\n';
    await this.file("index.js", `${head}${root}const { Group, GroupAccess, Identity, Role, RoleBinding } = platform;\n${text}\n`);
  }

  /** Writes a file of the project. */
  async file(name: string, text: string): Promise<void> {
    await writeFile(path.join(this.folder, name), text);
  }

  async config(values: Record<string, string>): Promise<void> {
    const settings = Object.entries(values).flatMap(([key, value]) => ["--plaintext", `${key}=${value}`]);
    const { code, output } = await this.pulumi("config", "set-all", ...settings);
    if (code !== 0) throw new Error(output);
  }

  up(...args: string[]): Promise<Outcome> {
    return this.#operate("up", "--yes", "--skip-preview", ...args);
  }

  preview(...args: string[]): Promise<Outcome> {
    return this.#operate("preview", ...args);
  }

  /** What `refresh --preview-only` finds; with `--expect-no-changes` the exit code is 7 for drift. */
  drift(...args: string[]): Promise<Outcome> {
    return this.#operate("refresh", "--preview-only", "--expect-no-changes", "--run-program", ...args);
  }

  refresh(...args: string[]): Promise<Outcome> {
    return this.#operate("refresh", "--yes", "--skip-preview", ...args);
  }

  destroy(...args: string[]): Promise<Outcome> {
    return this.#operate("destroy", "--yes", "--skip-preview", ...args);
  }

  /** The resources of this package in state. */
  async resources(): Promise<StateResource[]> {
    return ((await this.#deployment()).resources ?? []).filter((resource) => isOurs(resource.type));
  }

  /** What the backend's file has; the engine is asked only where something is encrypted. */
  async #deployment(): Promise<Deployment> {
    const file = path.join(this.folder, "backend/.pulumi/stacks/test/test.json");
    const packed = await readFile(`${file}.zst`).catch(() => undefined);
    const text = packed === undefined ? await readFile(file, "utf8") : zstdDecompressSync(packed).toString();
    if (text.includes('"ciphertext"')) return (JSON.parse(await this.stateText()) as { deployment: Deployment }).deployment;
    return (JSON.parse(text) as { checkpoint: { latest?: Deployment } }).checkpoint.latest ?? {};
  }

  /** The whole state as text. */
  async stateText(): Promise<string> {
    const { code, output } = await this.pulumi("stack", "export", "--show-secrets");
    if (code !== 0) throw new Error(output);
    return output;
  }

  async output(name: string): Promise<unknown> {
    const { output } = await this.pulumi("stack", "output", "--json");
    return (JSON.parse(output) as Record<string, unknown>)[name];
  }

  async remove(): Promise<void> {
    await rm(this.folder, { recursive: true, force: true });
  }

  async #operate(command: string, ...args: string[]): Promise<Outcome> {
    const log = path.join(this.folder, "events.json");
    await rm(log, { force: true });
    const outcome = await this.pulumi(command, "--event-log", log, ...args);
    return { ...outcome, steps: await readSteps(log) };
  }

  /** All variables of a command. */
  get variables(): NodeJS.ProcessEnv {
    const inherited = Object.entries(process.env).filter(([name]) => !/^(PLATFORM|PULUMI|ACTIONS)_/.test(name));
    return {
      ...Object.fromEntries(inherited),
      PULUMI_HOME: path.join(scratch, "pulumi-home"),
      PULUMI_BACKEND_URL: `file://${this.folder}/backend`,
      PULUMI_CONFIG_PASSPHRASE: "test",
      PULUMI_STACK: "test",
      PULUMI_SKIP_UPDATE_CHECK: "true",
      // Writing the state after every step is what takes time.
      PULUMI_DIY_BACKEND_ZSTD: "1",
      // Each command starts two Node.js processes that load the same modules.
      NODE_COMPILE_CACHE: path.join(scratch, "compile-cache"),
      // Shows the flag --event-log.
      PULUMI_DEBUG_COMMANDS: "true",
      ...this.environment,
    };
  }

  /** Runs the CLI with `args`. */
  pulumi(...args: string[]): Promise<Outcome> {
    return this.#run(args);
  }

  /** Runs the CLI with `args`, and does `act` meanwhile. */
  async during(args: string[], act: (engine: RunningEngine) => Promise<void>): Promise<Outcome> {
    let acting = Promise.resolve();
    const outcome = await this.#run(args, (child) => {
      acting = act(new RunningEngine(child));
      // A command that waits for the rest of `act` would never end.
      acting.catch(() => child.kill("SIGKILL"));
    });
    await acting;
    return outcome;
  }

  #run(args: string[], onStart?: (child: ChildProcess) => void): Promise<Outcome> {
    return new Promise((resolve, reject) => {
      const child = spawn("pulumi", [...args, "--non-interactive", "--color", "never", "--cwd", this.folder], {
        env: this.variables,
        stdio: ["ignore", "pipe", "pipe"],
        detached: onStart !== undefined,
      });
      let output = "";
      child.stdout.on("data", (chunk: Buffer) => (output += chunk.toString()));
      child.stderr.on("data", (chunk: Buffer) => (output += chunk.toString()));
      child.on("error", reject);
      child.on("close", (code) => {
        resolve({ code: code ?? -1, output, steps: [] });
      });
      onStart?.(child);
    });
  }
}

async function readSteps(log: string): Promise<string[]> {
  const text = await readFile(log, "utf8").catch(() => "");
  const refreshing = new Set<string>();
  return text
    .split("\n")
    .filter((line) => line !== "")
    .flatMap((line) => {
      const { resourcePreEvent, resOutputsEvent } = JSON.parse(line) as EngineEvent;
      const planned = resourcePreEvent?.metadata;
      const done = resOutputsEvent?.metadata;
      if (planned?.op === "refresh") refreshing.add(planned.urn);
      // What a refresh finds is known when it ends; everything else when it begins.
      const step = planned?.op === "refresh" ? undefined : (planned ?? (refreshing.delete(done?.urn ?? "") ? done : undefined));
      if (step === undefined || step.op === "same" || !isOurs(step.type)) return [];
      return [`${step.op} ${step.type.split(":").at(-1) ?? ""} ${step.urn.split("::").at(-1) ?? ""}`];
    });
}
