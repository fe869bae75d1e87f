import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isRunning } from "../support/signals";
import { checkout, until, useCheckout } from "./fake-checkout";

const LOOK_UP = `const { ensureEngine } = await import("./scripts/toolchain/engine.mjs"); console.log(await ensureEngine());`;
const VERSIONS = "home/.pulumi/versions";
const LANGUAGE = "pulumi-language-nodejs";
const DYNAMIC = "pulumi-resource-pulumi-nodejs";

/** A `go` that is new enough and builds programs that answer like the real ones. */
const GO = `
  if [ "$1" = env ]; then echo go1.26.1; exit 0; fi
  while [ "$1" != -o ]; do shift; done
  echo '#!/bin/sh' > "$2"; echo 'echo v3.259.0' >> "$2"; /bin/chmod 755 "$2"`;

useCheckout();

const lookUp = (env = {}) => checkout.evaluate(LOOK_UP, env).ending;

type Engine = [folder: string, version: string, companions?: string[]];
const earlier = (version: string): Engine => [`${VERSIONS}/${version}/bin`, version];

test.each<{ rule: string; taken: Engine; others: Engine[] }>([
  { rule: "one on PATH before an earlier one", taken: ["tools", "3.230.0"], others: [earlier("3.259.0")] },
  { rule: "one whose companions stand elsewhere", taken: ["tools", "3.230.0", []], others: [["elsewhere", "3.230.0"]] },
  { rule: "none that is too old", taken: earlier("3.240.0"), others: [["tools", "3.226.0"]] },
  { rule: "none without a language host", taken: earlier("3.240.0"), others: [["tools", "3.259.0", [DYNAMIC]]] },
  { rule: "none without a dynamic host", taken: earlier("3.240.0"), others: [["tools", "3.259.0", [LANGUAGE]]] },
  { rule: "the pinned before a newer one", taken: earlier("3.259.0"), others: ["3.240.0", "3.300.0"].map(earlier) },
  { rule: "else the newest", taken: earlier("3.300.0"), others: ["3.240.0", "3.99.0"].map(earlier) },
])("the engine is $rule", async ({ taken, others }) => {
  for (const engine of [taken, ...others]) checkout.writeEngine(...engine);
  const [folder, version] = taken;
  const { stdout, stderr } = await lookUp({ PATH: `${checkout.tools}:${checkout.root}/elsewhere` });
  expect(stdout.trim()).toBe(join(checkout.root, folder));
  expect(stderr).toContain(`Engine: pulumi ${version} from ${folder === "tools" ? "PATH (" : "an earlier run"}`);
});

test("PULUMI_HOME says where earlier runs left engines", async () => {
  checkout.writeEngine("other-home/versions/3.259.0/bin", "3.259.0");
  const { stdout } = await lookUp({ PULUMI_HOME: join(checkout.root, "other-home") });
  expect(stdout.trim()).toBe(join(checkout.root, "other-home/versions/3.259.0/bin"));
});

test.each([
  ["no go", undefined, "no `go` on PATH"],
  ["an old go", "echo go1.25.4", "Go is 1.25.4, older than 1.26"],
  ["a failing go", `if [ "$1" = env ]; then echo go1.26; else echo no route to host >&2; exit 1; fi`, "no route to host"],
])("no way works (%s): one message says what was tried and the one thing to install", async (_case, go, reason) => {
  checkout.writeEngine("tools", "3.100.0");
  if (go) checkout.writeTool("tools/go", go);
  const { code, stdout, stderr } = await lookUp();
  expect([code, stdout]).toEqual([1, ""]);
  const tried = ["3.100.0, older than 3.226.1", "no whole engine of 3.226.1", "no `curl` on PATH", reason];
  for (const part of [...tried, "https://www.pulumi.com/docs/install/"]) expect(stderr).toContain(part);
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
    expect(isRunning(Number(readFileSync(pidFile, "utf8")))).toBe(false);
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
