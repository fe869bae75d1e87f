import Ajv from "ajv";
import fc from "fast-check";
import { parse } from "yaml";
import { groupKey } from "../../provider/schema/inputs";
import { Organization } from "../../sdk";
import { read } from "../docs/markdown";
import { declaredBy, type Registered, withFile } from "./components";
import { refusalOf } from "./support";

const root = "0123456789abcdef0123456789abcdef01234567";
const construct = (file = "acme.yaml") => new Organization("acme", { parentUid: root, file });
const declaredFrom = (text: string, name?: string) => declaredBy(() => withFile(text, () => construct(name), name));
const problemsOf = (text: string) =>
  withFile(text, () => refusalOf(construct))
    .split("\n")
    .slice(1)
    .map((line) => line.split(/^ *acme\.yaml:/)[1] ?? `without a place: ${line}`);
const namesOf = (registered: Registered[]) => registered.map(({ name }) => name);

test("a file in YAML and one in JSON declare what the same nested objects declare", async () => {
  const claimMatch = { issuer: "https://gitlab.example", subject: "s" };
  const groups = { eng: { description: "E", identities: { ci: { claimMatch } }, access: { viewer: ["ci"] } } };
  const nested = await declaredBy(() => new Organization("acme", { parentUid: root, groups }));
  expect(await declaredFrom(JSON.stringify({ $schema: "x", groups }, undefined, "\t"), "acme.json")).toEqual(nested);
  const yaml = `
groups:
  eng: { description: E, identities: { ci: { claimMatch: { issuer: "https://gitlab.example", subject: s } } }, access: { viewer: [ci] } }
`;
  expect(await declaredFrom(yaml)).toEqual(nested);
  expect(await declaredFrom(`\uFEFF${yaml.replaceAll("\n", "\r\n")}`)).toEqual(nested);
});

test("keys without a value are empty, and names that look like numbers are names", async () => {
  const text = "groups:\n  2024:\n  true:\n    groups:\n    access:\n      viewer:\n  1.0:\n";
  expect(namesOf(await declaredFrom(text))).toEqual(["acme", "acme/1.0", "acme/2024", "acme/true"]);
});

test("anchors and aliases repeat what they name", async () => {
  const text = `
groups:
  a: { identities: { ci: { claimMatch: &ours { issuer: "https://a.example", subject: s } } } }
  b: { identities: { ci: { claimMatch: *ours } } }
`;
  const [one, other] = (await declaredFrom(text)).filter(({ type }) => type === "Identity");
  expect(one?.inputs["claimMatch"]).toEqual({ issuer: "https://a.example", subject: "s" });
  expect(other?.inputs["claimMatch"]).toEqual(one?.inputs["claimMatch"]);
});

test("an alias means the last anchor of its name before it, also where another alias repeats it", async () => {
  const text = `
groups:
  a: { description: &d one, groups: &g { x: { description: *d } } }
  b: { description: &d two, groups: *g }
  c: { description: *d }
`;
  const described = (await declaredFrom(text)).map(({ name, inputs }) => [name, inputs["description"]]);
  expect(described.slice(1)).toEqual([
    ["acme/a", "one"],
    ["acme/a/x", "one"],
    ["acme/b", "two"],
    ["acme/b/x", "one"],
    ["acme/c", "two"],
  ]);
});

/** The file `acme.yaml` of one group `e`, as the lines of its entry. */
const e = (...lines: string[]) => ["groups:", "  e:", ...lines.map((line) => `    ${line}`), ""].join("\n");
const ofCi = (form: string) => e("identities:", `  ci: ${form}`);

