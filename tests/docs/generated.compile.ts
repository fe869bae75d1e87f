import { parse } from "yaml";
import { claimHelpers } from "../../provider/claims/helpers";
import { type Setting, settings } from "../../provider/credentials/settings";
import * as sdk from "../../sdk";
import { readableKinds } from "../../provider/kinds/kinds";
import { record } from "../../tools/generate/record";
import { readComments } from "../../tools/generate/comments";
import { blocksOf, type Examples, readExamples, withExamples } from "../../tools/generate/examples";
import { generatedFiles, packageSchema } from "../../tools/generate/files";
import { type DescribedFunction, readFunctions } from "../../tools/generate/functions";
import { namesOf, publishedBy } from "../../tools/generate/published";
import type { Schema } from "../../tools/generate/schema-form";
import type { Comments } from "../../tools/generate/walk";
import { filesBelow, read } from "./markdown";

let comments: Comments;
let functions: readonly DescribedFunction[];
let examples: Examples;
beforeAll(async () => {
  comments = readComments();
  functions = readFunctions();
  examples = await readExamples(packageSchema(comments, functions), JSON.parse(read("schema.json")) as Schema);
});

test("the tables of the pages and the schemas are those of the declarations: `npm run generate` writes them", () => {
  const stale = [...generatedFiles(comments, functions, examples)].filter(([file, text]) => read(file) !== text);
  expect(stale.map(([file]) => file)).toEqual([]);
});

test("a changed doc comment would be found in its page and in both schemas", () => {
  const changed = new Map([...comments, ["Identity.claimMatch.issuer", "Something else."]]);
  const stale = [...generatedFiles(changed, functions, examples)].filter(([file, text]) => read(file) !== text);
  expect(stale.map(([file]) => file)).toEqual([
    "docs/resources/identity.md",
    "docs/data-sources/identity.md",
    "schema.json",
    "organization.schema.json",
  ]);
});

