import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { checkout } from "../lib/paths.mjs";

/** Names of categories, which the registry's tools/resourcedocsgen/pkg has in a table. */
const categories = ["cloud", "database", "infrastructure", "monitoring", "network", "utility", "vcs"];

/** The languages that have an SDK or need none. Each needs a sample. */
const languages = ["typescript", "python", "go", "java", "yaml"];

/** Forms of links that do not work in the registry, which its scripts/ci/community-package/doc_lint.py reports. */
const wrongLinks = [
  [/<img[^>]+src=["'](?!https?:)|!\[[^\]]*\]\([./]/, "a relative picture"],
  [/<a[^>]+href="[./]/, "a relative link in HTML"],
  [/\]\((?!https?:\/\/)[^)]*\.md[)#]/, "a link to a .md file"],
];

/**
 * The checks of Pulumi's registry (github.com/pulumi/registry, scripts/ci/community-package and tools/resourcedocsgen), each with its name,
 * what it needs, and the problem. The problem is undefined if the check passes, and null if only a published release can be checked.
 */
export function registryChecks(manifest) {
  const schema = JSON.parse(textOf("schema.json") ?? "{}");
  const { nodejs, python, go } = schema.language ?? {};
  return [
    ...settings(manifest),
    {
      name: "version",
      needs: "the version of package.json in schema.json",
      problem: unless(
        schema.version === manifest.version,
        "schema.json has another version than package.json: npm run generate.",
      ),
    },
    {
      name: "SDK of Node.js",
      needs: "a name in schema.json that npm does not read as a GitHub repository",
      problem: unless(
        /^(@[\w.~-]+\/)?[\w.~-]+$/.test(nodejs?.packageName ?? ""),
        `schema.json names the npm package "${nodejs?.packageName}", which npm would install from a stranger's repository.`,
      ),
    },
    pageCheck("docs/_index.md", languages),
    pageCheck("docs/installation-configuration.md", []),
    later("pulumi plugin install", "the release's archives at the address in schema.json"),
    later(`npm install ${nodejs?.packageName}`, "this version on npm"),
    later(`pip download ${python?.packageName}`, "this version on PyPI; advice only"),
    later(`go get ${go?.importBasePath}`, "the module and its tag in the repository; advice only"),
  ];
}

/** The list of checks as lines, for people. */
export function registryList(checks) {
  const width = Math.max(...checks.map(({ name }) => name.length));
  const result = (problem) => (problem === undefined ? "ok" : problem === null ? "cannot be checked here" : "not ok");
  return checks.map(({ name, needs, problem }) => `  ${name.padEnd(width)}  ${result(problem)}: ${needs}`).join("\n");
}

/** The fields of package.json in which its owner says who publishes the package, and where. */
function settings({ author, homepage, logoUrl, keywords = [], repository }) {
  const category = keywords.find((word) => word.startsWith("category/"))?.slice("category/".length);
  const isText = (value, form) => typeof value === "string" && form.test(value);
  return [
    {
      name: "repository",
      needs: "`repository` in package.json: on GitHub, and called pulumi-platform, from which the registry takes the name",
      problem: repositoryProblem(repository),
    },
    {
      name: "publisher",
      needs: "`author` in package.json",
      problem: unless(isText(author, /^[^<(]*\w/), "package.json names no author, as a text, who is the publisher."),
    },
    {
      name: "homepage",
      needs: "`homepage` in package.json",
      problem: unless(isText(homepage, /^https:/), "package.json names no homepage, as an https address."),
    },
    {
      name: "logo",
      needs: "`logoUrl` in package.json",
      problem: unless(
        isText(logoUrl, /^https:.*\.(svg|png)$/),
        "package.json names no logoUrl, as the https address of an SVG or PNG.",
      ),
    },
    {
      name: "keywords",
      needs: '"kind/native" and "category/..." in `keywords` of package.json',
      problem: unless(
        keywords.includes("kind/native") && categories.includes(category),
        `package.json has not both keywords, "kind/native" and "category/" with ${categories.join(", ")}.`,
      ),
    },
  ];
}

function repositoryProblem(repository) {
  if (typeof repository?.url !== "string")
    return "package.json names no repository with a url, with which npm compares where a package was made.";
  return unless(
    /^(?:git\+)?(?:https|ssh|git):\/\/(?:git@)?github\.com\/[^/]+\/pulumi-platform(?:\.git)?\/?$/.test(repository.url),
    `package.json names the repository ${repository.url}, which is none on GitHub called pulumi-platform.`,
  );
}

/** A page needs front matter, a sample in each of the languages, and links that work. */
function pageCheck(file, samples) {
  const needs = [
    "front matter",
    ...(samples.length > 0 ? [`a sample in ${samples.join(", ")}`] : []),
    "no link to a .md file or relative picture",
  ];
  return { name: file, needs: needs.join(", "), problem: pageProblem(file, textOf(file), samples) };
}

function pageProblem(file, text, samples) {
  if (text === undefined) return `There is no ${file}: npm run generate.`;
  if (!/^---\n.*?^layout: package$.*?^---$/ms.test(text))
    return `${file} does not begin with front matter that has "layout: package".`;
  const missing = samples.filter((language) => !new RegExp(`^\`\`\`${language}$`, "m").test(text));
  if (missing.length > 0) return `${file} has no sample in ${missing.join(", ")}.`;
  const [, wrong] = wrongLinks.find(([form]) => form.test(text)) ?? [];
  return unless(wrong === undefined, `${file} has ${wrong}.`);
}

const later = (name, needs) => ({ name, needs, problem: null });
const unless = (isMet, problem) => (isMet ? undefined : problem);

/** The text of a file of the checkout; undefined if it is missing. */
function textOf(file) {
  const path = join(checkout, file);
  return existsSync(path) ? readFileSync(path, "utf8") : undefined;
}