/** Files, each with its problems: place, object, and what is named or offered. */
const refused: [string, string, ...RegExp[]][] = [
  ["a misspelt key", e("identites: {}"), /^3:5: groups\.e: "identites" .*did you mean "identities"\?/],
  ["a misspelt key at the top", "gruops: {}\n", /^1:1: "gruops" .*did you mean "groups"\?/],
  [
    "a misspelt member of a claim match",
    e("identities:", "  ci:", "    claimMatch:", "      issuer: https://a.example", "      subject: s", "      audiense: a"),
    /^8:11: groups\.e\.identities\.ci: "audiense" .*claimMatch; did you mean "audience"\?/,
  ],
  [
    "a wrong issuer",
    ofCi("{ claimMatch: { issuer: http://a.example, subject: s } }"),
    /^4:27: groups\.e\.identities\.ci: claimMatch\.issuer must be an https URL/,
  ],
  [
    "no subject, at the claim match",
    ofCi("{ claimMatch: { issuer: https://a.example } }"),
    /^4:13: groups\.e\.identities\.ci: .*claimMatch\.subject and claimMatch\.subjectPattern must be set/,
  ],
  [
    "numbers where no text is expected",
    "groups:\n  e: { forceDestroy: 1 }\nunknown: 1\n",
    /^2:8: groups\.e: forceDestroy must be true or false/,
    /^3:1: "unknown" .*"identities", "access" and "groups"\./,
  ],
  [
    "a number that is text",
    ofCi("{ awsIdentity: { awsAccount: 123456789012, arn: a, userId: u } }"),
    /^4:28: groups\.e\.identities\.ci: awsIdentity\.awsAccount must be a string\. .* needs quotes/,
  ],
  [
    "a duplicate member, at its second place",
    e("access:", "  viewer:", `    - ${root}`, `    - ${root}`),
    new RegExp(`^6:11: groups\\.e\\.access\\.viewer: "${root}" is in the list twice`),
  ],
  [
    "duplicate keys, all of them",
    "groups:\n  a: {}\n  b: {}\n  a: {}\ngroups: {}\n",
    /^4:3: the key "a" is repeated; .* 2:3$/,
    /^5:1: the key "groups" is repeated; .* 1:1$/,
  ],
  ["two documents", "groups: {}\n---\ngroups: {}\n", /^2:1: .*a second document/],
  ["an unknown alias", "groups: { a: *b }\n", /^1:14: the alias "\*b" has no anchor/],
  ["an alias that contains itself", "groups: &a\n  a: { groups: *a }\n", /^2:16: the alias "\*a" contains itself/],
  [
    "groups that contain each other through aliases, once",
    "groups: &g\n  a: { groups: &h { b: { groups: *g } } }\n  c: { groups: *h }\n",
    /^2:34: the alias "\*g" contains itself/,
  ],
  ["a list of access that contains itself", e("access: { viewer: &v [*v] }"), /^3:27: the alias "\*v" contains itself/],
  ["a merge key", "groups:\n  a: &a {}\n  b: { <<: *a }\n", /^3:8: groups\.b: "<<" is not a key/],
  ["a tag", "groups: !secret {}\n", /^1:9: Unresolved tag: !secret/],
  ["a key that is a list", "groups:\n  ? [a]\n  : {}\n", /^2:5: a key must be text/],
  ["a key of the prototype", e("__proto__: { description: 7 }"), /^3:5: groups\.e: "__proto__" is not a key/],
  ["no YAML", "groups: [\n", /^2:1: /],
  ["an empty file", "", /^1:1: must be an object: \{ identities, access, groups \}/],
  ["a list", "- a\n", /^1:1: must be an object/],
  ["nothing but brackets", "[".repeat(100_000), /^1:401: .* more than 400 levels/],
  ["lists in lists on one line", "- ".repeat(100_000), /^1:801: .* more than 400 levels/],
];

test.each(refused)("%s is refused with its line and column", (_, text, ...expected) => {
  expect(problemsOf(text)).toEqual(expected.map((line) => expect.stringMatching(line) as string));
});

test("aliases of aliases cannot fill the memory", () => {
  const levels = Array.from(
    { length: 12 },
    (_, level) =>
      `  l${level}: &l${level} [${Array(10)
        .fill(level === 0 ? "x" : `*l${level - 1}`)
        .join(", ")}]\n`,
  );
  expect(problemsOf(`groups:\n${levels.join("")}`)).toEqual([expect.stringContaining("more than 100000 values")]);
});

test("a chain of aliases cannot exhaust the stack", () => {
  const links = Array.from({ length: 1_000 }, (_, link) => `  l${link}: &l${link} [${link === 0 ? "x" : `*l${link - 1}`}]\n`);
  expect(problemsOf(`groups:\n${links.join("")}`)[0]).toContain("more than 400 levels");
});

