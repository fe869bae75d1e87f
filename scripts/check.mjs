/** `npm run check`: types, lint, format, dead code, package lint, and the tests that run the compiler. Runs all of them, even if one fails. */
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { run } from "./lib/child.mjs";
import { main } from "./lib/main.mjs";
import { say } from "./lib/message.mjs";
import { checkout } from "./lib/paths.mjs";
import { bringUp } from "./toolchain/bring-up.mjs";
import { NODE_OF_JEST } from "./toolchain/node.mjs";

main(async () => {
  await bringUp({ node: NODE_OF_JEST, engine: false });
  // ESLint takes as long as all the others together.
  const failed = (await Promise.all([failures([["eslint", "."]]), failures(others())])).flat();
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

function others() {
  const examples = readdirSync(join(checkout, "examples")).map((name) => join("examples", name, "tsconfig.json"));
  const programs = examples.filter((file) => existsSync(join(checkout, file)));
  return [
    ["tsc", "--noEmit", "-p", "."],
    ["tsc", "--noEmit", "-p", join("report", "page")],
    ...programs.map((file) => ["tsc", "--noEmit", "-p", file]),
    ["prettier", "--check", "."],
    ["knip"],
    ["publint", "--strict"],
    ["attw", "--pack", "."],
    ["jest", "-c", "jest.compile.config.js", "--verbose=false"],
  ];
}
