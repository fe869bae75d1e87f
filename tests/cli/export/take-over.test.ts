import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import type { Format } from "../../../cli/export/format";
import { takeOver } from "../../../cli/export/take-over";
import { Progress } from "../../../cli/progress";

/** In the checkout, whose node_modules have the package. */
const scratch = path.resolve(__dirname, "../../../.state/tests");
const searched = process.env["PATH"] ?? "";

let folder: string;

beforeEach(async () => {
  await mkdir(scratch, { recursive: true });
  folder = await mkdtemp(path.join(scratch, "take-over-"));
  for (const program of ["npm", "pulumi"]) {
    await writeFile(path.join(folder, program), `#!/bin/sh\necho "${program} $1" >> "${folder}/log"\n`);
    await chmod(path.join(folder, program), 0o755);
  }
  process.env["PATH"] = `${folder}:${searched}`;
});
afterEach(async () => {
  process.env["PATH"] = searched;
  await rm(folder, { recursive: true });
});

async function commands(format: Format): Promise<string[]> {
  expect(await takeOver({ folder, format, stack: "main", count: 1 }, new Progress())).toBeUndefined();
  return (await readFile(path.join(folder, "log"), "utf8")).trim().split("\n");
}

const taking = ["pulumi stack", "pulumi stack", "pulumi import", "pulumi preview"];

test("a program in TypeScript uses the packages of a folder above", async () => {
  expect(await commands("typescript")).toEqual(taking);
});

test("a command that fails names what it printed, and where the remaining commands are", async () => {
  await writeFile(path.join(folder, "npm"), "#!/bin/sh\necho '404 Not Found' >&2; exit 1\n");
  await expect(commands("yaml")).rejects.toThrow(
    "Install the packages: exit code 1.\n404 Not Found\nThe program is written. Its README.md has the commands",
  );
});

test("a program in YAML needs the plugin in its own folder, where its Pulumi.yaml says that it is", async () => {
  expect(await commands("yaml")).toEqual(["npm install", ...taking]);
  await mkdir(path.join(folder, "node_modules", ".bin"), { recursive: true });
  await writeFile(path.join(folder, "node_modules", ".bin", "pulumi-resource-platform"), "");
  await rm(path.join(folder, "log"));
  expect(await commands("yaml")).toEqual(taking);
});
