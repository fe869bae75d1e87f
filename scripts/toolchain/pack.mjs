import { join } from "node:path";
import { Failure } from "../lib/message.mjs";
import { checkout } from "../lib/paths.mjs";
import { npm } from "./npm.mjs";

/** Packs the compiled package, or that of another folder, into `folder`. Returns the tarball. */
export async function packPackage(folder, source = checkout) {
  const args = ["pack", "--ignore-scripts", "--json", "--pack-destination", folder];
  const { code, output, stdout } = await npm(args, { cwd: source, capture: true });
  if (code !== 0) throw new Failure(`npm pack failed:\n${output.trimEnd()}`);
  return join(folder, JSON.parse(stdout)[0].filename);
}
