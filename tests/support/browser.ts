import { execFileSync } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { chromium, type BrowserContext } from "playwright-core";

const names = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];

/** Chromium without a window, with a profile of its own; `close` removes that too. */
export async function startBrowser(): Promise<BrowserContext> {
  const profile = await mkdtemp(path.join(tmpdir(), "pulumi-platform-browser-"));
  const browser = await chromium.launchPersistentContext(profile, {
    executablePath: installed(),
    viewport: { width: 1300, height: 800 },
    // The sandbox of the browser does not work for root, nor in most containers; the page under test is ours.
    args: ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update", "--disable-sync"],
  });
  // Only ends a test that hangs: a busy machine takes many times as long as an idle one.
  browser.setDefaultTimeout(300_000);
  browser.on("close", () => void rm(profile, { recursive: true, force: true }));
  return browser;
}

/** @throws Error that says what to install */
function installed(): string {
  for (const name of names) {
    try {
      return execFileSync("which", [name], { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }).trim();
    } catch {
      // The next one.
    }
  }
  throw new Error(`These tests need Chromium on PATH, as one of ${names.join(", ")}: npm test installs it where it can.`);
}
