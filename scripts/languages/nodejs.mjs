import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { checkout } from "../lib/paths.mjs";
import { packageSchema } from "../lib/schema.mjs";
import { bringUp } from "../toolchain/bring-up.mjs";
import { emptyFolder } from "./tools.mjs";

const require = createRequire(import.meta.url);
const classes = "pulumi-platform/native";

/** Node.js, with a package that has the classes of `pulumi-platform/native`, and namespaces as other SDKs have them, for converted programs. */
export const nodejs = {
  needs: [],
  block: "typescript",

  async build(_work, folder) {
    await bringUp({ engine: false });
    emptyFolder(folder, "nodejs");
    const manifest = JSON.parse(readFileSync(join(checkout, "package.json"), "utf8"));
    for (const [name, text] of Object.entries(filesOf(manifest))) writeFileSync(join(folder, name), text);
    return `npm install ${folder}, beside the tarball of npm pack`;
  },

  /** Compiles the examples, and what Pulumi's converter makes of them. */
  async check(work, { sdk, folder, examples, converted }) {
    const programs = join(folder, "examples");
    cpSync(sdk, join(programs, "node_modules", packageSchema().language.nodejs.packageName), { recursive: true });
    const all = [...examples, ...converted];
    // A program that exports nothing would be a script, in one scope with the others.
    all.forEach((text, index) => writeFileSync(join(programs, `example-${index}.ts`), `${text}\nexport {};\n`));
    const paths = { [classes]: [join(checkout, "dist", "sdk", "native", "index.d.ts")] };
    writeFileSync(join(programs, "tsconfig.json"), JSON.stringify({ compilerOptions: { ...strict, paths } }));
    const tsc = [require.resolve("typescript/bin/tsc"), "--project", programs];
    await work.run(`compiling ${all.length} examples`, process.execPath, tsc, { cwd: programs });
  },
};

const strict = { strict: true, noEmit: true, target: "es2022", module: "nodenext", skipLibCheck: true, types: [] };

/** The files of the package, by name. */
function filesOf(manifest) {
  const schema = packageSchema();
  const own = require(join(checkout, "dist", "sdk", "native", "index.js"));
  const areas = areasOf(schema, (name) => name in own);
  return {
    "package.json": `${JSON.stringify(manifestOf(manifest, schema), undefined, 2)}\n`,
    "README.md": readme(schema),
    // A new object, because namespaces in that of `pulumi-platform/native` would be seen there.
    "index.js": lines('"use strict";', `module.exports = { ...require("${classes}") };`, ...areas.map(inIndex)),
    "index.d.ts": lines(`export * from "${classes}";`, ...areas.map(({ area }) => `export * as ${area} from "./${area}";`)),
    ...Object.fromEntries(areas.flatMap(filesOfArea)),
  };
}

const lines = (...all) => `${all.join("\n")}\n`;
const inIndex = ({ area }) => `module.exports.${area} = require("./${area}");`;

function manifestOf({ version, license, author, homepage, repository, peerDependencies }, { language, pluginDownloadURL }) {
  return {
    name: language.nodejs.packageName,
    version,
    description: "SDK of Node.js for the plugin of pulumi-platform: the classes of pulumi-platform/native.",
    license,
    ...{ author, homepage, repository },
    main: "index.js",
    types: "index.d.ts",
    files: ["*.js", "*.d.ts"],
    // The classes and the plugin are of one version.
    dependencies: { "pulumi-platform": version },
    peerDependencies,
    // With it, the engine installs the plugin before it runs a program.
    pulumi: { resource: true, name: "platform", version, ...(pluginDownloadURL && { server: pluginDownloadURL }) },
  };
}

/**
 * The members of each namespace: classes and functions of the package, enums, which the package has as texts only, and calls of the plugin for
 * functions that the package has in another form, such as `githubActions`, which returns the claims themselves.
 */
function areasOf({ types, resources, functions }, isExported) {
  const areas = new Map();
  const at = (token) => {
    const [, area] = token.split(":");
    if (!areas.has(area)) areas.set(area, { area, names: [], enums: [], calls: [] });
    return areas.get(area);
  };
  const named = Object.keys({ ...resources, ...functions }).flatMap((token) => [token, `${token}Output`]);
  for (const token of named.filter((each) => isExported(nameIn(each)))) at(token).names.push(nameIn(token));
  for (const [token, { outputs }] of Object.entries(functions))
    if (!isExported(`${nameIn(token)}Output`)) at(token).calls.push({ token, results: Object.keys(outputs.properties) });
  for (const [token, { enum: values }] of Object.entries(types))
    if (values !== undefined) at(token).enums.push([nameIn(token), values]);
  // No generated SDK has a namespace `index`, which means the package itself.
  return [...areas.values()].filter(({ area }) => area !== "index");
}

const nameIn = (token) => token.split(":").at(-1);

function filesOfArea({ area, names, enums, calls }) {
  const objects = enums.map(([name, values]) => [name, Object.fromEntries(values.map((each) => [each.name, each.value]))]);
  const code = [
    '"use strict";',
    'const { runtime } = require("@pulumi/pulumi");',
    `const all = require("${classes}");`,
    ...names.map((name) => `exports.${name} = all.${name};`),
    ...objects.map(([name, members]) => `exports.${name} = ${JSON.stringify(members)};`),
    ...calls.map(
      ({ token }) => `exports.${nameIn(token)}Output = (args, opts) => runtime.invokeOutput("${token}", args ?? {}, opts);`,
    ),
  ];
  const declarations = [
    'import type * as pulumi from "@pulumi/pulumi";',
    `export { ${names.join(", ")} } from "${classes}";`,
    ...objects.flatMap(([name, members]) => [
      `export declare const ${name}: ${readonly(members)};`,
      `export type ${name} = (typeof ${name})[keyof typeof ${name}];`,
    ]),
    ...calls.map(
      ({ token, results }) =>
        `export declare function ${nameIn(token)}Output(args?: pulumi.Inputs, opts?: pulumi.InvokeOutputOptions): ` +
        `pulumi.Output<{ ${results.map((name) => `${name}: any;`).join(" ")} }>;`,
    ),
  ];
  return [
    [`${area}.js`, lines(...code)],
    [`${area}.d.ts`, lines(...declarations)],
  ];
}

const readonly = (members) =>
  `{ ${Object.entries(members)
    .map(([name, value]) => `readonly ${name}: ${JSON.stringify(value)};`)
    .join(" ")} }`;

const readme = ({ language: { nodejs: named }, description }) => `# ${named.packageName}

${description}

This package is the SDK of Node.js for the plugin. It has what \`${classes}\` has: a program may import either, and both are the same
classes. The documentation is in the package \`pulumi-platform\`.
`;