test("all problems of a file are reported together, in its order", () => {
  const text = "groups:\n  e:\n    access: { viewer: [nobody] }\n    descripton: x\n  B: {}\n";
  expect(problemsOf(text).map((line) => line.split(": ")[0])).toEqual(["3:24", "4:5", "5:3"]);
});

test("a repeated key hides no other problem of the file", () => {
  const text =
    "groups:\n  e:\n    descripton: x\n    description: y\n    description: z\n    access: { viewer: [nobody] }\n  B: {}\n  e: {}\n";
  expect(problemsOf(text).map((line) => line.split(": ").slice(0, 2).join(": "))).toEqual([
    "3:5: groups.e",
    '5:5: the key "description" is repeated; it is first at 4:5',
    "6:24: groups.e.access.viewer",
    "7:3: groups.B",
    '8:3: the key "e" is repeated; it is first at 2:3',
  ]);
});

test("a file that cannot be read is named", () => {
  const message = withFile("", () => refusalOf(() => construct("other.yaml")));
  for (const part of ['Organization "acme"', '"other.yaml" cannot be read', "ENOENT"]) expect(message).toContain(part);
});

test("the YAML library is loaded with the first file only", () => {
  let isLoaded = false;
  jest.isolateModules(() => {
    jest.doMock("yaml", () => {
      isLoaded = true;
      return jest.requireActual<object>("yaml");
    });
    const { Organization: Copy } = jest.requireActual<{ Organization: typeof Organization }>("../../sdk");
    refusalOf(() => new Copy("acme", { parentUid: root, groups: { Bad: {} } }));
    expect(isLoaded).toBe(false);
    withFile("a: b", () => refusalOf(() => new Copy("acme", { parentUid: root, file: "acme.yaml" })));
    expect(isLoaded).toBe(true);
  });
  jest.dontMock("yaml");
});

describe("organization.schema.json", () => {
  const schema = JSON.parse(read("organization.schema.json")) as object;
  const accepts = new Ajv({ strict: false }).compile(schema);

  test("accepts what the package accepts", () => {
    const claimMatch = { issuer: "https://a.example", subject: "s" };
    const group = {
      description: "d",
      adopt: true,
      identities: { ci: { claimMatch, description: "d" } },
      access: { viewer: ["ci"], editor: null },
    };
    expect(accepts({ $schema: "x", groups: { a: group, b: null }, access: {}, identities: null })).toBe(true);
  });

  test("is exported by the package", () => {
    const { exports: exported } = JSON.parse(read("package.json")) as { exports: Record<string, unknown> };
    expect(exported["./organization.schema.json"]).toBe("./organization.schema.json");
  });

  test("accepts the file of the example", () => {
    expect(accepts(parse(read("examples/organization-file/acme.yaml")))).toBe(true);
  });

  const claims = (more: object) => ({
    groups: { e: { identities: { ci: { claimMatch: { issuer: "https://a.example", subject: "s", ...more } } } } },
  });
  test.each([
    ["a misspelt key", { gruops: {} }],
    ["a misspelt claim", claims({ audiense: "a" })],
    ["two issuers", claims({ issuerPattern: "a" })],
    ["two audiences", claims({ audience: "a", audiencePattern: "a" })],
    ["an identity without a form", { groups: { e: { identities: { ci: {} } } } }],
    ["a parent", { groups: { e: { parentUid: root } } }],
    ["a member twice", { groups: { e: { access: { viewer: ["a", "a"] } } } }],
  ])("rejects %s", (_, value) => {
    expect(accepts(value)).toBe(false);
  });

  test("accepts the keys that the package accepts", () => {
    const key = fc.oneof(fc.string(), fc.stringMatching(/^[a-z0-9 ._-]{1,9}$/));
    fc.assert(
      fc.property(key, (text) => {
        expect(accepts({ groups: Object.fromEntries([[text, {}]]) })).toBe(groupKey.safeParse(text).success);
      }),
      { seed: 1 },
    );
  });
});
