/** The oldest Node.js that runs this package, as major and minor version. `engines` in package.json has the same. */
const needed: readonly [number, number] = [22, 13];

/**
 * The problem with a version of Node.js, and the remedy; undefined if it is new enough. This file is loaded before all others and runs on
 * any Node.js, while the others use newer features.
 *
 * @param version `24.1.0`. Default: that of this process
 */
export function nodeProblem(version: string = process.versions.node): string | undefined {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  if (major > needed[0] || (major === needed[0] && minor >= needed[1])) return undefined;
  return `pulumi-platform needs Node.js ${needed.join(".")} or newer; this is ${version} (${process.execPath}). Install a newer one, and put it first on PATH. [CONFIGURATION]`;
}
