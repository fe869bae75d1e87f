import { composites, kinds } from "../../provider/kinds/kinds";
import { typeToken } from "../../provider/host/plugin/resources";
import { importFormText, importTextOf, mayNameObject } from "../../provider/schema/import-id";
import type { Kind } from "../../provider/schema/kind";
import { pageName } from "./source-tables";
import { code, table } from "./table";

const importable: readonly Kind[] = Object.values<Kind>({ ...kinds, ...composites });

/** Names of the objects in examples, by the noun of their kind. */
const names: Readonly<Record<string, string>> = {
  group: "engineering",
  identity: "ci",
  role: "deployer",
  "identity provider": "staff",
  repo: "nginx",
  tag: "1.25",
};

/** Values of fields in examples. */
const values: Readonly<Record<string, string>> = {
  roleUid: "viewer",
  scope: "acme",
  externalGroupId: "engineers",
  keyId: "a1b2c3d4",
  sink: "https://events.example.com/acme",
};

/** @throws if a new kind has no example yet */
function known(examples: Readonly<Record<string, string>>, name: string): string {
  const example = examples[name];
  if (example === undefined) throw new Error(`tools/generate/imports.ts: add an example of ${name}.`);
  return example;
}

const root = "acme";

/** The text that names an object of `kind` in examples; undefined if only its uid does. */
function importSample(kind: Kind): string | undefined {
  const { fields, parents, collection } = kind;
  const around = importable.find((each) => each.collection.noun === parents.noun);
  const place = around?.collection.noun === collection.noun ? root : placeOf(around);
  return importTextOf(kind, {
    place,
    name: () => known(names, collection.noun),
    part(field) {
      const shape = fields[field]?.shape;
      const of = importable.find((each) => shape?.is === "uid" && shape.of === each.collection.noun);
      return of === undefined || field in values ? known(values, field) : placeOf(of);
    },
  });
}

function placeOf(kind: Kind | undefined): string {
  return (kind && importSample(kind)) ?? root;
}

/** The text of the section Import of the page of `kind`, and of its example. @throws if the example is in no form */
export function importText(kind: Kind): string {
  const [form, sample] = [importFormText(kind), importSample(kind)];
  const { name, importForm } = kind;
  if (form === undefined || sample === undefined || !mayNameObject(sample, importForm))
    throw new Error(`${name}: ${String(sample)} is no example of an import.`);
  const quoted = /^[\w./:-]+$/.test(sample) ? sample : `'${sample}'`;
  return [
    `\`pulumi import\` with the [native plugin](../native.md#import) takes the uid, or ${code(form)} ([by name](index.md#import-by-name)).`,
    `\`${name}.get\` of both packages takes the same texts.`,
    `\n\n\`\`\`text\npulumi import ${typeToken(kind)} example ${quoted}\n\`\`\``,
  ]
    .join(" ")
    .replace(" \n", "\n");
}

/** The table of the names of all kinds. */
export function importsTable(): string {
  const rows = importable.map((kind) => [
    `[${code(kind.name)}](${pageName(kind)})`,
    code(importFormText(kind) ?? "uid"),
    code(importSample(kind) ?? "uid"),
  ]);
  return table(["resource", "is named by", "example"], rows);
}
