import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { goEnvironment } from "../lib/go.mjs";
import { packageSchema } from "../lib/schema.mjs";
import { generateSdk, GO } from "./tools.mjs";

const PULUMI = "v3.259.0";
const nameOfModule = () => packageSchema().language.go.importBasePath;

/** Go, with a module that a program's `go.mod` replaces by its folder. */
export const go = {
  needs: [GO],

  async build(work, folder) {
    await generateSdk(work, folder);
    await writeModule(work, folder, nameOfModule(), "");
    await work.run("compiling the module", "go", ["build", "./..."], { cwd: folder, env: goEnvironment() });
    return `go mod edit -replace ${nameOfModule()}=${folder}`;
  },

  async check(work, { sdk, folder, examples }) {
    const programs = join(folder, "examples");
    examples.forEach((text, index) => writeFile(join(programs, `example${index}`), "main.go", text));
    await writeModule(work, programs, "examples", replaced(sdk));
    const options = { cwd: programs, env: goEnvironment() };
    await work.run(`compiling ${examples.length} examples`, "go", ["vet", "./..."], options);
  },

  library: (sdk) => sdk,

  async project(work, { sdk, project, text }) {
    writeFile(project, "main.go", text);
    await writeModule(work, project, "program", replaced(sdk));
    return { runtime: "go" };
  },
};

const replaced = (sdk) => `require ${nameOfModule()} v0.0.0\nreplace ${nameOfModule()} => ${sdk}\n`;

async function writeModule(work, folder, name, more) {
  writeFile(folder, "go.mod", `module ${name}\n\ngo 1.25\n\nrequire github.com/pulumi/pulumi/sdk/v3 ${PULUMI}\n${more}`);
  await work.run("go mod tidy", "go", ["mod", "tidy"], { cwd: folder, env: goEnvironment() });
}

function writeFile(folder, name, text) {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, name), text);
}
