import { appendFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { checkout } from "../lib/paths.mjs";
import { claimTypes } from "./claims.mjs";
import { generateSdk, GO } from "./tools.mjs";

const PULUMI = "3.272.0";
const PYRIGHT = "1.1.414";

/**
 * The tools with which pip builds the wheel. Newer pips read them only from PIP_BUILD_CONSTRAINT, older ones from PIP_CONSTRAINT. It is an
 * address, because both split paths at spaces.
 */
const constraints = new URL("./python-constraints.txt", import.meta.url).href;
const pinned = () => ({ ...process.env, PIP_CONSTRAINT: constraints, PIP_BUILD_CONSTRAINT: constraints });

const environment = (folder) => join(folder, "venv");
const inVenv = (folder, name) => join(environment(folder), process.platform === "win32" ? "Scripts" : "bin", name);

/** Python, with a wheel. */
export const python = {
  needs: [["python3", ["--version"], "3.10", "Python from https://www.python.org/downloads"], GO],
  example: "examples/python/__main__.py",

  async build(work, folder) {
    await generateSdk(work, folder);
    giveUid(folder);
    takeClaims(folder);
    const args = ["-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", join(folder, "dist"), folder];
    await work.run("building the wheel", "python3", args, { env: pinned() });
    return `pip install ${wheelIn(folder)}`;
  },

  /** Installs the wheel into a virtual environment of `folder`, where pyright checks the examples. */
  async check(work, { sdk, folder, examples }) {
    await work.run("making a virtual environment", "python3", ["-m", "venv", environment(folder)]);
    const args = ["-m", "pip", "install", "--quiet", `pulumi==${PULUMI}`, wheelIn(sdk)];
    await work.run("installing the wheel", inVenv(folder, "python"), args);
    const programs = join(folder, "examples");
    mkdirSync(programs);
    const all = [...examples, readFileSync(join(checkout, python.example), "utf8")];
    all.forEach((text, index) => writeFileSync(join(programs, `example_${index}.py`), text));
    const pyright = ["exec", "--yes", `--package=pyright@${PYRIGHT}`, "--", "pyright"];
    const options = ["--pythonpath", inVenv(folder, "python"), programs];
    await work.run(`pyright on ${all.length} programs`, "npm", [...pyright, ...options], { cwd: folder });
  },

  library: wheelIn,

  async project(_work, { folder, project, text }) {
    writeFileSync(join(project, "__main__.py"), text);
    return { runtime: "python", path: dirname(inVenv(folder, "python")) };
  },
};

/** The classes of TypeScript have it too. As a property of the schema it would be missing in every state that an earlier release wrote. */
const UID = `
    @_builtins.property
    def uid(self) -> pulumi.Output[_builtins.str]:
        """
        Uid of the object, the same output as \`id\`. It stays known in the preview of an update.
        """
        return self.id
`;

/** Gives every class of a resource the output `uid`. The generator ends each module of a resource with its class. */
function giveUid(folder) {
  const sources = readdirSync(folder, { recursive: true }).filter((name) => name.endsWith(".py"));
  for (const file of sources.map((name) => join(folder, name)))
    if (/^class \w+\(pulumi\.CustomResource\):$/m.test(readFileSync(file, "utf8"))) appendFileSync(file, UID);
}

/** Lets an identity take the result of a claim helper. It does when the program runs, but not for type checkers. */
function takeClaims(folder) {
  const file = join(folder, "pulumi_platform", "iam", "identity.py");
  const names = Object.keys(claimTypes()).join("|");
  const taken = new RegExp(`'(${names})Args', '(?:${names})ArgsDict'`, "g");
  writeFileSync(file, readFileSync(file, "utf8").replaceAll(taken, "$&, 'outputs.$1'"));
}

function wheelIn(folder) {
  const [wheel] = readdirSync(join(folder, "dist")).filter((name) => name.endsWith(".whl"));
  return join(folder, "dist", wheel);
}
