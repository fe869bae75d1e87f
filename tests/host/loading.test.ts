import { execFileSync } from "node:child_process";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { composites, kinds, values } from "../../provider/kinds/kinds";

const dist = path.resolve(__dirname, "../../dist");

/** The answers known by now, because each takes a process. */
const loaded = new Map<string, string[]>();

/** The files that are loaded with one of the package. */
function loadedWith(file: string): string[] {
  const script = `require(${JSON.stringify(path.join(dist, file))}); process.stdout.write(JSON.stringify(Object.keys(require.cache)));`;
  const files =
    loaded.get(file) ?? (JSON.parse(execFileSync(process.execPath, ["-e", script], { encoding: "utf8" })) as string[]);
  loaded.set(file, files);
  return files;
}

/** The packages of others that are loaded after `work`, with the dynamic host's module as `provider`. */
function packagesAfter(work: string): string[] {
  const script = `
    const provider = require(${JSON.stringify(path.join(dist, "provider/index.js"))});
    const known = { parentUid: "${"a".repeat(40)}" };
    const check = (news) => provider.identity.check(known, { ...known, name: "ci", ...news });
    (async () => { ${work} })().then(() => process.stdout.write(JSON.stringify(Object.keys(require.cache))));`;
  const env = { ...process.env, PLATFORM_BASE_URL: "http://127.0.0.1:9", PLATFORM_TOKEN: "token" };
  const files = JSON.parse(execFileSync(process.execPath, ["-e", script], { encoding: "utf8", env })) as string[];
  return [...new Set(files.flatMap((file) => /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(file)?.[1] ?? []))].sort();
}

test("the dynamic host starts with zod alone: RE2 comes with the first pattern, nothing for a program without one, nor for a parent that the state has", () => {
  const exact = 'await check({ claimMatch: { issuer: "https://issuer.example", subject: "ci" } });';
  expect(packagesAfter(exact)).toEqual(["zod"]);
  const pattern = 'await check({ claimMatch: { issuer: "https://issuer.example", subjectPattern: "^ci$" } });';
  expect(packagesAfter(pattern)).toEqual(["re2js", "zod"]);
});

test.each(["sdk/index.js", "sdk/native/index.js", "provider/host/plugin/serve.js"])(
  "%s loads no RE2, no YAML parser, no HTTP client and no JWT library",
  (file) => {
    expect(loadedWith(file).filter((each) => /node_modules.(re2js|yaml|undici|jose)\b/.test(each))).toEqual([]);
  },
);

test("the engine's dynamic host loads no gRPC and nothing of the native plugin", () => {
  expect(loadedWith("provider/index.js").filter((file) => /grpc|protobuf|host.plugin/.test(file))).toEqual([]);
});

test("a program loads nothing of the native plugin, whichever classes it uses", () => {
  for (const file of ["sdk/index.js", "sdk/native/index.js"])
    expect(loadedWith(file).filter((each) => /dist.provider.host.plugin/.test(each))).toEqual([]);
});

test("an ES module imports by name what serves each type of resources", () => {
  const names = Object.keys({ ...kinds, ...composites, ...values }).sort();
  const methods = ["check", "configure", "create", "delete", "diff", "read", "update"];
  const script = `
    import { ${names.join(", ")} } from ${JSON.stringify(pathToFileURL(path.join(dist, "provider/index.js")).href)};
    process.stdout.write(JSON.stringify([${names.join(", ")}].map((served) => Object.keys(served).sort())));`;
  const output = execFileSync(process.execPath, ["--input-type=module", "-e", script], { encoding: "utf8" });
  expect(JSON.parse(output)).toEqual(names.map(() => methods));
});
