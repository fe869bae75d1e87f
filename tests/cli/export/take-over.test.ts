import { chmod, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import type { Format } from "../../../cli/export/format";
import { importFilesOf } from "../../../cli/export/protection";
import { takeOver } from "../../../cli/export/take-over";
import { Progress } from "../../../cli/shell/progress";
import { Rows } from "./rows";

/** In the checkout, whose node_modules have the package. */
const scratch = path.resolve(__dirname, "../../../.state/tests");
const searched = process.env["PATH"] ?? "";

let folder: string;

beforeEach(async () => {
  await mkdir(scratch, { recursive: true });
  folder = await mkdtemp(path.join(scratch, "take-over-"));
  for (const program of ["npm", "pulumi"]) {
    await writeFile(path.join(folder, program), `#!/bin/sh\necho "${program} $*" >> "${folder}/log"\n`);
    await chmod(path.join(folder, program), 0o755);
  }
  process.env["PATH"] = `${folder}:${searched}`;
});
afterEach(async () => {
  process.env["PATH"] = searched;
  await rm(folder, { recursive: true });
});

async function commands(format: Format, dependency?: string): Promise<string[]> {
  const acme = new Rows();
  acme.add("registry:Repo", acme.group(acme.root, "shop"), { name: "web" });
  const imports = importFilesOf(acme.program());
  expect(await takeOver({ folder, format, stack: "main", imports, dependency }, new Progress())).toBeUndefined();
  const log = (await readFile(path.join(folder, "log"), "utf8")).trim().split("\n");
  return log.map((line) => (line.match(/^(npm|pulumi) \S+|--(file|protect)[= ]\S+/g) ?? []).join(" "));
}

const importing = [
  "pulumi import --file import-protected.json --protect=true",
  "pulumi import --file import.json --protect=false",
];
const taking = ["pulumi stack", "pulumi stack", ...importing, "pulumi preview", "pulumi up"];

test("a program in TypeScript uses the packages of a folder above", async () => {
  expect(await commands("typescript")).toEqual(taking);
});

test("the imports and the update after the preview save the state once each", async () => {
  await writeFile(path.join(folder, "pulumi"), `#!/bin/sh\necho "$1 $PULUMI_SKIP_CHECKPOINTS" >> "${folder}/env"\n`);
  await writeFile(path.join(folder, "log"), "");
  await commands("typescript");
  const lines = (await readFile(path.join(folder, "env"), "utf8")).split("\n").map((line) => line.trim());
  expect(lines.filter((line) => /^(import|up|preview)/.test(line))).toEqual(["import 1", "import 1", "preview", "up 1"]);
});

test("a command that fails names what it printed, and where the remaining commands are", async () => {
  await writeFile(path.join(folder, "npm"), "#!/bin/sh\necho '404 Not Found' >&2; exit 1\n");
  await expect(commands("yaml", "file:../a.tgz")).rejects.toThrow(
    "Install the packages: exit code 1.\n404 Not Found\nThe program is written. Its README.md has the commands",
  );
});

test("a program in YAML needs the plugin in its own folder, where its Pulumi.yaml says that it is", async () => {
  expect(await commands("yaml", "file:../a.tgz")).toEqual(["npm install", ...taking]);
  await mkdir(path.join(folder, "node_modules", ".bin"), { recursive: true });
  await writeFile(path.join(folder, "node_modules", ".bin", "pulumi-resource-platform"), "");
  await rm(path.join(folder, "log"));
  expect(await commands("yaml")).toEqual(taking);
});

test("nothing is installed if it cannot be told from where the package comes: its name may be a stranger's", async () => {
  await expect(commands("yaml")).rejects.toThrow(`Run \`npm install FILE\` in ${folder}`);
  expect(await readdir(folder)).not.toContain("log");
});
