import { execFileSync } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { chromium, type BrowserContext } from "playwright-core";

/** A browser that a test drives. */
export interface TestBrowser {
  readonly context: BrowserContext;
  /** Ends it, and removes its profile. */
  close(): Promise<void>;
}

const names = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];

/** Chromium without a window, with a profile of its own. */
export async function startBrowser(): Promise<TestBrowser> {
  const profile = await mkdtemp(path.join(tmpdir(), "pulumi-platform-browser-"));
  const context = await chromium.launchPersistentContext(profile, {
    executablePath: installed(),
    viewport: { width: 1300, height: 800 },
    // The sandbox of the browser does not work for root, nor in most containers; the page under test is ours.
    args: ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update", "--disable-sync"],
  });
  // Only ends a test that hangs: a busy machine takes many times as long as an idle one.
  context.setDefaultTimeout(300_000);
  const close = async () => {
    await context.close();
    // Its processes may write for a moment longer.
    await rm(profile, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
  };
  return { context, close };
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
