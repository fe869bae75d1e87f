import { type ChildProcess, spawn } from "node:child_process";
import { globSync } from "node:fs";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { zstdDecompressSync } from "node:zlib";
import { type Ended, run } from "../support/cli";
import { type Door, testedDoor } from "../support/door";
import { signalGroup } from "../support/signals";

/** Folder for everything that engine tests write. In the checkout, so that programs resolve the package by its name. */
const scratch = path.resolve(__dirname, "../../.state/tests");

/** True for a type of resources of this package, components aside. */
export function isOurs(type: string): boolean {
  return type.startsWith("pulumi-nodejs:dynamic/") || /^platform:(?!.*:(Organization|Team)$)/.test(type);
}

/** The outcome of an engine command. */
export interface Outcome extends Ended {
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

/** JavaScript that does what a program in TypeScript does. */
export async function javascript(typescript: string): Promise<string> {
  const { default: ts } = await import("typescript");
  return ts.transpileModule(typescript, { compilerOptions: { module: ts.ModuleKind.CommonJS } }).outputText;
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
    signalGroup(this.pid, "SIGINT");
  }

  /** Waits until the command has printed `text`. @throws Error when it ends without it */
  async printed(text: string): Promise<void> {
    while (!this.#output.includes(text)) {
      if (this.child.exitCode !== null) throw new Error(`the command ended without printing "${text}":\n${this.#output}`);
      await sleep(20);
    }
  }
}

/** How a project says where the plugin is, which the dynamic provider host does not need; and that no program has to be compiled. */
const settings = `name: test
runtime: { name: nodejs, options: { typescript: false } }
plugins: { providers: [{ name: platform, path: bin }] }
`;

