/** The oldest Node.js that runs this package: major and minor version, as `engines` in package.json has them. */
const needed: readonly [number, number] = [22, 13];

/**
 * What is wrong with a version of Node.js, and what to do; undefined if it is new enough. Any Node.js can load this file, which comes
 * before all others: they use what older ones do not have.
 *
 * @param version `24.1.0`. Default: that of this process
 */
export function nodeProblem(version: string = process.versions.node): string | undefined {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  if (major > needed[0] || (major === needed[0] && minor >= needed[1])) return undefined;
  return `pulumi-platform needs Node.js ${needed.join(".")} or newer; this is ${version} (${process.execPath}). Install a newer one, and put it first on PATH. [CONFIGURATION]`;
}
