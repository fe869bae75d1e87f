import { importDocument, nativeImportFile } from "../project/import-document";
import { kindNames } from "../../inventory/kinds";
import { compilerOptions, json, packageFile, projectName } from "../project/node-project";
import type { Program } from "./program";
import type { Format } from "./format";
import { importFilesOf } from "./protection";
import { readme } from "./readme";
import { stateOfResource } from "./resource-state";
import { quotedText } from "./source-text";
import { type Root, typescriptFiles } from "./typescript";
import { yamlProgram } from "./yaml";

/** The origin of an export. */
export interface Source {
  /** The group that was exported. */
  readonly root: Root & { readonly name: string };
  /** The group around the program. It is the exported group if the program does not declare it, otherwise the group above. */
  readonly around: Root | undefined;
  /** The name of an object outside of the program, if it is known. */
  readonly knownName: (uid: string) => string | undefined;
  /** See {@link ownDependency}. */
  readonly dependency: string | undefined;
}

/** Every file of the project, by its path. */
export function projectFiles(program: Program, source: Source, format: Format): Map<string, string> {
  const { root, around, knownName, dependency } = source;
  const project = { name: projectName(root.name), description: `${root.path ?? root.uid}, written by pulumi-platform export` };
  const imports = importFilesOf(program).map(({ name, resources }) => {
    const entries = resources.map((resource) => ({
      kind: resource.kind,
      logicalName: resource.logicalName,
      id: resource.object.uid,
      ...stateOfResource(resource),
    }));
    return [name, format === "yaml" ? nativeImportFile(entries) : importDocument(entries)] as const;
  });
  const shared = new Map([["README.md", readme(program, source, format)], ...imports]);
  if (format === "yaml")
    return new Map([
      ...shared,
      [".gitignore", ignored],
      ["Pulumi.yaml", yamlProgram(program, project, knownName)],
      ["package.json", packageFile({ name: project.name }, dependency)],
    ]);
  return new Map([...shared, ...typescriptProject(program, project, around, dependency)]);
}

/** The project of a program in TypeScript. @param around the group around the program, if there is one */
export function typescriptProject(
  program: Program,
  { name, description }: { readonly name: string; readonly description: string },
  around: Root | undefined,
  dependency: string | undefined,
): Map<string, string> {
  return new Map([
    [".gitignore", ignored],
    ["Pulumi.yaml", `name: ${name}\ndescription: ${quotedText(description)}\nruntime: nodejs\n`],
    ["package.json", packageFile({ name, main: "index.ts" }, dependency)],
    ["tsconfig.json", json(compilerOptions)],
    ...typescriptFiles(program, around),
  ]);
}

const ignored = "node_modules/\n";

/** Whether the program declares the group `uid`. */
export function declaresGroup({ resources }: Program, uid: string): boolean {
  return resources.some(({ object }) => object.kind === kindNames.group && object.uid === uid);
}
