import { existsSync, readFileSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { isRunning, signal } from "../support/signals";
import { checkout, until, useCheckout } from "./fake-checkout";

/** An engine that notes how it was called; it fails with 7 on request, and on \`wait\` ends after a SIGINT as soon as the file \`go\` exists. */
const ENGINE = `
  case "$1" in
    stack) [ "$2" = select ] && exit 0;;
    config) [ "$2" = --json ] && { [ -e settings.json ] && /bin/cat settings.json || echo '{}'; exit 0; };;
    fail) exit 7;;
    wait) trap '[ -e emulator.json ] && echo interrupted >> signals; until [ -e go ]; do /bin/sleep 0.05; done; exit 1' INT; echo $$ > waits; /bin/mv waits waiting; while :; do /bin/sleep 0.05; done;;
  esac
  node -e 'require("node:fs").writeFileSync("engine.json", JSON.stringify({ args: process.argv.slice(1), env: process.env, cwd: process.cwd() }))' -- "$@"`;

interface Call {
  pid: number;
  args: string[];
  env: Record<string, string>;
  cwd: string;
}

useCheckout((made) => {
  made.writeEngine("tools", "3.259.0", undefined, ENGINE);
  made.writeEmulator();
});

const call = (file: "engine.json" | "emulator.json", folder = "") =>
  JSON.parse(readFileSync(join(checkout.root, folder, file), "utf8")) as Call;

test("the engine runs in the checkout, on the emulator's stack, with nothing of another platform", async () => {
  const { code } = await checkout.run("pulumi.mjs", ["preview", "--diff"], {
    PLATFORM_TOKEN: "secret",
    ACTIONS_ID_TOKEN_REQUEST_TOKEN: "secret",
    PULUMI_STACK: "prod",
    PULUMI_BACKEND_URL: "s3://state",
    PULUMI_CONFIG_PASSPHRASE_FILE: "/elsewhere",
  });
  expect(code).toBe(0);
  const { args, env, cwd } = call("engine.json");
  expect(args).toEqual(["preview", "--diff"]);
  expect(cwd).toBe(checkout.root);
  expect(env).toMatchObject({
    PLATFORM_BASE_URL: "http://127.0.0.1:1",
    PLATFORM_AUTH_URL: "http://127.0.0.1:1/auth",
    PLATFORM_ORGANIZATION: "org",
    PLATFORM_IDENTITY: "org/me",
    PLATFORM_OIDC_TOKEN_FILE: "/token",
    PULUMI_STACK: "emulator",
    PULUMI_BACKEND_URL: `file://${checkout.root}/.state/emulator/pulumi?metadata=skip`,
    PULUMI_HOME: `${checkout.root}/.state/pulumi-home`,
  });
  for (const environment of [env, call("emulator.json").env]) {
    expect(Object.values(environment)).not.toContain("secret");
    expect(environment["PULUMI_CONFIG_PASSPHRASE_FILE"]).toBe(environment === env ? undefined : "/elsewhere");
  }
  const data = `${checkout.root}/.state/emulator/platform.db`;
  expect(call("emulator.json").args).toEqual(["emulator", "--port", "0", "--data", data]);
});

test("with --native, the engine runs the program with its import changed, through the plugin, on a stack and an emulator of its own", async () => {
  checkout.writeExample();
  expect((await checkout.run("pulumi.mjs", ["--native", "preview", "--diff"])).code).toBe(0);
  const { args, env, cwd } = call("engine.json", ".state/native");
  expect(args).toEqual(["preview", "--diff"]);
  expect(cwd).toBe(join(checkout.root, ".state/native"));
  expect(readFileSync(join(cwd, "index.ts"), "utf8")).toBe('import { Group } from "pulumi-platform/native";\n');
  expect(readFileSync(join(cwd, "Pulumi.yaml"), "utf8")).toMatch(/name: platform\n +path: bin\n/);
  expect(statSync(join(cwd, "bin/pulumi-resource-platform")).mode & 0o111).toBe(0o111);
  expect(env["PULUMI_BACKEND_URL"]).toBe(`file://${checkout.root}/.state/emulator-native/pulumi?metadata=skip`);
  expect(call("emulator.json").args.at(-1)).toBe(`${checkout.root}/.state/emulator-native/platform.db`);
});

test("the engine's exit code passes through, and the emulator is gone afterwards", async () => {
  expect((await checkout.run("pulumi.mjs", ["fail"])).code).toBe(7);
  expect(isRunning(call("emulator.json").pid)).toBe(false);
});

test.each(["SIGINT", "SIGTERM", "SIGHUP"] as const)(
  "%s reaches the engine once, and the emulator serves until the engine has ended",
  async (name) => {
    const { child, ending } = checkout.start(["scripts/pulumi.mjs", "wait"]);
    await until(() => existsSync(join(checkout.root, "waiting")));
    child.kill(name);
    child.kill(name); // npm passes on what the terminal has sent already.
    await until(() => existsSync(join(checkout.root, "signals")));
    expect(isRunning(call("emulator.json").pid)).toBe(true);
    checkout.write("go", "");
    expect((await ending).code).toBe(1);
    expect(readFileSync(join(checkout.root, "signals"), "utf8")).toBe("interrupted\n");
    expect(isRunning(call("emulator.json").pid)).toBe(false);
    expect(isRunning(Number(readFileSync(join(checkout.root, "waiting"), "utf8")))).toBe(false);
  },
);

test("a setting that names another platform is rejected before the engine runs, except by the command that removes it", async () => {
  const settings = { "platform:tokenCommand": { secret: true }, "platform:adopt": { value: "true" } };
  checkout.write("settings.json", JSON.stringify(settings));
  await checkout.refuse("npm run pulumi -- config rm platform:tokenCommand", "pulumi.mjs", ["preview"]);
  expect(existsSync(join(checkout.root, "engine.json"))).toBe(false);
  await checkout.run("pulumi.mjs", ["config", "rm", "platform:tokenCommand"]);
  expect(call("engine.json").args).toEqual(["config", "rm", "platform:tokenCommand"]);
});

test("the emulator leaves also when the command is killed", async () => {
  const { child, ending } = checkout.start(["scripts/pulumi.mjs", "wait"]);
  await until(() => existsSync(join(checkout.root, "waiting")));
  const { pid } = call("emulator.json");
  const engine = Number(readFileSync(join(checkout.root, "waiting"), "utf8"));
  child.kill("SIGKILL");
  await until(() => !isRunning(pid));
  signal(engine, "SIGKILL");
  await ending;
});

test("an emulator that does not start is reported with its output", async () => {
  checkout.writeCommandLine('console.error("the data file is of another version"); process.exit(1);');
  await checkout.refuse("The emulator did not start:\nthe data file is of another version", "pulumi.mjs", ["preview"]);
  expect(existsSync(join(checkout.root, "engine.json"))).toBe(false);
});

describe("with PLATFORM_BASE_URL", () => {
  const real = { PLATFORM_BASE_URL: "https://api.example.com:8443/", PLATFORM_TOKEN: "mine" };

  test("no emulator starts, credentials stay, and stack and state are that address's own", async () => {
    await checkout.run("pulumi.mjs", ["preview"], real);
    const { env } = call("engine.json");
    expect(env).toMatchObject(real);
    expect(env["PULUMI_STACK"]).toMatch(/^api\.example\.com-8443-[0-9a-f]{8}$/);
    expect(env["PULUMI_BACKEND_URL"]).toBe(`file://${checkout.root}/.state/${String(env["PULUMI_STACK"])}/pulumi?metadata=skip`);
    expect(existsSync(join(checkout.root, "emulator.json"))).toBe(false);
    await checkout.run("pulumi.mjs", ["preview"], { ...real, PLATFORM_BASE_URL: "https://api.example.com:8443" });
    expect(call("engine.json").env["PULUMI_STACK"]).toBe(env["PULUMI_STACK"]);
  });

  test("a passphrase is made once, for its owner only, and a salt of a lost one is dropped", async () => {
    await checkout.run("pulumi.mjs", ["preview"], real);
    const { PULUMI_CONFIG_PASSPHRASE_FILE: file = "", PULUMI_STACK: stack = "" } = call("engine.json").env;
    const passphrase = readFileSync(file, "utf8");
    expect(passphrase.length).toBeGreaterThan(30);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const config = "encryptionsalt: v1:abc\nconfig:\n  platform:adopt: true\n";
    const settings = checkout.write(`.state/config/Pulumi.${stack}.yaml`, config);
    await checkout.run("pulumi.mjs", ["preview"], real);
    expect(readFileSync(file, "utf8")).toBe(passphrase);
    expect(readFileSync(settings, "utf8")).toBe(config);
    rmSync(file);
    await checkout.run("pulumi.mjs", ["preview"], real);
    expect(readFileSync(file, "utf8")).not.toBe(passphrase);
    expect(readFileSync(settings, "utf8")).toBe("config:\n  platform:adopt: true\n");
  });

  test("the person's own passphrase and backend are theirs", async () => {
    await checkout.run("pulumi.mjs", ["preview"], { ...real, PULUMI_CONFIG_PASSPHRASE: "own", PULUMI_BACKEND_URL: "s3://state" });
    const { env } = call("engine.json");
    expect(env).toMatchObject({ PULUMI_CONFIG_PASSPHRASE: "own", PULUMI_BACKEND_URL: "s3://state" });
    expect(env["PULUMI_CONFIG_PASSPHRASE_FILE"]).toBeUndefined();
  });
});
