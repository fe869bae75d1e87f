const { enumOf } = require("./schema-enums.js");
const { commentOf } = require("./walk.js");

const areas = { events: "Events", iam: "Iam", registry: "Registry", vulnerabilities: "Vulnerabilities" };
const engine = ">=3.216.0,<4.0.0";

/** Settings for the generators of SDKs. The Node.js package is written by hand: generated programs import its classes. */
const languages = {
  nodejs: {
    packageName: "pulumi-platform/native",
    moduleToPackage: Object.fromEntries(Object.keys(areas).map((area) => [area, ""])),
    respectSchemaVersion: true,
  },
  python: {
    packageName: "pulumi_platform",
    requires: { pulumi: engine },
    pyproject: { enabled: true },
    inputTypes: "classes-and-dicts",
    respectSchemaVersion: true,
  },
  go: {
    importBasePath: "pulumi-platform.local/sdk/go/platform",
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
};

/** The provider's own arguments: those of the class `Provider`. The environment is no default: SDKs would copy it into state. */
function providerOf(settings, comments, types) {
  const typeOf = (name, argument) => {
    if (argument === "version") return enumOf("index", name, ["v2beta1", "v2", "auto"], types);
    return { type: { flag: "boolean", number: "integer", text: "string" }[argument] };
  };
  const properties = Object.entries(settings)
    .filter(([, { argument }]) => argument !== undefined)
    .map(([name, { argument }]) => [name, { ...typeOf(name, argument), description: commentOf(comments, `Provider.${name}`) }]);
  return { description: commentOf(comments, "Provider"), inputProperties: Object.fromEntries(properties) };
}

/** The settings that a stack may have: `pulumi config set platform:baseUrl`. */
function configOf(settings, { inputProperties }) {
  const ofStacks = Object.entries(settings).filter(([, { key }]) => key !== undefined);
  const variable = ([name, { environment, meaning, default: standard }]) => {
    const { $ref, type } = inputProperties[name] ?? { type: "string" };
    const otherwise = standard === undefined ? "" : ` Default: ${standard}.`;
    const text = `${meaning.charAt(0).toUpperCase()}${meaning.slice(1)}. Or set \`${environment}\`.${otherwise}`;
    return [name, { ...($ref ? { $ref } : { type }), description: text }];
  };
  return { variables: Object.fromEntries(ofStacks.map(variable)) };
}

module.exports = { configOf, languages, providerOf };
