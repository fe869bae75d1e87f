import { randomBytes } from "node:crypto";
import { copyFileSync, mkdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { withoutPlatform } from "../../scripts/lib/emulator.mjs";
import { runQuietly } from "../../scripts/lib/child.mjs";
import { pluginInBin, writeLauncher } from "../../scripts/lib/launcher.mjs";
import { checkout, engineHome } from "../../scripts/lib/paths.mjs";
import { commandLine } from "../../scripts/toolchain/dist.mjs";
import { countingSaves } from "./saves.mjs";
import { JournalService } from "./journal.mjs";
import { ObjectStorage } from "./object-storage.mjs";
import { scratch } from "./scratch.mjs";
import { timed } from "./timed.mjs";

const programs = join(checkout, "bench", "programs");
/** The engine's default parallelism on 2 cores. */
const PARALLEL = 8;

const commands = {
  up: ["up", "--yes", "--skip-preview"],
  "up again": ["up", "--yes", "--skip-preview", "--expect-no-changes"],
  // Runs the program through the other door, after it ran through the dynamic one.
  move: ["up", "--yes", "--skip-preview", "--expect-no-changes"],
  preview: ["preview", "--expect-no-changes"],
  refresh: ["refresh", "--yes", "--skip-preview"],
  "refresh --run-program": ["refresh", "--yes", "--skip-preview", "--run-program"],
  "look for drift": ["refresh", "--preview-only", "--run-program"],
  "up --refresh": ["up", "--yes", "--skip-preview", "--refresh", "--expect-no-changes"],
  "up --refresh --run-program": ["up", "--yes", "--skip-preview", "--refresh", "--run-program", "--expect-no-changes"],
  "preview --refresh": ["preview", "--refresh", "--run-program", "--expect-no-changes"],
  destroy: ["destroy", "--yes", "--skip-preview"],
};

/** The commands of `pulumi-platform` that read a whole organisation. */
const tools = { drift: ["drift", "--stack", "bench"], access: ["access"], export: ["export", "--output", "exported"] };

/** The commands about a rehearsal. The preview is one of an update that makes everything. */
const rehearsals = {
  rehearse: ["rehearse", "--stack", "bench", "--skip-preview", "--save", "rehearsal.json"],
  bound: ["up", "--stack", "bench", "--rehearsed", "rehearsal.json", "--yes"],
};

/** The place of the engine's state and the way of saving it, by name, with the variables that choose them. Some start a service. */
const stores = {
  file: ({ folder }) => ({ PULUMI_BACKEND_URL: `file://${folder}/backend` }),
  "file without metadata": ({ folder }) => ({ PULUMI_BACKEND_URL: `file://${folder}/backend?metadata=skip` }),
  compressed: (project) => ({ ...stores.file(project), PULUMI_DIY_BACKEND_ZSTD: "1" }),
  "checkpoints off": (project) => ({ ...stores.file(project), PULUMI_SKIP_CHECKPOINTS: "1" }),
  PostgreSQL: () => ({ PULUMI_BACKEND_URL: process.env.BENCH_POSTGRES }),
  "object storage": async (project) => {
    project.service = await ObjectStorage.start();
    return { PULUMI_BACKEND_URL: project.service.url, AWS_ACCESS_KEY_ID: "bench", AWS_SECRET_ACCESS_KEY: "bench" };
  },
  journal: async (project) => {
    project.service = await JournalService.start(join(project.folder, "journal"));
    return { PULUMI_BACKEND_URL: project.service.url, PULUMI_ACCESS_TOKEN: "bench" };
  },
  "journal in short batches": async (project) => ({ ...(await stores.journal(project)), PULUMI_JOURNALING_BATCH_PERIOD: "5" }),
};

/** A program of `count` resources with a stack of its own, driven by the real engine. */
export class Project {
  #program;
  #store;
  #parallel;

  /**
   * @param program one of programs/
   * @param store one of `stores`
   * @param stack its name, which tells projects in one database apart
   * @param parallel operations of the engine at once
   */
  static async create(program, { platform, count, store = "file", stack = "bench", parallel = PARALLEL }) {
    const project = new Project();
    project.folder = join(scratch, `${program}-${randomBytes(4).toString("hex")}`);
    project.#write(program);
    project.#store = store;
    project.stack = stack;
    project.#parallel = String(parallel);
    project.environment = {
      ...withoutEngine(withoutPlatform(process.env)),
      ...platform.environment,
      BENCH_COUNT: String(count),
      PULUMI_HOME: engineHome,
      PULUMI_CONFIG_PASSPHRASE: "bench",
      PULUMI_SKIP_UPDATE_CHECK: "true",
      ...(await stores[store](project)),
    };
    await project.pulumi("Making the stack", "stack", "init", stack, "--secrets-provider", "passphrase");
    return project;
  }

  #write(program) {
    const nothing = join(this.folder, "node_modules", "nothing-package");
    for (const folder of [join(this.folder, "backend"), nothing]) mkdirSync(folder, { recursive: true });
    writeFileSync(join(this.folder, "Pulumi.yaml"), `name: bench\nruntime: nodejs\n${pluginInBin}`);
    writeLauncher(this.folder);
    writeFileSync(join(this.folder, "package.json"), '{ "name": "bench", "main": "index.ts" }\n');
    copyFileSync(join(checkout, "examples", "organization", "tsconfig.json"), join(this.folder, "tsconfig.json"));
    for (const file of ["organization.ts", "people.ts"]) copyFileSync(join(programs, file), join(this.folder, file));
    this.#take(program);
    copyFileSync(join(programs, "nothing-provider.cjs"), join(nothing, "provider.js"));
  }

  #take(program) {
    this.#program = program;
    copyFileSync(join(programs, `${program}.ts`), join(this.folder, "index.ts"));
  }

  /** The arguments of the engine that run one of `commands`. */
  arguments(operation) {
    return this.#args([...commands[operation], "--parallel", this.#parallel, "--suppress-progress"]);
  }

  /**
   * Runs one of `commands` or `tools`.
   * @returns {Promise<{ seconds: number, hostMiB?: number }>} hostMiB: peak memory of the provider process, if measured
   */
  operate(operation, { watchHost = false } = {}) {
    const options = { cwd: this.folder, env: this.environment };
    if (operation in tools) return timed("node", [commandLine, ...tools[operation]], options);
    if (operation === "move") this.#take("native");
    const host = this.#program === "native" ? "pulumi-resource-" : "dynamic-provider";
    return this.#counted(() => timed("pulumi", this.arguments(operation), { ...options, watched: watchHost ? host : undefined }));
  }

  /** The result of `work`, with the number of saves where the state is in a file. */
  async #counted(work) {
    if (!this.environment.PULUMI_BACKEND_URL.startsWith("file:")) return work();
    const { result, saves } = await countingSaves(join(this.folder, "backend", ".pulumi", "stacks", "bench"), work);
    return { ...result, saves };
  }

  /** Runs one of `rehearsals`, or the preview or the update that it stands beside. */
  rehearsed(step) {
    const options = { cwd: this.folder, env: this.environment };
    if (step in rehearsals) return timed("node", [commandLine, ...rehearsals[step]], options);
    return timed("pulumi", step === "preview" ? this.#args(["preview"]) : this.arguments(step), options);
  }

  /** The size of the stack's state as the engine stores it; undefined if it is not in a plain file. */
  stateBytes() {
    const file = join(this.folder, "backend", ".pulumi", "stacks", "bench", "bench.json");
    return statSync(file, { throwIfNoEntry: false })?.size;
  }

  /** Runs the engine with `args`. */
  pulumi(what, ...args) {
    return runQuietly(what, "pulumi", this.#args(args), { env: this.environment });
  }

  async close() {
    if (this.#store === "PostgreSQL") await this.pulumi("Removing the stack", "stack", "rm", this.stack, "--yes", "--force");
    await this.service?.stop();
    rmSync(this.folder, { recursive: true, force: true });
  }

  #args(args) {
    return [...args, "--non-interactive", "--color", "never", "--cwd", this.folder];
  }
}

function withoutEngine(environment) {
  return Object.fromEntries(Object.entries(environment).filter(([name]) => !name.startsWith("PULUMI_")));
}
