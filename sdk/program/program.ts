import { createRequire } from "node:module";
import path from "node:path";
import { ProgramFailure } from "./program-failure";

/** Program folders from which the provider has been found. */
const found = new Set<string>();

/**
 * Checks that the engine's provider host will find this package. The host loads it from the program's folder, even if a component library
 * brought it. Does nothing under mocks, and in inline programs, whose host has another folder.
 *
 * @param what the resource, for the message
 * @throws pulumi.RunError with the name of the package.json that needs the dependency
 */
export function requireInProgram(what: string, folder = process.cwd(), script = process.argv[1]): void {
  const isProgram = /[\\/]@pulumi[\\/]pulumi[\\/]cmd[\\/]run(?:[\\/]|$)/.test(script ?? "");
  if (!isProgram || found.has(folder)) return;
  try {
    createRequire(path.join(folder, "program.js")).resolve("pulumi-platform/provider");
    found.add(folder);
  } catch {
    const name = JSON.stringify("pulumi-platform");
    throw new ProgramFailure(
      "CONFIGURATION",
      `${what}: the engine loads ${name} from the folder of the program, where it is not installed. Add ${name} to "dependencies" in ${path.join(folder, "package.json")}, in the version that your component library uses and from the same tarball or registry (\`npm install FILE\`).`,
    );
  }
}
