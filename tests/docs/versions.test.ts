import { statSync } from "node:fs";
import path from "node:path";
import { version } from "../../package.json";
import { checkout, filesBelow, pages, read } from "./markdown";

/** The first match of `pattern` in a file. */
const stated = (file: string, pattern: RegExp) => pattern.exec(read(file))?.[1] ?? "";
const pinned = (tool: string) => stated(`scripts/toolchain/${tool}.mjs`, /^const PINNED = "(.*)";$/m);

/** The files below `folder`, without what is installed there. */
const below = (folder: string) =>
  filesBelow(folder, "").filter((file) => !file.includes("node_modules") && statSync(path.join(checkout, file)).isFile());

// The changelog names earlier versions, and the page of releases the next.
const ownPages = pages().filter((page) => !["CHANGELOG.md", "docs/contributing/release.md"].includes(page));

test("the page of the plugin names Go's module as the schema does", () => {
  const { language } = JSON.parse(read("schema.json")) as { language: { go: { importBasePath: string } } };
  expect(read("docs/native.md")).toContain(`-replace ${language.go.importBasePath}=SDK`);
});

/** Versions that people write, because nothing generates the file. */
test.each<[what: string, wanted: string, files: string[], pattern: RegExp]>([
  [
    "this package",
    version,
    [...ownPages, ...below("examples")],
    /(?:pulumi-platform-|resource platform |platform-v|pulumi_platform-|VERSION=|tags\/v|downloads\.example\/)(\d+\.\d+\.\d+)/g,
  ],
  ["Node.js in workflows", pinned("node"), below(".github"), /node-version: (\d+\.\d+\.\d+)/g],
  ["Node.js in executables", pinned("node"), ["scripts/release/tools/package.json"], /"node-\w+-\w+": "(.*)"/g],
  [
    "the engine in pipelines",
    pinned("engine"),
    [...below("examples/pipelines"), "docs/guides/pipelines.md"],
    /\b(3\.\d{2,}\.\d+)/g,
  ],
  // The module language-nodejs is of the last version that has the hosts.
  [
    "the engine in Go modules",
    pinned("engine"),
    ["cli", "languages"].map((name) => `scripts/engine/${name}/go.mod`),
    /pulumi\/pulumi\/(?:pkg|sdk)\/v3 v(\S+)/g,
  ],
  ["Go's SDK of Pulumi", pinned("engine"), ["scripts/languages/go.mjs"], /PULUMI = "v(.*)"/g],
  [
    "Python's SDK of Pulumi",
    stated("scripts/languages/python.mjs", /PULUMI = "(.*)"/),
    ["examples/python/requirements.txt"],
    /^pulumi==(.*)$/gm,
  ],
])("the version of %s is %s wherever it is written", (_what, wanted, files, pattern) => {
  const found = files.flatMap((file) => [...read(file).matchAll(pattern)].map(([text, each]) => ({ file, text, each })));
  expect(found).not.toEqual([]);
  expect(found.filter(({ each }) => each !== wanted).map(({ file, text }) => `${file}: ${text}`)).toEqual([]);
});
