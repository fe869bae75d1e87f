/** `npm test [-- jest arguments]`: runs all tests, engine tests included. `--long` runs the full counts. Ends in `N passed, N failed`. */
import { join } from "node:path";
import { start, throwIfInterrupted } from "./lib/child.mjs";
import { withoutPlatform } from "./lib/emulator.mjs";
import { main } from "./lib/main.mjs";
import { checkout } from "./lib/paths.mjs";
import { bringUp } from "./toolchain/bring-up.mjs";

/** The first Node that lets Jest load ES modules from CommonJS. */
const MINIMUM_NODE = "24.9.0";
const CLOSING_LINE = /^\d+ passed, \d+ failed$/;

const closeAsFailed = () => console.log("0 passed, 1 failed");

main(async () => {
  await bringUp({ node: MINIMUM_NODE, browser: true });
  const { code, lastLine } = await jest(process.argv.slice(2));
  throwIfInterrupted();
  if (!CLOSING_LINE.test(lastLine)) closeAsFailed();
  return code;
}, closeAsFailed);

async function jest(given) {
  const args = given.filter((arg) => arg !== "--long");
  const program = join(checkout, "node_modules", "jest", "bin", "jest.js");
  const child = start("node", [program, ...args], {
    cwd: checkout,
    env: environment(given.includes("--long")),
    stdio: ["ignore", "pipe", "inherit"],
  });
  let printed = "";
  child.process.stdout.on("data", (chunk) => {
    process.stdout.write(chunk);
    printed = (printed + chunk).slice(-1_000);
  });
  const code = await child.ended;
  return { code, lastLine: printed.trimEnd().split("\n").pop() };
}

/** The environment without platform, backend and stack: tests choose their own. */
function environment(long) {
  const kept = Object.entries(withoutPlatform(process.env)).filter(
    ([name]) => !name.startsWith("PULUMI_") || name === "PULUMI_HOME",
  );
  // Hundreds of the processes that tests start load the same modules.
  const cache = { NODE_COMPILE_CACHE: join(checkout, ".state/tests/compile-cache") };
  return { ...cache, ...Object.fromEntries(kept), ...(long && { LONG: "1" }) };
}
