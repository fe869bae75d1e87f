import { existsSync, readFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { checkout, useCheckout } from "./fake-checkout";

/** An engine that notes every command that it is given, as a person would type it. */
const ENGINE = `
  case "$1 $2" in
    "stack select") exit 0;;
    "stack export") echo '{ "deployment": {} }'; exit 0;;
    "config --json") echo '{}'; echo 'warning: something else' >&2; exit 0;;
  esac
  echo "\${PLATFORM_ADOPT:+PLATFORM_ADOPT=$PLATFORM_ADOPT }pulumi $*" >> commands`;

useCheckout((made) => {
  made.writeEngine("tools", "3.259.0", undefined, ENGINE);
  made.writeEmulator();
});

/** The commands that ran, without the options for the engine's output. */
const ran = (folder = "") =>
  readFileSync(join(checkout.root, folder, "commands"), "utf8")
    .trim()
    .split("\n")
    .map((line) => line.replace(/ --suppress-progress| --non-interactive| --color never/g, ""));

const headings = (output: string) => [...output.matchAll(/^== .*\((.*pulumi .*)\)$/gm)].map(([, command]) => command);

test("the headings of npm start say what runs", async () => {
  const { code, stdout } = await checkout.run("start.mjs");
  expect(code).toBe(0);
  expect(headings(stdout)).toEqual(ran());
  expect(ran()).toHaveLength(3);
});

test("with --native, each command that it prints takes the same way", async () => {
  checkout.writeExample();
  const { code, stdout } = await checkout.run("start.mjs", ["--native"]);
  expect(code).toBe(0);
  expect(headings(stdout)).toEqual(ran(".state/native"));
  const printed = stdout.match(/npm run .*/g) ?? [];
  expect(printed.length).toBeGreaterThan(4);
  expect(printed.filter((command) => !command.includes("-- --native"))).toEqual([]);
});

test("also after a run that was killed, when what it made is taken over", async () => {
  checkout.write(
    ".state/emulator/pulumi/.pulumi/locks/organization/fake/emulator/lock.json",
    JSON.stringify({ pid: 999_999_999, username: "x", hostname: hostname(), timestamp: "2026-01-01T00:00:00Z" }),
  );
  const { stdout } = await checkout.run("start.mjs");
  expect(existsSync(join(checkout.root, "commands"))).toBe(true);
  expect(headings(stdout)).toEqual(ran().slice(-3));
});

test("with PLATFORM_BASE_URL, it ends with the names of the variables that the next command needs, never with a value", async () => {
  const given = {
    PLATFORM_BASE_URL: "https://api.example.com",
    PLATFORM_ORGANIZATION: "0123456789abcdef",
    PLATFORM_TOKEN: "a-secret",
    PLATFORM_IDENTITY: "",
    PULUMI_CONFIG_PASSPHRASE: "own-secret",
  };
  const { code, stdout, stderr } = await checkout.run("start.mjs", [], given);
  expect(code).toBe(0);
  expect(headings(stdout)).toEqual(ran());
  expect(stdout).toContain("PLATFORM_BASE_URL, PLATFORM_ORGANIZATION, PLATFORM_TOKEN and PULUMI_CONFIG_PASSPHRASE");
  expect(stdout).not.toContain("PLATFORM_IDENTITY");
  expect(stdout + stderr).not.toMatch(/a-secret|own-secret/);
});
