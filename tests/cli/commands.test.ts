import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { createInterface } from "node:readline";

jest.setTimeout(60_000);

const command = path.resolve(__dirname, "../../dist/cli/main.js");
const running: ChildProcess[] = [];

afterEach(() => {
  for (const child of running.splice(0)) child.kill("SIGKILL");
});

function start(args: string[], environment: Record<string, string> = {}) {
  const inherited = Object.entries(process.env).filter(([name]) => !/^(PLATFORM|ACTIONS)_/.test(name));
  const child = spawn(process.execPath, [command, ...args], { env: { ...Object.fromEntries(inherited), ...environment } });
  running.push(child);
  return child;
}

async function run(args: string[], environment?: Record<string, string>) {
  const child = start(args, environment);
  let output = "";
  child.stdout.on("data", (chunk: Buffer) => (output += chunk.toString()));
  child.stderr.on("data", (chunk: Buffer) => (output += chunk.toString()));
  const [code] = (await once(child, "close")) as [number];
  return { code, output };
}

test("emulator prints one line of JSON when it serves, access draws it, and SIGTERM ends it", async () => {
  const emulator = start(["emulator", "--port", "0"]);
  const [line] = (await once(createInterface(emulator.stdout), "line")) as [string];
  const ready = JSON.parse(line) as Record<string, string>;
  expect(Object.keys(ready)).toEqual(["baseUrl", "authUrl", "issuer", "organization", "identity", "oidcTokenFile", "adminUrl"]);
  const environment = {
    PLATFORM_BASE_URL: ready["baseUrl"] ?? "",
    PLATFORM_ORGANIZATION: ready["organization"] ?? "",
    PLATFORM_IDENTITY: ready["identity"] ?? "",
    PLATFORM_OIDC_TOKEN_FILE: ready["oidcTokenFile"] ?? "",
  };
  const tree = await run(["access"], environment);
  expect(tree).toMatchObject({ code: 0, output: expect.stringContaining("owner → ") as string });
  emulator.kill("SIGTERM");
  expect(await once(emulator, "close")).toEqual([0, null]);
});

const mistakes: [string[], string][] = [
  [["acces"], 'There is no command "acces"'],
  [["emulator", "--port", "many"], "--port must be a number from 0 to 65535"],
  [["emulator", "--prot", "1"], "--prot"],
  [["access"], "PLATFORM_BASE_URL"],
];

test.each(mistakes)("%j is a plain error with exit code 1", async (args, expected) => {
  const { code, output } = await run(args);
  expect(code).toBe(1);
  expect(output).toContain(expected);
  expect(output).not.toMatch(/^\s+at /m);
});
