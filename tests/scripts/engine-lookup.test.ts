import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { FakeCheckout, isAlive, until } from "./fake-checkout";

const LOOK_UP = `const { ensureEngine } = await import("./scripts/toolchain/engine.mjs"); console.log(await ensureEngine());`;
const VERSIONS = "home/.pulumi/versions";
const LANGUAGE = "pulumi-language-nodejs";
const DYNAMIC = "pulumi-resource-pulumi-nodejs";

/** A `go` that is new enough and builds programs that answer like the real ones. */
const GO = `
  if [ "$1" = env ]; then echo go1.26.1; exit 0; fi
  while [ "$1" != -o ]; do shift; done
  echo '#!/bin/sh' > "$2"; echo 'echo v3.259.0' >> "$2"; /bin/chmod 755 "$2"`;

let checkout: FakeCheckout;
beforeEach(() => (checkout = new FakeCheckout()));
afterEach(() => {
  checkout.remove();
});

const lookUp = (env = {}) => checkout.evaluate(LOOK_UP, env).ending;

test("an engine on PATH comes before one that an earlier run left", async () => {
  checkout.writeEngine("tools", "3.230.0");
  checkout.writeEngine(`${VERSIONS}/3.259.0/bin`, "3.259.0");
  const { stdout, stderr } = await lookUp();
  expect(stdout.trim()).toBe(checkout.tools);
  expect(stderr).toMatch(/^Engine: pulumi 3\.230\.0 from PATH \(.*\)\n$/);
});

test("companions may stand elsewhere on PATH", async () => {
  checkout.writeEngine("tools", "3.230.0", []);
  checkout.writeEngine("elsewhere", "3.230.0");
  const { stdout } = await lookUp({ PATH: `${checkout.tools}:${checkout.root}/elsewhere` });
  expect(stdout.trim()).toBe(checkout.tools);
});

test.each([
  ["is too old", "3.226.0", [LANGUAGE, DYNAMIC]],
  ["has no language host", "3.259.0", [DYNAMIC]],
  ["has no host for dynamic resources", "3.259.0", [LANGUAGE]],
])("an engine on PATH that %s gives way to one that an earlier run left", async (_why, version, companions) => {
  checkout.writeEngine("tools", version, companions);
  checkout.writeEngine(`${VERSIONS}/3.240.0/bin`, "3.240.0");
  const { stdout, stderr } = await lookUp();
  expect(stdout.trim()).toBe(join(checkout.root, VERSIONS, "3.240.0/bin"));
  expect(stderr).toContain("from an earlier run");
});

test.each([
  ["the pinned version before a newer one", ["3.240.0", "3.259.0", "3.300.0"], "3.259.0"],
  ["the newest where the pinned one is missing", ["3.240.0", "3.300.0", "3.99.0"], "3.300.0"],
])("of several that earlier runs left: %s", async (_rule, left, taken) => {
  for (const version of left) checkout.writeEngine(`${VERSIONS}/${version}/bin`, version);
  expect((await lookUp()).stdout.trim()).toBe(join(checkout.root, VERSIONS, taken, "bin"));
});

test("PULUMI_HOME says where earlier runs left engines", async () => {
  checkout.writeEngine("other-home/versions/3.259.0/bin", "3.259.0");
  const { stdout } = await lookUp({ PULUMI_HOME: join(checkout.root, "other-home") });
  expect(stdout.trim()).toBe(join(checkout.root, "other-home/versions/3.259.0/bin"));
});

test.each([
  ["no go", undefined, "no `go` on PATH"],
  ["an old go", "echo go1.25.4", "Go is 1.25.4, older than 1.26"],
  [
    "a go whose build fails",
    `if [ "$1" = env ]; then echo go1.26; else echo no route to host >&2; exit 1; fi`,
    "no route to host",
  ],
])("no way works (%s): one message says what was tried and the one thing to install", async (_case, go, reason) => {
  checkout.writeEngine("tools", "3.100.0");
  if (go) checkout.writeTool("tools/go", go);
  const { code, stdout, stderr } = await lookUp();
  expect(code).toBe(1);
  expect(stdout).toBe("");
  expect(stderr).toContain("3.100.0, older than 3.226.1");
  expect(stderr).toContain("no whole engine of 3.226.1 or newer");
  expect(stderr).toContain("the official download: no `curl` on PATH");
  expect(stderr).toContain(reason);
  expect(stderr).toContain("Install one thing and run the command again: the Pulumi CLI (https://www.pulumi.com/docs/install/)");
  expect(stderr).not.toMatch(/^\s+at /m);
});

