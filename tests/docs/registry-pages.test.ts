import { execFileSync } from "node:child_process";
import { checkout, read, registryPages } from "./markdown";

interface Check {
  name: string;
  problem?: string | null;
}

/** The result of the release's own checks of this checkout. */
function problems(): Record<string, string | null> {
  const program = `import { registryChecks } from "./scripts/release/registry.mjs";
    import manifest from "./package.json" with { type: "json" };
    console.log(JSON.stringify(registryChecks(manifest)));`;
  const output = execFileSync(process.execPath, ["--input-type=module", "-e", program], { cwd: checkout, encoding: "utf8" });
  return Object.fromEntries((JSON.parse(output) as Check[]).map(({ name, problem }) => [name, problem ?? null]));
}

test("the schema and the pages pass the registry's checks, apart from what the owner fills in", () => {
  const { repository, publisher, homepage, logo, ...others } = problems();
  expect([repository, publisher, homepage, logo]).not.toContain(undefined);
  expect(Object.entries(others).filter(([, problem]) => problem !== null)).toEqual([]);
  expect(Object.keys(others)).toEqual(expect.arrayContaining(["keywords", "version", "SDK of Node.js", ...registryPages]));
});

test.each(registryPages)("%s names no page of the documentation, which the registry does not have", (page) => {
  expect(read(page)).not.toMatch(/\bdocs\/|\.md\b/);
});

test("the sample of the start page is the schema's example, in each language", () => {
  const schema = JSON.parse(read("schema.json")) as { resources: Record<string, { description: string }> };
  const examples = schema.resources["platform:iam:RoleBinding"]?.description.matchAll(/^```(\w+)\n(.*?)^```$/gms) ?? [];
  const texts = [...examples].map(([, language = "", text = ""]) => ({ language, text }));
  expect(texts.map(({ language }) => language)).toEqual(["typescript", "python", "go", "java", "yaml"]);
  for (const { text } of texts) expect(read("docs/_index.md")).toContain(text);
});
