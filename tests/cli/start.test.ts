import { execFileSync } from "node:child_process";
import path from "node:path";

const main = path.resolve(__dirname, "../../dist/cli/main.js");

/** Third-party packages that are loaded when `args` ran. */
function loadedBy(args: string[]): string[] {
  const script = `
    process.argv = [process.execPath, ${JSON.stringify(main)}, ...${JSON.stringify(args)}];
    process.on("exit", () => process.stdout.write("\\n" + JSON.stringify(Object.keys(require.cache))));
    require(${JSON.stringify(main)});`;
  const output = execFileSync(process.execPath, ["-e", script], {
    encoding: "utf8",
  });
  const files = JSON.parse(output.slice(output.lastIndexOf("\n"))) as string[];
  const names = files.flatMap((file) => /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(file)?.[1] ?? []);
  return [...new Set(names)].sort();
}

test("the help loads nothing that is slow to load: no HTTP client, no YAML parser, no engine library", () => {
  expect(loadedBy(["--help"])).toEqual(["commander", "jose", "re2js", "zod"]);
});

test("what the engine's host loads has no command line", () => {
  const script = `require(${JSON.stringify(path.resolve(main, "../../provider/index.js"))});
    process.stdout.write(Object.keys(require.cache).filter((file) => /commander|dist.cli/.test(file)).join());`;
  expect(execFileSync(process.execPath, ["-e", script], { encoding: "utf8" })).toBe("");
});