/** Makes `script` the plugin of the project in `folder`, run by `node`: this one, or the first on PATH. */
export async function installPlugin(folder: string, script: string, node = process.execPath): Promise<void> {
  await mkdir(path.join(folder, "bin"), { recursive: true });
  const launcher = `#!/bin/sh\nexec "${node}" "${script}" "$@"\n`;
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

/** Variables of an engine whose state is below `folder`, without what it may find in the shell of the tests. */
export function engineVariables(folder: string, home: string): Record<string, string> {
  const inherited = Object.entries(process.env).filter(([name]) => !/^(PLATFORM|PULUMI|ACTIONS)_/.test(name));
  return {
    ...(Object.fromEntries(inherited) as Record<string, string>),
    PULUMI_HOME: home,
    PULUMI_BACKEND_URL: `file://${folder}/backend`,
    PULUMI_CONFIG_PASSPHRASE: "test",
    PULUMI_SKIP_UPDATE_CHECK: "true",
    // Each command starts two Node.js processes that load the same modules.
    NODE_COMPILE_CACHE: path.join(scratch, "compile-cache"),
  };
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
    await writeFile(path.join(folder, "Pulumi.yaml"), settings);
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

  /** Makes a whole example of the package the program. */
  async example(name: string, door = this.door): Promise<void> {
    const text = await readFile(path.resolve(__dirname, `../../examples/${name}/index.ts`), "utf8");
    const native = (program: string) => program.replaceAll('"pulumi-platform"', '"pulumi-platform/native"');
    await this.file("index.js", await javascript(door === "native" ? native(text) : text));
  }

  /** Writes a file of the project. */
  async file(name: string, text: string): Promise<void> {
    await writeFile(path.join(this.folder, name), text);
  }

  async config(values: Record<string, string>): Promise<void> {
    const settings = Object.entries(values).flatMap(([key, value]) => ["--plaintext", `${key}=${value}`]);
    await this.#read("config", "set-all", ...settings);
  }

  up(...args: string[]): Promise<Outcome> {
    return this.#operate("up", "--yes", "--skip-preview", ...args);
  }

  preview(...args: string[]): Promise<Outcome> {
    return this.#operate("preview", ...args);
  }

  /** The outcome of `refresh --preview-only`. With `--expect-no-changes` the exit code is 7 for drift. */
  drift(...args: string[]): Promise<Outcome> {
    return this.#operate("refresh", "--preview-only", "--expect-no-changes", "--run-program", ...args);
  }

  refresh(...args: string[]): Promise<Outcome> {
    return this.#operate("refresh", "--yes", "--skip-preview", ...args);
  }

  destroy(...args: string[]): Promise<Outcome> {
    return this.#operate("destroy", "--yes", "--skip-preview", ...args);
  }

  /** The resources of this package in state, with secrets as the backend has them. */
  async resources(): Promise<StateResource[]> {
    return ((await this.#stored()).resources ?? []).filter(({ type }) => isOurs(type));
  }

  /** The same with the secrets. */
  async decryptedResources(): Promise<StateResource[]> {
    const { deployment } = JSON.parse(await this.stateText()) as { deployment: Deployment };
    return (deployment.resources ?? []).filter(({ type }) => isOurs(type));
  }

  async #stored(): Promise<Deployment> {
    return (JSON.parse(await this.storedState()) as { checkpoint: { latest?: Deployment } }).checkpoint.latest ?? {};
  }

  /** The backend's file, in which secrets are encrypted. */
  async storedState(): Promise<string> {
    const stack = this.environment["PULUMI_STACK"] ?? "test";
    const files = globSync(`backend/.pulumi/stacks/*/${stack}.json{,.zst}`, { cwd: this.folder }).sort();
    const file = path.join(this.folder, files.at(-1) ?? stack);
    return file.endsWith(".zst") ? zstdDecompressSync(await readFile(file)).toString() : readFile(file, "utf8");
  }

  /** The whole state as text, with the secrets. */
  stateText(): Promise<string> {
    return this.#read("stack", "export", "--show-secrets");
  }

  /** An output of the stack that is no secret. */
  async output(name: string): Promise<unknown> {
    const stack = (await this.#stored()).resources?.find(({ type }) => type === "pulumi:pulumi:Stack");
    return stack?.outputs[name];
  }

  async #read(...args: string[]): Promise<string> {
    const { code, stdout, output } = await this.pulumi(...args);
    if (code !== 0) throw new Error(output);
    return stdout;
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
  get variables(): Record<string, string> {
    return {
      ...engineVariables(this.folder, path.join(scratch, "pulumi-home")),
      PULUMI_STACK: "test",
      // Writing the state after every step is what takes time.
      PULUMI_DIY_BACKEND_ZSTD: "1",
      // Shows the flag --event-log.
      PULUMI_DEBUG_COMMANDS: "true",
      ...this.environment,
    };
  }

  /** Runs this package's command in the project's folder. */
  command(...args: string[]): Promise<Ended> {
    return run(args, this.variables, this.folder);
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
      const child = spawn("pulumi", ["--non-interactive", "--color", "never", "--cwd", this.folder, ...args], {
        env: this.variables,
        stdio: ["ignore", "pipe", "pipe"],
        detached: onStart !== undefined,
      });
      const printed = { stdout: "", stderr: "", output: "" };
      for (const stream of ["stdout", "stderr"] as const)
        child[stream].on("data", (chunk: Buffer) => {
          printed[stream] += chunk.toString();
          printed.output += chunk.toString();
        });
      child.on("error", reject);
      child.on("close", (code) => {
        resolve({ code: code ?? -1, ...printed, steps: [] });
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
      // The result of a refresh is known when it ends, that of any other step when it begins.
      const step = planned?.op === "refresh" ? undefined : (planned ?? (refreshing.delete(done?.urn ?? "") ? done : undefined));
      if (step === undefined || step.op === "same" || !isOurs(step.type)) return [];
      return [`${step.op} ${step.type.split(":").at(-1) ?? ""} ${step.urn.split("::").at(-1) ?? ""}`];
    });
}