test("without a download the engine is built by Go, whole, and found by the next run", async () => {
  checkout.writeTool("tools/go", GO);
  const built = await lookUp();
  expect(built.stderr).toMatch(/Engine: pulumi 3\.259\.0 built from Go modules/);
  expect(readdirSync(built.stdout.trim()).sort()).toEqual(["pulumi", LANGUAGE, DYNAMIC].sort());
  expect((await lookUp()).stderr).toMatch(/^Engine: pulumi 3\.259\.0 from an earlier run/);
});

test("an engine that the Go build brought is named as one, with what it cannot do; a full installation is not", async () => {
  checkout.writeTool("tools/go", GO);
  const notice = /language host is an older release, on which transforms and hooks fail\.\n.*full installation/;
  expect((await lookUp()).stderr).toMatch(notice);
  expect((await lookUp()).stderr).toMatch(notice);
  checkout.writeTool(`${VERSIONS}/3.259.0/bin/pulumi-language-python`, "exit 0");
  expect((await lookUp()).stderr).not.toMatch(notice);
});

test.each(["SIGINT", "SIGTERM"] as const)(
  "%s during the build ends Go and leaves no half-made engine, no lock",
  async (signal) => {
    const pidFile = join(checkout.root, "go.pid");
    checkout.writeTool(
      "tools/go",
      `if [ "$1" = env ]; then echo go1.26.0; exit 0; fi\necho $$ > ${pidFile}.new; /bin/mv ${pidFile}.new ${pidFile}; exec /bin/sleep 600`,
    );
    const { child, ending } = checkout.evaluate(LOOK_UP);
    await until(() => existsSync(pidFile));
    child.kill(signal);
    const { code, stderr } = await ending;
    expect(code).toBe(signal === "SIGINT" ? 130 : 143);
    expect(stderr).toContain("Stopped");
    expect(isAlive(Number(readFileSync(pidFile, "utf8")))).toBe(false);
    expect(readdirSync(join(checkout.root, VERSIONS))).toEqual(["3.259.0"]);
    expect(readdirSync(join(checkout.root, VERSIONS, "3.259.0"))).toEqual([]);
  },
);

test("what a killed build left is removed by the next one, and its lock is taken over", async () => {
  checkout.write(`${VERSIONS}/3.259.0/bin.partial-1/pulumi`, "half");
  checkout.write(`${VERSIONS}/3.259.0.lock`, "999999999 1");
  checkout.writeTool("tools/go", GO);
  expect((await lookUp()).code).toBe(0);
  expect(readdirSync(join(checkout.root, VERSIONS))).toEqual(["3.259.0"]);
  expect(readdirSync(join(checkout.root, VERSIONS, "3.259.0"))).toEqual(["bin"]);
});

test("a second run waits for the one that builds, says so, and takes what it made", async () => {
  const go = join(checkout.root, "go-may-end");
  checkout.writeTool("tools/go", GO.replace("while", `until [ -e ${go} ]; do /bin/sleep 0.05; done\n  while`));
  const first = checkout.evaluate(LOOK_UP);
  let waited = "";
  await until(() => existsSync(join(checkout.root, VERSIONS, "3.259.0.lock")));
  const second = checkout.evaluate(LOOK_UP);
  second.child.stderr?.on("data", (chunk: Buffer) => (waited += chunk.toString()));
  await until(() => waited.includes("Waiting: another command is bringing the engine"));
  writeFileSync(go, "");
  expect((await first.ending).stderr).toContain("built from Go modules");
  expect((await second.ending).stderr).toContain("from an earlier run");
});
