import { readFile, realpath, stat } from "node:fs/promises";
import path from "node:path";
import { z } from "zod";
import { version } from "../../provider/client/version";

/** The name under which a program imports this package. */
export const packageName = "pulumi-platform";

/**
 * The file on which a project depends if {@link ownDependency} is undefined. It must be put into the project's folder; without it npm
 * installs nothing.
 */
export const expectedTarball = `${packageName}-${version}.tgz`;

const record = z.object({
  packages: z.record(z.string(), z.object({ version: z.string().optional(), resolved: z.string().optional() })),
});

/**
 * The dependency of a project on the running package. It is the tarball, folder or address from which npm installed the package. It is
 * never a version, because npm would look the version up in the registry of the project, where a stranger may own the name.
 *
 * @param folder of the project; it need not exist
 * @param code a folder of the package. Default: this one
 * @returns undefined if it is unknown
 */
export async function ownDependency(folder: string, code = __dirname): Promise<string | undefined> {
  const home = await packageAround(code);
  if (home === undefined) return undefined;
  if (!home.split(path.sep).includes("node_modules")) return fileIn(folder, home);
  for (const above of foldersAbove(home)) {
    const found = (await recordIn(above))?.packages[path.relative(above, home).replaceAll(path.sep, "/")];
    if (found === undefined) continue;
    const { version: recorded, resolved = "" } = found;
    if (recorded !== version) return undefined;
    return resolved.startsWith("file:")
      ? fileIn(folder, path.resolve(above, resolved.slice("file:".length)))
      : plainAddress(resolved);
  }
  return undefined;
}

/** The real folder of this package, which contains `code`. */
async function packageAround(code: string): Promise<string | undefined> {
  const start = await realpath(code);
  for (const folder of [start, ...foldersAbove(start)]) {
    const text = await readFile(path.join(folder, "package.json"), "utf8").catch(() => undefined);
    if (text !== undefined) return (JSON.parse(text) as { name?: unknown }).name === packageName ? folder : undefined;
  }
  return undefined;
}

/** The record of npm 7 and newer on the packages installed in a project. */
async function recordIn(project: string): Promise<z.infer<typeof record> | undefined> {
  const file = path.join(project, "node_modules", ".package-lock.json");
  const read = async () => JSON.parse(await readFile(file, "utf8")) as unknown;
  return record.safeParse(await read().catch(() => undefined)).data;
}

/** The path of `target` from `folder`; undefined if it is gone, on another drive, or a path that npm would read differently. */
async function fileIn(folder: string, target: string): Promise<string | undefined> {
  const found = await stat(target).catch(() => undefined);
  if (found === undefined) return undefined;
  const way = path.relative(await realPath(path.resolve(folder)), await realpath(target)).replaceAll(path.sep, "/");
  return path.isAbsolute(way) || /[#%?]/.test(way) ? undefined : `file:${way}`;
}

/** The real path of a folder that need not exist. npm resolves dependencies of a project from there. */
async function realPath(folder: string): Promise<string> {
  return realpath(folder).catch(async () => {
    const above = path.dirname(folder);
    return above === folder ? folder : path.join(await realPath(above), path.basename(folder));
  });
}

/** An address without any part that may be secret; undefined for any other text. */
function plainAddress(text: string): string | undefined {
  const address = URL.parse(text);
  if (address === null || !/^https?:$/.test(address.protocol)) return undefined;
  return address.username + address.password + address.search + address.hash === "" ? text : undefined;
}

function foldersAbove(folder: string): string[] {
  const above = path.dirname(folder);
  return above === folder ? [] : [above, ...foldersAbove(above)];
}
