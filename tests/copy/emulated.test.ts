import { mkdtempSync, statSync } from "node:fs";
import { readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startEmulator } from "../../emulator";
import { call, TestPlatform } from "../support/test-platform";
import { exchangeAt } from "./support";

const platform = TestPlatform.forFile({ seed: "sample" });
const folder = mkdtempSync(join(tmpdir(), "copies-"));
afterAll(() => rm(folder, { recursive: true }));

const former = { ...process.env };
beforeAll(() => Object.assign(process.env, platform.environment));
afterAll(() => {
  process.env = former;
});

/** The groups that an emulator shows to the identity of its token file. */
async function groupsOf({ baseUrl, oidcTokenFile }: { baseUrl: string; oidcTokenFile: string }, identity = ""): Promise<unknown> {
  const token = await readFile(oidcTokenFile, "utf8");
  const { body } = await exchangeAt(baseUrl, token, { aud: baseUrl, identity });
  const reply = await call("GET", `${baseUrl}/iam/v2/groups`, undefined, { authorization: `Bearer ${String(body["token"])}` });
  return reply.body["groups"];
}

test("an emulator starts with a copy of an organisation, by name or uid, and its token logs in as anybody", async () => {
  for (const copyOf of ["acme.example", platform.root]) {
    const running = await startEmulator({ port: 0, copyOf });
    expect(running).toMatchObject({ organization: platform.root, identity: platform.identity });
    expect(running.copy).toMatchObject({ name: "acme.example", hidesPeople: false, inexact: [] });
    expect(await groupsOf(running)).toHaveLength(4);
    const { uid } = await platform.named("identities", "zoe");
    expect(await groupsOf(running, uid)).toHaveLength(3);
    await running.close();
  }
});

test("a kept copy is readable by its owner only, keeps its changes and is not read again", async () => {
  const data = join(folder, "copy.db");
  const first = await startEmulator({ port: 0, data, copyOf: "acme.example" });
  expect(statSync(data).mode & 0o777).toBe(0o600);
  await call("POST", `${first.adminUrl}/objects/groups`, { parent: platform.root, name: "local" });
  const roles = await call("GET", `${first.adminUrl}/objects?kind=roles`);
  await first.close();
  await platform.admin("DELETE", "requests");
  for (const options of [{ copyOf: platform.root }, {}]) {
    const again = await startEmulator({ port: 0, data, ...options });
    expect(await groupsOf(again)).toHaveLength(5);
    expect((await call("GET", `${again.adminUrl}/objects?kind=roles`)).body).toEqual(roles.body);
    expect(again.copy?.inexact.map(({ what }) => what)).toEqual([expect.stringContaining("looked up") as string]);
    await again.close();
  }
  expect(await platform.requests()).toEqual([]);
  await expect(startEmulator({ port: 0, data, copyOf: "other.example" })).rejects.toThrow(/holds a copy of/);
  await expect(startEmulator({ port: 0, data, copyOf: platform.root, hidePeople: true })).rejects.toThrow(/shows people/);
});

test("a data file with another content is not filled with a copy", async () => {
  const data = join(folder, "own.db");
  await (await startEmulator({ port: 0, data })).close();
  await expect(startEmulator({ port: 0, data, copyOf: platform.root })).rejects.toThrow(/an organisation of its own/);
});

test.each([
  ["nobody.example", /no root group/],
  [`${"a".repeat(40)}/${"b".repeat(16)}`, /whole organisation/],
])("%s cannot be copied", async (copyOf, why) => {
  await expect(startEmulator({ port: 0, copyOf })).rejects.toThrow(why);
});
