import { execFileSync } from "node:child_process";
import path from "node:path";
import { main } from "../support/cli";

/** The files that are loaded when `script` ran. */
function loadedBy(script: string): string[] {
  const told = `process.on("exit", () => process.stdout.write("\\n" + JSON.stringify(Object.keys(require.cache))));\n${script}`;
  const output = execFileSync(process.execPath, ["-e", told], { encoding: "utf8" });
  return JSON.parse(output.slice(output.lastIndexOf("\n"))) as string[];
}

test("the help loads nothing that is slow to load: no HTTP client, no YAML parser, no engine library", () => {
  const files = loadedBy(`process.argv = [process.execPath, ${JSON.stringify(main)}, "--help"]; require(process.argv[1]);`);
  const names = files.flatMap((file) => /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(file)?.[1] ?? []);
  expect([...new Set(names)].sort()).toEqual(["commander", "jose", "re2js", "zod"]);
});

test("what the engine's host loads has no command line", () => {
  const files = loadedBy(`require(${JSON.stringify(path.resolve(main, "../../provider/index.js"))});`);
  expect(files.filter((file) => /commander|dist.cli/.test(file))).toEqual([]);
});
