import { run } from "../lib/child.mjs";
import { announce, say } from "../lib/message.mjs";

/** Longer than a slow mirror takes. */
const APT_TIMEOUT_MS = 300_000;

/** The names of installed Chromium. */
const NAMES = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];

/**
 * Installs Chromium for the tests of the report page, if none is on PATH and Debian's packages can be installed. After a failure it gives
 * the reason, and the tests that need Chromium fail with the same advice.
 */
export async function ensureBrowser() {
  if (await isInstalled()) return;
  const outputs = [];
  // The list of packages is requested only if the known one is missing or too old.
  for (const steps of [["install"], ["update", "install"]]) {
    for (const step of steps) outputs.push(await announce(`Browser: apt-get ${step} chromium`, () => apt(step)));
    if (await isInstalled()) return;
  }
  say(`Chromium could not be installed, and the tests of the report page need it: install it, and run the command again.`);
  say(outputs.at(-1).trim().split("\n").slice(-3).join("\n"));
}

async function apt(step) {
  const args = step === "install" ? ["install", "-y", "--no-install-recommends", "chromium"] : ["update"];
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  const { output } = await run("apt-get", args, { capture: true, env, timeoutMs: APT_TIMEOUT_MS }).catch((error) => ({
    output: String(error.message),
  }));
  return output;
}

async function isInstalled() {
  for (const name of NAMES) {
    const answer = await run(name, ["--version"], { capture: true }).catch(() => undefined);
    if (answer?.code === 0) return true;
  }
  return false;
}
