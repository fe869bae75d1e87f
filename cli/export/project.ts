import { importDocument, nativeImportFile } from "../from-terraform/import-file";
import { kindNames } from "../../inventory/kinds";
import type { Program } from "./program";
import type { Format } from "./format";
import { expectedTarball, packageName } from "./own-package";
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
  const shared = new Map([["README.md", readme(program, source, format)], [".gitignore", "node_modules/\n"], ...imports]);
  if (format === "yaml")
    return new Map([
      ...shared,
      ["Pulumi.yaml", yamlProgram(program, project, knownName)],
      ["package.json", packageFile({ name: project.name }, dependency)],
    ]);
  return new Map([
    ...shared,
    ["Pulumi.yaml", `name: ${project.name}\ndescription: ${quotedText(project.description)}\nruntime: nodejs\n`],
    ["package.json", packageFile({ name: project.name, main: "index.ts" }, dependency)],
    ["tsconfig.json", json(compilerOptions)],
    ...typescriptFiles(program, around),
  ]);
}

/** Whether the program declares the group `uid`. */
export function declaresGroup({ resources }: Program, uid: string): boolean {
  return resources.some(({ object }) => object.kind === kindNames.group && object.uid === uid);
}

const compilerOptions = {
  compilerOptions: {
    target: "es2022",
    module: "nodenext",
    moduleResolution: "nodenext",
    types: ["node"],
    strict: true,
    skipLibCheck: true,
    noEmit: true,
  },
  files: ["index.ts"],
};

const dependencies = { "@pulumi/pulumi": "^3.216.0" };
const devDependencies = { "@types/node": "^22.0.0", typescript: "^5.9.0" };

function packageFile(about: { readonly name: string; readonly main?: string }, own = `file:${expectedTarball}`): string {
  return json({ ...about, private: true, dependencies: { ...dependencies, [packageName]: own }, devDependencies });
}

/**
 * Names that a project cannot have. The engine stores configuration under the project's name, where the first two have settings of their
 * own. npm does not install a package into a project of the same name. The others are not texts in YAML.
 */
const takenNames: ReadonlySet<string> = new Set([
  ...["platform", "pulumi", "true", "false", "null"],
  ...[packageName, ...Object.keys({ ...dependencies, ...devDependencies })],
]);

/** The name with only the characters that Pulumi and npm allow for a project. */
function projectName(name: string): string {
  const words = name.toLowerCase().match(/[a-z0-9]+/g) ?? [];
  const text = words
    .join("-")
    .slice(0, 80)
    .replace(/^[0-9]/, "p$&");
  return text === "" ? "organization" : takenNames.has(text) ? `${text}-organization` : text;
}

function json(value: object): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