test("every kind that data sources read has its page, every other function too, and every page is that of one", () => {
  const others = functions.filter(({ area }) => area !== undefined).map(({ call }) => call);
  expect(others.sort()).toEqual([
    "checkAccountAssociation",
    "getCaller",
    "getEffectiveAccess",
    "getPerson",
    "getRegistryCredentials",
    "getRepoReadme",
  ]);
  const names = [...Object.keys(readableKinds), ...others];
  const pages = names.map((name) => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`));
  expect(filesBelow("docs/data-sources", ".md")).toEqual(pages.map((page) => `docs/data-sources/${page}.md`).sort());
});

test("a field without a doc comment is an error that names it", () => {
  const fewer = new Map([...comments].filter(([name]) => name !== "Role.capabilities"));
  expect(() => generatedFiles(fewer, functions, examples)).toThrow("Role.capabilities has no doc comment.");
});

describe("schema.json", () => {
  const schema = JSON.parse(read("schema.json")) as Schema;
  const exported = Object.entries(sdk).filter(
    ([name, value]) => /^(get|check)[A-Z].*(?<!Output)$/.test(name) && typeof value === "function",
  );

  test("has every function of the package, with its arguments and its result", () => {
    const names = Object.keys(schema.functions).map((token) => token.split(":").at(-1));
    const helpers = claimHelpers.map(({ call }) => call);
    expect(names.sort()).toEqual([...exported.map(([name]) => name), ...helpers].sort());
    for (const { call, inputs, outputs } of functions) {
      const [, described] = Object.entries(schema.functions).find(([token]) => token.endsWith(`:${call}`)) ?? [];
      expect(Object.keys(described?.inputs.properties ?? {})).toEqual(inputs.map(({ name }) => name).sort());
      expect(Object.keys(described?.outputs.properties ?? {})).toEqual(outputs.map(({ name }) => name).sort());
    }
  });

  test("requires what a function requires, and marks secrets", () => {
    expect(schema.functions["platform:iam:getPerson"]?.inputs.required).toEqual(["issuer", "subject"]);
    expect(schema.functions["platform:iam:getRole"]?.inputs.required).toEqual([]);
    expect(schema.functions["platform:registry:getTags"]?.outputs.properties["tags"]).toMatchObject({ type: "array" });
    expect(schema.functions["platform:registry:getRegistryCredentials"]?.outputs.properties["password"]).toMatchObject({
      secret: true,
    });
    expect(schema.resources["platform:registry:RegistryCredentials"]?.properties["password"]).toMatchObject({ secret: true });
  });

  test("has every setting of a stack, every argument of an explicit provider, and a name for each language", () => {
    const keys = Object.values<Setting>(settings).flatMap(({ key }) => key ?? []);
    expect(Object.keys(schema.config.variables).map((name) => `platform:${name}`)).toEqual(keys);
    expect(Object.keys(schema.provider.inputProperties)).toContain("tokenCommand");
    expect(Object.keys(schema.provider.inputProperties).filter((name) => /token$/i.test(name))).toEqual([]);
    expect(schema.config.variables["adopt"]?.type).toBe("boolean");
    expect(Object.keys(schema.language)).toEqual(["nodejs", "python", "go", "csharp", "java"]);
  });

  test("shows a use of every resource and function in each language, from one program", () => {
    for (const [token, { description }] of Object.entries({ ...schema.resources, ...schema.functions })) {
      const { typescript, yaml, ...others } = blocksOf(description);
      const isInJava = !yaml?.includes("type: platform:iam:GroupAccess\n");
      const expected = isInJava ? ["python", "go", "java"] : ["python", "go"];
      expect([token, Object.keys(others)]).toEqual([token, expected]);
      expect(typescript).toContain('from "pulumi-platform-native"');
      expect(yaml).toContain(`: ${token}\n`);
    }
  });

  test("exports the same in each language as in TypeScript, under names that converters keep", () => {
    for (const [token, { description }] of Object.entries({ ...schema.resources, ...schema.functions })) {
      const { typescript = "", yaml = "", ...others } = blocksOf(description);
      const outputs = [...typescript.matchAll(/^export const (\w+) = (?!new )/gm)].map(([, name]) => name);
      const written = Object.keys((parse(yaml) as { outputs?: object }).outputs ?? {});
      expect([token, written]).toEqual([token, outputs]);
      for (const text of Object.values(others)) for (const name of outputs) expect(text).toContain(`xport("${name}"`);
      expect(others["python"]).not.toMatch(/_var\b/);
    }
  });

  test.each([
    [
      "computes something",
      "export const n = getRoleOutput({ name: 'a' }).uid.apply((uid) => uid.length);",
      "n is neither a text",
    ],
    ["is a list, which Go cannot export", "export const all = getRolesOutput().roles;", "all is neither a text"],
    ["has the name of a variable", "export const viewer = getRoleOutput({ name: 'viewer' }).uid;", "viewer has the name"],
  ])("has no example with an export that %s", async (_, text, problem) => {
    const program = `import { getRoleOutput, getRolesOutput } from "pulumi-platform";\n${text}`;
    await expect(record(program, schema)).rejects.toThrow(`The export ${problem}`);
  });

  test("speaks no TypeScript outside its examples", () => {
    const prose = JSON.stringify(schema, (key, value: unknown) =>
      key === "description"
        ? String(value)
            .replace(/^```.*?^```/gms, "")
            .replace(/\{\{% .*? %\}\}/g, "")
        : value,
    );
    const descriptions = [...prose.matchAll(/"description":"((?:[^"\\]|\\.)*)"/g)].map(([, text = ""]) => text);
    expect(descriptions.length).toBeGreaterThan(300);
    expect(descriptions.filter((text) => /\bundefined\b|Output\b|(?<!www\.)pulumi\.|\{ /.test(text))).toEqual([]);
  });

  test("keeps no conversion of a program that has changed", async () => {
    const token = "platform:iam:Group";
    const before = new Map([...examples, [token, { ...examples.get(token), yaml: "resources: {}\n" }]]);
    const changed = await readExamples(
      packageSchema(comments, functions),
      withExamples(packageSchema(comments, functions), before),
    );
    expect(Object.keys(changed.get(token) ?? {})).toEqual(["typescript", "yaml"]);
    expect(changed.get("platform:iam:Role")).toEqual(examples.get("platform:iam:Role"));
  });

  test("offers the known values of an enum; those of the platform may be newer ones", () => {
    expect(schema.types["platform:registry:DeletionPolicy"]?.enum?.map(({ value }) => value)).toEqual(["retain", "delete"]);
    const policy = { $ref: "#/types/platform:registry:DeletionPolicy" };
    expect(schema.resources["platform:registry:Repo"]?.inputProperties["deletionPolicy"]).toMatchObject(policy);
    const related = [{ type: "string" }, { $ref: "#/types/platform:iam:RelationshipType" }];
    expect(schema.functions["platform:iam:getIdentities"]?.inputs.properties["relationshipType"]?.oneOf).toEqual(related);
  });

  test("does not require what only the create returns: an imported invite has no code", () => {
    const { properties, required = [] } = schema.resources["platform:iam:GroupInvite"] ?? {};
    expect(properties).toHaveProperty("code");
    expect(required).not.toContain("code");
  });

  test("leaves it to the provider to replace what cannot change, and takes over the state of the dynamic classes", () => {
    const role = schema.resources["platform:iam:RoleBinding"];
    expect(role?.inputProperties["parentUid"]?.willReplaceOnChanges).toBe(true);
    for (const [token, { aliases, ...resource }] of Object.entries(schema.resources)) {
      // A component has one type for both classes.
      if ("isComponent" in resource) continue;
      expect(aliases).toEqual([{ type: token.replace("platform:", "pulumi-nodejs:dynamic/platform/") }]);
    }
  });

  test.each([
    ["git+https://github.com/acme/pulumi-platform.git", "acme/pulumi-platform"],
    ["git+ssh://git@github.com/acme/provider.js.git", "acme/provider.js"],
    ["https://github.com/acme/provider", "acme/provider"],
    ["git+https://gitlab.example/acme/provider.git", undefined],
    ["git+https://other-github.com/acme/provider.git", undefined],
    [undefined, undefined],
  ])("of the repository %s, has engines find the plugin in a release, and Go the module, of %s", (url, slug) => {
    const manifest = { version: "1.2.0", ...(url !== undefined && { repository: { url } }) };
    const release = `https://github.com/${slug ?? ""}/releases/download/v1.2.0`;
    expect(publishedBy(manifest)["pluginDownloadURL"]).toBe(slug && release);
    expect(namesOf(manifest).go).toBe(`${slug === undefined ? "pulumi-platform.local" : `github.com/${slug}`}/sdk/go/platform`);
  });

  test("names the publisher, the page and the picture of package.json, and invents none", () => {
    const { publisher, homepage, logoUrl } = publishedBy({
      author: "Acme Platform <platform@acme.example> (https://acme.example)",
      homepage: "https://acme.example",
      logoUrl: "https://acme.example/logo.svg",
    });
    expect([publisher, homepage, logoUrl]).toEqual(["Acme Platform", "https://acme.example", "https://acme.example/logo.svg"]);
    expect(publishedBy({})).toEqual({});
  });

  test("names an npm package of its own: npm takes a/b for the GitHub repository a/b", () => {
    expect(namesOf({}).node).toMatch(/^[\w-]+$/);
    expect(schema.language["nodejs"]).toMatchObject({ packageName: namesOf({}).node });
  });

  test("has no `$schema`, which Pulumi's own schema of it rejects", () => {
    expect(schema).not.toHaveProperty("$schema");
  });

  test("describes everything in a type, and every type is used", () => {
    const text = JSON.stringify(schema);
    for (const [token, { properties }] of Object.entries(schema.types)) {
      expect(text).toContain(`"#/types/${token}"`);
      for (const { description } of Object.values(properties ?? {})) expect(description).not.toBe("");
    }
  });
});
