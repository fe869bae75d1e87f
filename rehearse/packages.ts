import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import type { StateResource } from "./private-stack";

/** The packages that the host of a rehearsal serves. */
const own: ReadonlySet<string> = new Set(["platform", "pulumi-nodejs", "pulumi"]);

/** The places that name the packages a program may use. */
export interface PackageSources {
  readonly resources: readonly StateResource[];
  /** Packages for which the project has plugins of its own. */
  readonly project: readonly string[];
  /** The folder of the program. */
  readonly folder: string;
  /** The engine's real home. */
  readonly home: string;
  /** The value of `PATH`. */
  readonly search: string;
}

/** Serves dynamic resources in Python. The engine also finds its plugin beside itself, where `PATH` may not lead. */
const bundled = "pulumi-python";

/**
 * The other packages of a program: those of its state, of its project, of its `node_modules`, and those with a plugin on this machine. A
 * package in none of them has no plugin to run either.
 */
export function otherPackages({ resources, project, folder, home, search }: PackageSources): string[] {
  const inState = resources.map(({ type }) => /^pulumi:providers:(.+)$/.exec(type)?.[1] ?? type.split(":")[0] ?? "");
  const plugins = filesIn(path.join(home, "plugins")).map((name) => /^resource-(.+)-v\d/.exec(name)?.[1]);
  const onPath = search
    .split(path.delimiter)
    .flatMap((each) => filesIn(each).map((name) => /^pulumi-resource-([^.]+)/.exec(name)?.[1]));
  const all = [bundled, ...inState, ...project, ...inNodeModules(folder), ...plugins, ...onPath];
  return [...new Set(all)].filter((name): name is string => name !== undefined && name !== "" && !own.has(name)).sort();
}

/** The packages that SDKs in `node_modules` name, of the folder and of those above it. */
function inNodeModules(folder: string): string[] {
  return above(folder).flatMap((each) => {
    const modules = path.join(each, "node_modules");
    const folders = filesIn(modules).flatMap((name) =>
      name.startsWith("@") ? filesIn(path.join(modules, name)).map((inner) => path.join(name, inner)) : [name],
    );
    return folders.flatMap((name) => packageIn(path.join(modules, name, "package.json")) ?? []);
  });
}

/** The package in the member `pulumi` of the `package.json` of an SDK. */
function packageIn(file: string): string | undefined {
  const text = existsSync(file) ? readFileSync(file, "utf8") : "";
  if (!text.includes('"pulumi"')) return undefined;
  try {
    const { name = "", pulumi } = JSON.parse(text) as { name?: string; pulumi?: { resource?: boolean; name?: string } };
    return pulumi?.resource === true ? (pulumi.name ?? name.replace(/^.*\//, "")) : undefined;
  } catch {
    return undefined;
  }
}

/** A folder, and all above it, the nearest first. */
export function above(folder: string): string[] {
  const parent = path.dirname(folder);
  return parent === folder ? [folder] : [folder, ...above(parent)];
}

function filesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
