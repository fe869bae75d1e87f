/**
 * `npm test [-- jest arguments]`: every rule once, with the engine. `--long`: all tests, with full counts. Prints its duration, and ends in
 * `N passed, N failed`.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { start, throwIfInterrupted } from "./lib/child.mjs";
import { withoutPlatform } from "./lib/emulator.mjs";
import { main } from "./lib/main.mjs";
import { checkout } from "./lib/paths.mjs";
import { bringUp } from "./toolchain/bring-up.mjs";
import { NODE_OF_JEST } from "./toolchain/node.mjs";

/** Clock ticks per second, which is the unit of /proc on every Linux (proc_pid_stat(5)). */
const CLOCK_TICKS = 100;
const CLOSING_LINE = /^\d+ passed, \d+ failed$/;

const closeAsFailed = () => console.log("0 passed, 1 failed");

main(async () => {
  await bringUp({ node: NODE_OF_JEST, browser: true });
  const { code, lastLine } = await jest(process.argv.slice(2));
  throwIfInterrupted();
  if (!CLOSING_LINE.test(lastLine)) closeAsFailed();
  return code;
}, closeAsFailed);

async function jest(given) {
  const args = given.filter((arg) => arg !== "--long");
  const program = join(checkout, "node_modules", "jest", "bin", "jest.js");
  const [startedAt, usedBefore] = [Date.now(), cpuSeconds()];
  const child = start("node", [program, ...args], {
    cwd: checkout,
    env: environment(given.includes("--long")),
    stdio: ["ignore", "pipe", "inherit"],
  });
  // The last line is held back, so that the time comes before it.
  let held = "";
  child.process.stdout.on("data", (chunk) => {
    held += chunk;
    const end = held.lastIndexOf("\n", held.length - 2) + 1;
    process.stdout.write(held.slice(0, end));
    held = held.slice(end);
  });
  const code = await child.ended;
  const used = usedBefore === undefined ? "" : `, ${Math.round(cpuSeconds() - usedBefore)} CPU seconds`;
  console.log(`${minutes(Date.now() - startedAt)}${used}`);
  process.stdout.write(held);
  return { code, lastLine: held.trimEnd() };
}

const minutes = (milliseconds) => `${Math.floor(milliseconds / 60_000)} min ${Math.round((milliseconds % 60_000) / 1_000)} s`;

/** CPU time of all processes below this one that have ended and were waited for; undefined where there is no /proc. */
function cpuSeconds() {
  if (process.platform !== "linux") return undefined;
  const stat = readFileSync("/proc/self/stat", "utf8");
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  const [user, system] = [Number(fields[13]), Number(fields[14])];
  return (user + system) / CLOCK_TICKS;
}

/** The environment without platform, backend and stack, because tests choose their own. */
function environment(long) {
  const kept = Object.entries(withoutPlatform(process.env)).filter(
    ([name]) => !name.startsWith("PULUMI_") || name === "PULUMI_HOME",
  );
  // Hundreds of processes of tests load the same modules.
  const cache = { NODE_COMPILE_CACHE: join(checkout, ".state/tests/compile-cache") };
  return { ...cache, ...Object.fromEntries(kept), ...(long && { LONG: "1" }) };
}
