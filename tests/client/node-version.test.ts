import { spawnSync } from "node:child_process";
import path from "node:path";
import { commands } from "../../cli/commands";
import { engines } from "../../package.json";
import { nodeProblem } from "../../provider/client/node-version";

const dist = path.resolve(__dirname, "../../dist");

/** Runs a script in a process whose Node.js says that it is 20.1.0. At its end it prints which of our files it has loaded. */
function onOldNode(script: string, args: readonly string[] = []) {
  const told = `Object.defineProperty(process, "versions", { value: { ...process.versions, node: "20.1.0" } });
    process.on("exit", () => process.stdout.write("LOADED " + Object.keys(require.cache).map((file) => require("path").basename(file))));
    ${script}`;
  const { stdout, stderr, status } = spawnSync(process.execPath, ["-e", told, "--", ...args], { encoding: "utf8" });
  return { stdout, stderr, status };
}

test.each([
  ["22.13.0", true],
  ["22.14.1", true],
  ["24.0.1", true],
  ["22.12.9", false],
  ["21.99.0", false],
  ["9.99.0", false],
])("Node.js %s is new enough: %j", (version, isEnough) => {
  expect(nodeProblem(version) === undefined).toBe(isEnough);
});

test("the oldest Node.js is the one that package.json names", () => {
  expect(nodeProblem("1.0.0")).toContain(`Node.js ${engines.node.replace(">=", "")} or newer; this is 1.0.0`);
});

test.each([
  ...commands.map((each) => ["cli/main.js", each.name()] as const),
  ["cli/main.js", "--help"] as const,
  ["cli/resource-plugin.js", "127.0.0.1:1"] as const,
])("%s %s says on an older Node.js which one it needs, before it loads anything else", (file, ...args) => {
  const { stdout, stderr, status } = onOldNode(`require(${JSON.stringify(path.join(dist, file))})`, args);
  expect(stderr).toMatch(/^\S+ needs Node\.js 22\.13 or newer; this is 20\.1\.0.*\[CONFIGURATION\]\n$/);
  expect(stdout).toBe(`LOADED ${path.basename(file)},needs-node.js,node-version.js`);
  expect(status).toBe(1);
});

test.each(["sdk/index.js", "sdk/native/index.js", "provider/index.js"])(
  "a program that loads %s on an older Node.js gets an error that says which one it needs",
  (file) => {
    const { stdout, stderr } = onOldNode(`require(${JSON.stringify(path.join(dist, file))})`);
    expect(stderr).toMatch(/Error: \S+ needs Node\.js 22\.13 or newer; this is 20\.1\.0.*\[CONFIGURATION\]$/m);
    expect(stdout).not.toContain("errors.js");
  },
);
