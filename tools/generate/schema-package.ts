import type { Setting } from "../../provider/credentials/settings";
import type { PackageNames } from "./published";
import { enumOf } from "./schema-enums";
import type { Schema, SchemaProperty, SchemaProvider, SchemaTypes } from "./schema-form";
import { commentOf, type Comments } from "./walk";

/** The settings of the provider, by name. */
export type Settings = Readonly<Record<string, Setting>>;

const areas = { events: "Events", iam: "Iam", registry: "Registry", vulnerabilities: "Vulnerabilities" };
const engine = ">=3.216.0,<4.0.0";

/** Settings for the generators of SDKs. That of Node.js is made by scripts/languages/nodejs.mjs, from `pulumi-platform/native`. */
export const languagesOf = (names: PackageNames) => ({
  nodejs: {
    packageName: names.node,
    respectSchemaVersion: true,
  },
  python: {
    packageName: names.python,
    requires: { pulumi: engine },
    pyproject: { enabled: true },
    inputTypes: "classes-and-dicts",
    respectSchemaVersion: true,
  },
  go: {
    importBasePath: names.go,
    rootPackageName: "platform",
    generateResourceContainerTypes: true,
    respectSchemaVersion: true,
  },
  csharp: {
    rootNamespace: "PulumiPlatform",
    namespaces: areas,
    packageReferences: { Pulumi: "3.*" },
    respectSchemaVersion: true,
  },
  // Without Gradle, because the generated build has defaults of years ago. scripts/languages/java.mjs writes a pom.xml.
  java: { basePackage: names.java, buildFiles: "none" },
});

/**
 * The provider's own arguments, which are those of the class `Provider`. The environment is no default, because SDKs would copy it into
 * state.
 */
export function providerOf(settings: Settings, comments: Comments, types: SchemaTypes): SchemaProvider {
  const typeOf = (name: string, argument: NonNullable<Setting["argument"]>) => {
    if (argument === "version") return enumOf({ area: "index", name, values: ["v2beta1", "v2", "auto"] }, types);
    return { type: { flag: "boolean", number: "integer", text: "string" }[argument] };
  };
  const properties = Object.entries(settings).flatMap(([name, { argument }]): [string, SchemaProperty][] =>
    argument === undefined ? [] : [[name, { ...typeOf(name, argument), description: commentOf(comments, `Provider.${name}`) }]],
  );
  return { description: commentOf(comments, "Provider"), inputProperties: Object.fromEntries(properties) };
}

/** The possible settings of a stack: `pulumi config set platform:baseUrl`. */
export function configOf(settings: Settings, { inputProperties }: SchemaProvider): Schema["config"] {
  const ofStacks = Object.entries(settings).filter(([, { key }]) => key !== undefined);
  const variable = ([name, { environment, meaning, default: standard }]: [string, Setting]): [string, SchemaProperty] => {
    const { $ref, type = "string" }: Partial<SchemaProperty> = inputProperties[name] ?? {};
    const otherwise = standard === undefined ? "" : ` Default: ${standard}.`;
    const text = `${meaning.charAt(0).toUpperCase()}${meaning.slice(1)}. Or set \`${environment}\`.${otherwise}`;
    return [name, { ...($ref === undefined ? { type } : { $ref }), description: text }];
  };
  return { variables: Object.fromEntries(ofStacks.map(variable)) };
}
