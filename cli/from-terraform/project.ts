import path from "node:path";
import { packagePart } from "../export/readme";
import type { Program } from "../export/program";
import { typescriptProject } from "../export/project";
import { projectName } from "../project/node-project";
import { ownDependency } from "../project/own-package";
import { writeProject } from "../project/write-project";
import { markdownCode, markdownText } from "../text/markdown";
import type { Conversions } from "./conversion";
import { importFile } from "./import-file";
import { terraformProgram } from "./program";

/** The name of the file for `pulumi import` in a written project. */
export const importName = "import.json";

/** Writes a program for the converted objects into an empty or new folder, with the file that imports them. @returns the files */
export async function writeProgram(folder: string, result: Conversions): Promise<string[]> {
  const dependency = await ownDependency(folder);
  const program = terraformProgram(result.converted);
  const name = projectName(path.basename(path.resolve(folder)));
  const project = { name, description: "From a Terraform state, by pulumi-platform from-terraform" };
  const files = new Map([
    ...typescriptProject(program, project, undefined, dependency),
    [importName, importFile(result.converted)],
    ["README.md", readme(name, program, result, dependency)],
  ]);
  await writeProject(folder, files);
  return [...files.keys()];
}

/** An introduction to the program for people, as Markdown. */
function readme(name: string, { secrets }: Program, result: Conversions, dependency: string | undefined): string {
  const notes = result.converted.flatMap(({ object, notes: all }) => all.map((note) => [object.address, note] as const));
  const left = result.unconverted.map(({ object, reason }) => [object.address, reason] as const);
  const parts = [
    `# ${markdownText(name)}`,
    `${result.converted.length} objects of a Terraform state. Until Terraform forgets them, both tools manage them: change nothing before.`,
    "## Take it over",
    packagePart(dependency),
    code(
      "npm install",
      "pulumi stack init main",
      `pulumi import --file ${importName} --generate-code=false --protect=false`,
      "pulumi preview --refresh --run-program --expect-no-changes",
    ),
    "The preview exits with 0 if program, state and platform agree. Then make Terraform forget the objects, with the blocks of `--removed`.",
    ...(secrets.length === 0
      ? []
      : [
          "## Secrets",
          "The platform does not return these. While one is not set, the platform keeps its value. Set one to have the program manage it.",
          code(...secrets.map((key) => `pulumi config set --secret ${key}`)),
        ]),
    ...section("To know", notes),
    ...section("Not converted; Terraform keeps them", left),
  ];
  return `${parts.join("\n\n")}\n`;
}

function section(title: string, rows: readonly (readonly [address: string, text: string])[]): string[] {
  if (rows.length === 0) return [];
  return [`## ${title}`, rows.map(([address, text]) => `- ${markdownCode(address)}: ${markdownText(text)}.`).join("\n")];
}

function code(...lines: string[]): string {
  return ["```sh", ...lines, "```"].join("\n");
}
