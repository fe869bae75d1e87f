import { randomBytes } from "node:crypto";
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { withoutPlatform } from "../../scripts/lib/emulator.mjs";
import { runQuietly } from "../../scripts/lib/child.mjs";
import { pluginInBin, writeLauncher } from "../../scripts/lib/launcher.mjs";
import { checkout, engineHome, stateFolder } from "../../scripts/lib/paths.mjs";
import { timed } from "./timed.mjs";

const programs = join(checkout, "bench", "programs");
const nothingInBin = "    - name: nothing\n      path: bin\n";
/** Inside the checkout, so that programs resolve the package by its name, as the examples do. */
const scratch = join(stateFolder, "bench");

/** The engine's default parallelism on 2 cores. */
const PARALLEL = "8";

const commands = {
  up: ["up", "--yes", "--skip-preview"],
  "up again": ["up", "--yes", "--skip-preview", "--expect-no-changes"],
  // What runs the program through the other door, after it ran through the dynamic one.
  move: ["up", "--yes", "--skip-preview", "--expect-no-changes"],
  preview: ["preview", "--expect-no-changes"],
  refresh: ["refresh", "--yes", "--skip-preview"],
  "refresh --run-program": ["refresh", "--yes", "--skip-preview", "--run-program"],
  "look for drift": ["refresh", "--preview-only", "--run-program"],
  destroy: ["destroy", "--yes", "--skip-preview"],
  "destroy --run-program": ["destroy", "--yes", "--skip-preview", "--run-program"],
};

/** How the engine saves its state, by name: the variables that make it do so. */
const savings = {
  "every step": {},
  compressed: { PULUMI_DIY_BACKEND_ZSTD: "1" },
  "at the end": { PULUMI_EXPERIMENTAL: "1", PULUMI_SKIP_CHECKPOINTS: "1" },
};

/** A program of `count` resources with a stack of its own, driven by the real engine. */
export class Project {
  #program;

  /**
   * @param program one of programs/: `product`, `tutorial` or `nothing`
   * @param shape of the organisation: `teams` or `flat`
   */
  static async create(program, { platform, count, shape = "teams" }) {
    const project = new Project();
    project.folder = join(scratch, `${program}-${randomBytes(4).toString("hex")}`);
    project.environment = {
      ...withoutEngine(withoutPlatform(process.env)),
      ...platform.environment,
      BENCH_COUNT: String(count),
      BENCH_SHAPE: shape,
      PULUMI_HOME: engineHome,
      PULUMI_BACKEND_URL: `file://${project.folder}/backend`,
      PULUMI_CONFIG_PASSPHRASE: "bench",
      PULUMI_SKIP_UPDATE_CHECK: "true",
    };
    project.#write(program);
    await runQuietly("Making the stack", "pulumi", project.#args(["stack", "init", "bench"]), { env: project.environment });
    return project;
  }

  #write(program) {
    const nothing = join(this.folder, "node_modules", "nothing-package");
    for (const folder of [join(this.folder, "backend"), nothing]) mkdirSync(folder, { recursive: true });
    writeFileSync(join(this.folder, "Pulumi.yaml"), `name: bench\nruntime: nodejs\n${pluginInBin}${nothingInBin}`);
    writeLauncher(this.folder);
    writeLauncher(this.folder, "nothing", join(programs, "nothing-plugin.cjs"));
    writeFileSync(join(this.folder, "package.json"), '{ "name": "bench", "main": "index.ts" }\n');
    copyFileSync(join(checkout, "examples", "organization", "tsconfig.json"), join(this.folder, "tsconfig.json"));
    copyFileSync(join(programs, "organization.ts"), join(this.folder, "organization.ts"));
    copyFileSync(join(programs, "people.ts"), join(this.folder, "people.ts"));
    this.#take(program);
    copyFileSync(join(programs, "nothing-provider.cjs"), join(nothing, "provider.js"));
  }

  #take(program) {
    this.#program = program;
    copyFileSync(join(programs, `${program}.ts`), join(this.folder, "index.ts"));
  }

  /** The arguments of the engine that run one of `commands`. */
  arguments(operation) {
    return this.#args([...commands[operation], "--parallel", PARALLEL, "--suppress-progress"]);
  }

  /**
   * Runs one of `commands`.
   * @param saves one of `savings`
   * @returns {Promise<{ seconds: number, hostMiB?: number }>} hostMiB: peak memory of the provider process, if measured
   */
  operate(operation, { saves = "every step", watchHost = false } = {}) {
    if (operation === "move") this.#take("native");
    const env = { ...this.environment, ...savings[saves] };
    const host = /native/i.test(this.#program) ? "pulumi-resource-" : "dynamic-provider";
    return timed("pulumi", this.arguments(operation), { env, watched: watchHost ? host : undefined });
  }

  /** The text of the stack's state, as the engine stores it. */
  state() {
    const stacks = join(this.folder, "backend", ".pulumi", "stacks", "bench");
    const file = readdirSync(stacks).find((name) => name === "bench.json");
    return readFileSync(join(stacks, file), "utf8");
  }

  close() {
    rmSync(this.folder, { recursive: true, force: true });
  }

  #args(args) {
    return [...args, "--non-interactive", "--color", "never", "--cwd", this.folder];
  }
}

function withoutEngine(environment) {
  return Object.fromEntries(Object.entries(environment).filter(([name]) => !name.startsWith("PULUMI_")));
}
