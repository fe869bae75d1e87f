import { existsSync } from "node:fs";
import { stat, writeFile } from "node:fs/promises";
import { connect } from "node:net";
import { join } from "node:path";
import { startEmulator, type Emulator, type EmulatorOptions } from "../../emulator";
import { Bench } from "./support";
import { scratchFolder } from "../support/scratch-folder";

const running: { close(): Promise<void> }[] = [];

async function start(options: EmulatorOptions): Promise<Emulator> {
  const emulator = await startEmulator({ port: 0, ...options });
  running.push(emulator);
  return emulator;
}

async function startBench(options: EmulatorOptions = {}): Promise<Bench> {
  const bench = await Bench.start(options);
  running.push(bench.emulator);
  return bench;
}

let data: string;
beforeEach(() => {
  data = join(scratchFolder(), "platform.db");
});
afterEach(async () => {
  for (const emulator of running.splice(0)) await emulator.close();
});

const portOf = (url: string) => Number(new URL(url).port);

test("kept data, uids and tokens survive a restart on the same port", async () => {
  const first = await startBench({ data });
  const group = await first.group("kept");
  const list = await first.ok("GET", `/iam/v2beta1/roles?page_size=1`);
  const token = await first.tokenOf(first.identity);
  await first.close();

  const second = await startBench({ data, port: portOf(first.baseUrl) });
  expect({ ...second.emulator, close: null }).toEqual({ ...first.emulator, close: null });
  expect(await second.ok("GET", `/iam/v2beta1/groups/${group}`, undefined, token)).toMatchObject({ name: "kept" });
  const page = `/iam/v2beta1/roles?page_size=1&page_token=${String(list["nextPageToken"])}`;
  expect(await second.api("GET", page, undefined, token)).toMatchObject({ status: 200 });
  await second.close();
});

test("on another port the seeded identity follows the issuer's address", async () => {
  const first = await startBench({ data });
  const blocker = await start({});
  await first.close();
  const second = await startBench({ data });
  expect(second.root).toBe(first.root);
  const { identity, baseUrl, issuer } = second.emulator;
  expect((await second.exchange(await second.oidcTokenInFile(), { aud: baseUrl, identity })).status).toBe(200);
  expect((await second.ok("GET", `/iam/v2beta1/identities/${identity}`))["claimMatch"]).toMatchObject({ issuer });
  await second.close();
  await blocker.close();
});

test("revocation ends every token issued before, also over a restart, and none issued after", async () => {
  const first = await startBench({ data });
  const token = await first.tokenOf(first.identity);
  await first.admin("POST", "revocations", {});
  expect(await first.api("GET", "/iam/v2beta1/groups", undefined, await first.apiToken())).toMatchObject({ status: 200 });
  await first.close();
  const second = await startBench({ data, port: portOf(first.baseUrl) });
  expect((await second.api("GET", "/iam/v2beta1/groups", undefined, token)).status).toBe(401);
  await second.close();
});

test("built-in roles have the same uids in every emulator", async () => {
  const [one, two] = [await startBench(), await startBench()];
  expect(await one.role("editor")).toBe(await two.role("editor"));
  expect(one.root).not.toBe(two.root);
  await Promise.all([one.close(), two.close()]);
});

test("a data file serves one emulator at a time", async () => {
  const first = await start({ data });
  await expect(start({ data })).rejects.toThrow(/another emulator is using it/);
  await first.close();
  await (await start({ data })).close();
});

test("a port in use is rejected with advice", async () => {
  const first = await start({});
  const port = portOf(first.baseUrl);
  await expect(start({ port })).rejects.toThrow(new RegExp(`port ${port} .*in use.*another port`));
  await first.close();
});

test("a file with other data is rejected and left unchanged", async () => {
  const file = join(scratchFolder(), "notes.txt");
  await writeFile(file, "these are notes and no database, long enough to be read as one".repeat(20));
  const before = await stat(file);
  await expect(start({ data: file })).rejects.toThrow(/notes\.txt/);
  expect((await stat(file)).size).toBe(before.size);
});

test("a folder that does not exist is rejected by name and not created", async () => {
  const nested = join(scratchFolder(), "nested");
  await expect(start({ data: join(nested, "platform.db") })).rejects.toThrow(`the folder ${nested} does not exist`);
  expect(existsSync(nested)).toBe(false);
});

test("the token file is private, beside the data when that is kept, and gone at the end when not", async () => {
  const [kept, temporary] = [await start({ data }), await start({})];
  for (const { oidcTokenFile } of [kept, temporary]) expect((await stat(oidcTokenFile)).mode & 0o777).toBe(0o600);
  expect(kept.oidcTokenFile.startsWith(data)).toBe(true);
  await Promise.all([kept.close(), temporary.close()]);
  expect(existsSync(kept.oidcTokenFile)).toBe(true);
  expect(existsSync(temporary.oidcTokenFile)).toBe(false);
});

test("idle connections are never closed by the emulator, which could lose a request that is on its way", async () => {
  const { emulator } = await startBench();
  const response = await fetch(`${emulator.baseUrl}/iam/v2beta1/roles`);
  expect(response.headers.get("connection")).toBe("keep-alive");
  expect(response.headers.get("keep-alive")).toBeNull();
});

test("close ends idle and busy connections at once, and may be called twice", async () => {
  const bench = await startBench();
  await bench.adminReply("POST", "faults", { fault: { hang: "before" } });
  const hanging = bench.api("GET", "/iam/v2beta1/groups").catch(() => "ended");
  const idle = connect(portOf(bench.baseUrl), "127.0.0.1");
  await new Promise((resolve) => idle.once("connect", resolve));
  while (((await bench.adminReply("GET", "requests")).body["requests"] as unknown[]).length < 1);
  await bench.close();
  await bench.close();
  expect(await hanging).toBe("ended");
  await expect(bench.api("GET", "/ping/v2/ping")).rejects.toThrow();
});
