/** `npm run check`: types, lint, format, dead code, package lint, and the tests that run the compiler. Runs all of them, even if one fails. */
import { existsSync, mkdirSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { run } from "./lib/child.mjs";
import { main } from "./lib/main.mjs";
import { say } from "./lib/message.mjs";
import { checkout, stateFolder } from "./lib/paths.mjs";
import { bringUp } from "./toolchain/bring-up.mjs";
import { NODE_OF_JEST } from "./toolchain/node.mjs";
import { packPackage } from "./toolchain/pack.mjs";

main(async () => {
  await bringUp({ node: NODE_OF_JEST, engine: false });
  // ESLint takes as long as all the others together.
  const failed = (await Promise.all([failures([["eslint", "."]]), failures(others(await packed()))])).flat();
  say(failed.length === 0 ? "==> all checks passed" : `==> failed: ${failed.join("; ")}`);
  return failed.length === 0 ? 0 : 1;
});

/** Runs checks one after another, and prints the output of each when it has ended. Returns the names of those that failed. */
async function failures(checks) {
  const failed = [];
  for (const [tool, ...args] of checks) {
    const name = [tool, ...args].join(" ");
    const { code, output } = await run(join(checkout, "node_modules", ".bin", tool), args, { cwd: checkout, capture: true });
    say(`==> ${name}\n${output.trimEnd()}`.trimEnd());
    if (code !== 0) failed.push(name);
  }
  return failed;
}

/** The tarball of the package. `attw --pack` would remove the one in the checkout, from which programs install the package. */
async function packed() {
  const folder = join(stateFolder, "check");
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  return packPackage(folder);
}

/** @param tarball the packed package */
function others(tarball) {
  const examples = readdirSync(join(checkout, "examples")).map((name) => join("examples", name, "tsconfig.json"));
  const programs = examples.filter((file) => existsSync(join(checkout, file)));
  return [
    ["tsc", "--noEmit", "-p", "."],
    ["tsc", "--noEmit", "-p", join("report", "page")],
    ...programs.map((file) => ["tsc", "--noEmit", "-p", file]),
    ["prettier", "--check", "."],
    ["knip"],
    ["publint", "--strict"],
    ["attw", tarball],
    ["jest", "-c", "jest.compile.config.js", "--verbose=false"],
  ];
}
