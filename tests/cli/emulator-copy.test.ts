import { once } from "node:events";
import { readFileSync, statSync } from "node:fs";
import path from "node:path";
import { createInterface } from "node:readline";
import { text } from "node:stream/consumers";
import type { CopyReport } from "../../emulator";
import { expectEnd, run, runBuilt, start } from "../support/cli";
import { scratchFolder } from "../support/scratch-folder";
import { TestPlatform } from "../support/test-platform";

const folder = scratchFolder();
const platform = TestPlatform.forFile({ seed: "sample" });

interface Ready {
  readonly baseUrl: string;
  readonly organization: string;
  readonly identity: string;
  readonly oidcTokenFile: string;
  readonly copy: CopyReport;
}

/** Runs `pulumi-platform emulator`, and asks it meanwhile. @returns what it printed on standard error */
async function serving(
  args: readonly string[],
  environment: Record<string, string>,
  ask: (ready: Ready) => Promise<void>,
): Promise<string> {
  const child = start(["emulator", "--port", "0", ...args], environment);
  const said = text(child.stderr);
  try {
    const line = await Promise.race([once(createInterface(child.stdout), "line"), once(child, "exit").then(() => said)]);
    if (typeof line === "string") throw new Error(line);
    await ask(JSON.parse(line[0] as string) as Ready);
    child.kill("SIGTERM");
    expect(await once(child, "close")).toEqual([0, null]);
    return await said;
  } finally {
    child.kill("SIGKILL");
  }
}

/** The access that a copy shows, read as one of its identities. */
async function accessIn({ baseUrl, organization, oidcTokenFile, identity }: Ready): Promise<string> {
  const environment = {
    PLATFORM_BASE_URL: baseUrl,
    PLATFORM_ORGANIZATION: organization,
    PLATFORM_OIDC_TOKEN_FILE: oidcTokenFile,
    PLATFORM_IDENTITY: identity,
  };
  return expectEnd(await runBuilt(["access"], environment), 0, { stdout: "owner" }).stdout;
}

test("a copy by name shows the access of the platform, and says in words and in JSON that it is exact", async () => {
  const { stdout } = expectEnd(await runBuilt(["access"], platform.environment), 0, { stdout: "owner" });
  const said = await serving(["--copy-of", "acme.example"], platform.environment, async (ready) => {
    expect(ready).toMatchObject({ organization: platform.root, identity: platform.identity });
    expect(ready.copy).toMatchObject({ name: "acme.example", hidesPeople: false, inexact: [] });
    expect(await accessIn(ready)).toBe(stdout);
  });
  expect(said).toMatch(/A copy of "acme\.example" with \d+ objects, every object as the platform shows it/);
});

test("a copy by uid that hides people is kept in a file of its owner without addresses, and served again without credentials", async () => {
  const file = path.join(folder, "copy.db");
  const mail = "nina.o'brien@acme.example";
  const { uid } = await platform.named("identities", "zoe");
  await platform.change("identities", uid, {
    description: `runs for ${mail}`,
    claimMatch: { issuer: platform.issuer, subject: mail },
  });
  let shown = "";
  const hides = ["--copy-of", platform.root, "--data", file, "--hide-people"];
  const said = await serving(hides, platform.environment, async (ready) => {
    expect(ready.copy).toMatchObject({ hidesPeople: true, inexact: [{ what: "logins and addresses of people" }] });
    shown = await accessIn(ready);
    expect(shown).not.toMatch(/nina|brien/);
  });
  expect(said).toContain("not exact:\n  logins and addresses of people: this copy hides them");
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(readFileSync(file, "latin1").match(/nina\.|brien|@acme\.example/g)).toBe(null);
  await serving(["--data", file], {}, async (ready) => {
    expect(ready.copy.inexact.map(({ what }) => what)).toEqual([
      "logins and addresses of people",
      expect.stringContaining("looked up") as string,
    ]);
    expect(await accessIn(ready)).toBe(shown);
  });
});

test("people are hidden in copies only, and an organisation that nobody sees cannot be copied", async () => {
  expectEnd(await run(["emulator", "--hide-people"]), 2, { stderr: "--hide-people is for --copy-of." });
  const nobody = ["emulator", "--port", "0", "--copy-of", "nobody.example"];
  expectEnd(await run(nobody, platform.environment), 1, { stdout: [], stderr: ["nobody.example", "no root group"] });
});
