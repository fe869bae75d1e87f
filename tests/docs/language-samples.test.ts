import { blocksOf } from "../../tools/generate/examples";
import type { Schema } from "../../tools/generate/schema-form";
import { read } from "./markdown";

const schema = JSON.parse(read("schema.json")) as Schema;
const samples = Object.entries(blocksOf(read("docs/resources/identity.md"))).filter(([language]) =>
  ["python", "go", "java", "yaml"].includes(language),
);

test("the page of identities has a sample of a claim helper in each language", () => {
  expect(samples.map(([language]) => language)).toEqual(["python", "go", "java", "yaml"]);
});

test.each(samples)(
  "its sample in %s is a part of the example in schema.json, which `npm run test:languages` compiles",
  (language, sample) => {
    const example = blocksOf(schema.functions["platform:iam:githubActions"]?.description ?? "")[language] ?? "";
    expect(withoutIndent(example)).toContain(withoutIndent(sample));
  },
);

/** The lines of a text without the space before them. */
function withoutIndent(text: string): string {
  return text.replace(/^[ \t]+/gm, "").trim();
}
