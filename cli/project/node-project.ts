import { expectedTarball, packageName } from "./own-package";

/** The `tsconfig.json` of a program in TypeScript. */
export const compilerOptions = {
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

/**
 * The `package.json` of a project. `main` is its program in TypeScript.
 *
 * @param own the dependency on this package. Default: its tarball, which must be put into the folder
 */
export function packageFile(about: { readonly name: string; readonly main?: string }, own = `file:${expectedTarball}`): string {
  const compiler = about.main === undefined ? {} : { devDependencies };
  return json({ ...about, private: true, dependencies: { ...dependencies, [packageName]: own }, ...compiler });
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
export function projectName(name: string): string {
  const words = name.toLowerCase().match(/[a-z0-9]+/g) ?? [];
  const text = words
    .join("-")
    .slice(0, 80)
    .replace(/^[0-9]/, "p$&");
  return text === "" ? "organization" : takenNames.has(text) ? `${text}-organization` : text;
}

/** `value` as the text of a JSON file. */
export function json(value: object): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
