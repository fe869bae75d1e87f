import { existsSync, readFileSync, statSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import js from "@eslint/js";
import tseslint from "typescript-eslint";
import { nounFirst } from "./tools/lint/noun-first.mjs";

const client = ["provider/client"];
const schema = [...client, "provider/schema"];
const kinds = [...schema, "provider/kinds"];
const resources = (...rooms) => [...kinds, ...rooms.map((room) => `provider/resources/${room}`)];
const prose = ["access", "access/prose"];
const analysis = [...kinds, "provider/credentials", ...prose, "inventory"];
const command = [...analysis, "drift", "cli/shell", "cli/text", "cli/documents"];
/** The folders that files of a folder may import from, besides their own (docs/contributing/architecture.md#rooms). Everything else is refused. */
const mayImport = {
  "provider/client": [],
  "provider/credentials": client,
  "provider/schema": client,
  "provider/kinds": schema,
  "provider/resources/sharing": schema,
  "provider/sight": resources("sharing"),
  "provider/resources/ledger": kinds,
  "provider/resources/naming": [...resources("sharing", "ledger"), "provider/sight"],
  "provider/resources/guards": [...resources("sharing", "ledger", "naming"), "provider/sight"],
  "provider/resources/run": [...resources("sharing", "ledger", "naming", "guards"), "provider/sight"],
  "provider/resources/checking": resources("ledger", "run"),
  "provider/resources/creating": [...resources("sharing", "ledger", "naming", "guards", "run", "checking"), "provider/sight"],
  "provider/resources/deleting": resources("ledger", "guards", "run"),
  "provider/resources/object": [
    ...resources("ledger", "naming", "guards", "run", "checking", "creating", "deleting"),
    "provider/sight",
  ],
  "provider/resources/group-access": [...resources("ledger", "naming", "guards", "run", "creating", "object"), "provider/sight"],
  "provider/resources/registry-credentials": resources("run", "object"),
  "provider/sources": [...kinds, ...resources("sharing", "ledger", "naming")],
  "provider/claims": [...schema, "provider/sources"],
  "provider/terraform": kinds,
  "provider/host": [...resources("ledger", "run", "creating", "object"), "provider/credentials", "provider/sources"],
  "provider/host/plugin": [
    ...resources("run", "creating", "object", "group-access", "registry-credentials"),
    ...["provider/claims", "provider/credentials", "provider/sources", "provider/terraform", "provider/host", "."],
  ],
  provider: [
    ...["provider/client", "provider/host", "provider/kinds", "provider/resources/group-access"],
    "provider/resources/registry-credentials",
  ],
  "provider/host/rehearsal": [
    ...[...client, "provider/credentials", "provider/schema", "provider/resources/run", "provider/resources/object"],
    ...["provider/host", "provider/host/plugin", "."],
  ],
  "emulator/wire": [],
  "emulator/contract": ["emulator/wire"],
  "emulator/settings": ["emulator/wire"],
  "emulator/storage": ["emulator/wire"],
  "emulator/auth": ["emulator/wire", "emulator/contract", "emulator/settings", "emulator/storage"],
  "emulator/objects": ["emulator/wire", "emulator/contract", "emulator/settings", "emulator/storage", "emulator/auth"],
  "emulator/api": [
    "emulator/wire",
    "emulator/contract",
    "emulator/settings",
    "emulator/storage",
    "emulator/auth",
    "emulator/objects",
  ],
  "emulator/admin": ["emulator/wire", "emulator/storage", "emulator/objects", "emulator/api"],
  "emulator/seed": ["emulator/wire", "emulator/storage", "emulator/auth", "emulator/objects"],
  "emulator/copy": ["emulator/wire", "emulator/storage", "emulator/objects", "emulator/api"],
  "emulator/serving": ["admin", "api", "auth", "settings", "storage", "wire"].map((room) => `emulator/${room}`),
  access: kinds,
  "access/prose": [...schema, "access"],
  inventory: [...resources("guards", "group-access"), "provider/sight", "provider/sources", "provider/host", "access"],
  copy: [
    ...["admin", "api", "auth", "copy", "serving", "storage", "wire"].map((room) => `emulator/${room}`),
    ...[...kinds, "provider/credentials", "provider/sight", "access", "inventory"],
  ],
  emulator: ["emulator/seed", "emulator/serving", "copy"],
  preview: [...resources("naming", "group-access"), "access", "access/prose", "inventory"],
  rehearse: [...kinds, "provider/credentials", "provider/host", "access", "inventory"],
  "sdk/program": [...client, "provider/credentials", "provider/sources", "provider/host"],
  "sdk/resources": [...kinds, "provider/claims", "provider/credentials", "provider/sources", "provider/host", "sdk/program"],
  "sdk/functions": [
    ...[...kinds, "provider/credentials", "provider/sources", "provider/host"],
    ...["access", "inventory", "sdk/program", "sdk/resources"],
  ],
  "sdk/kinds": ["provider/kinds", "provider/host", "provider/sources", "sdk/resources", "sdk/functions"],
  "sdk/components": [...resources("object"), "sdk/program", "sdk/resources", "sdk/kinds"],
  sdk: [...client, "sdk/resources", "sdk/functions", "sdk/kinds", "sdk/components"],
  "sdk/native": ["sdk", "sdk/resources"],
  "sdk/construct": [...schema, "sdk/program", "sdk/resources", "sdk/native"],
  drift: [...kinds, ...prose, "inventory", "sdk/components"],
  report: [...client, ...prose, "inventory"],
  "report/page": [...client, "access", "report"],
  "cli/text": [...client, "access"],
  "cli/shell": [...resources("sharing", "ledger", "naming"), "provider/credentials", "access/prose"],
  "cli/documents": ["access", "drift", "cli/text"],
  "cli/access": command,
  "cli/drift/formats": command,
  "cli/drift": [...command, "cli/drift/formats"],
  "cli/forget": [...command, "provider/sight"],
  "cli/project": [...command, "sdk/resources"],
  "cli/export": [...command, ...resources("ledger", "object"), "cli/project", "sdk/resources"],
  "cli/from-terraform": [...command, "provider/resources/object", "provider/terraform", "cli/project", "cli/export"],
  "cli/report": [...command, "report", "cli/drift", "cli/drift/formats"],
  "cli/review": [...command, "preview", "sdk/resources"],
  "cli/rehearse": [...command, "copy", "preview", "rehearse", "cli/review"],
  "cli/doctor": [...command, "preview", "cli/review"],
  "cli/init": [...command, "emulator", "cli/project"],
  "cli/up": [...command, "rehearse", "cli/rehearse", "cli/doctor"],
  "cli/watch": [...command, "cli/drift"],
  "cli/whoami": command,
  cli: [
    ...[...kinds, "provider/host/plugin", "provider/host/rehearsal", "rehearse", "sdk/resources", "sdk/construct", "inventory"],
    ...[
      "emulator",
      "cli/shell",
      "cli/access",
      "cli/doctor",
      "cli/drift",
      "cli/export",
      "cli/forget",
      "cli/from-terraform",
      "cli/init",
    ],
    ...["cli/rehearse", "cli/report", "cli/review", "cli/up", "cli/watch", "cli/whoami"],
  ],
};

// Each room may import only those that are listed above it, so no folders import each other in a circle.
for (const [at, [room, others]] of Object.entries(mayImport).entries()) {
  const later = Object.keys(mayImport).slice(at);
  const wrong = others.find((other) => later.includes(other));
  if (wrong !== undefined) throw new Error(`eslint.config.mjs: ${room} is listed before ${wrong}, which it may import.`);
}

/** Imports of our own, of types too, go only where {@link mayImport} says. They are static, so that their direction can be checked. */
const importDirection = {
  meta: { type: "problem", schema: [] },
  create(context) {
    const room = posix(relative(import.meta.dirname, dirname(context.filename)));
    const check = (node) => {
      if (!node.source?.value?.startsWith(".")) return;
      const target = join(dirname(context.filename), node.source.value);
      const isFolder = existsSync(target) && statSync(target).isDirectory() && !existsSync(`${target}.ts`);
      const other = posix(relative(import.meta.dirname, isFolder ? target : dirname(target))) || ".";
      if (other === room || mayImport[room]?.includes(other)) return;
      const why = room in mayImport ? `may not import from ${other}/` : "is not among the rooms of eslint.config.mjs";
      context.report({ node, message: `${room}/ ${why} (docs/contributing/architecture.md#rooms).` });
    };
    const reject = (node) => {
      if (node.source.value?.startsWith(".")) context.report({ node, message: "Imports of our own are static." });
    };
    return { ImportDeclaration: check, ExportNamedDeclaration: check, ExportAllDeclaration: check, ImportExpression: reject };
  },
};

const posix = (path) => path.split(sep).join("/");
const rooms = JSON.parse(readFileSync(join(import.meta.dirname, "tsconfig.build.json"), "utf8")).include;
const product = rooms.map((room) => `${room}/**/*.{ts,tsx}`);

const importDirections = [
  {
    files: product,
    plugins: { rooms: { rules: { direction: importDirection } } },
    rules: { "rooms/direction": "error" },
  },
  {
    files: product,
    ignores: ["cli/**"],
    rules: { "no-restricted-imports": ["error", { paths: [{ name: "commander", message: "Only cli/ has a command line." }] }] },
  },
];

export default tseslint.config(
  { ignores: ["dist/", "node_modules/", ".state/", "**/node_modules/", "coverage/"] },
  js.configs.recommended,
  {
    files: ["**/*.{ts,tsx}"],
    extends: [...tseslint.configs.strictTypeChecked],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      "max-lines": ["error", { max: 400 }],
      "@typescript-eslint/switch-exhaustiveness-check": ["error", { considerDefaultExhaustiveForUnions: true }],
      "@typescript-eslint/no-unused-vars": [
        "error",
        { ignoreRestSiblings: true, argsIgnorePattern: "^_", varsIgnorePattern: "^_$" },
      ],
      // The arguments of a class follow from its kind; the interface gives them a name in editors and errors.
      "@typescript-eslint/no-empty-object-type": ["error", { allowInterfaces: "with-single-extends" }],
      "@typescript-eslint/restrict-template-expressions": ["error", { allowNumber: true }],
      "@typescript-eslint/no-confusing-void-expression": ["error", { ignoreArrowShorthand: true }],
    },
  },
  {
    files: ["**/*.{ts,tsx,js,mjs,cjs}"],
    plugins: { comments: { rules: { "noun-first": nounFirst } } },
    rules: { "comments/noun-first": "error" },
  },
  ...importDirections,
  {
    files: ["tests/**/*.ts"],
    ignores: ["tests/support/signals.ts"],
    rules: {
      "no-restricted-properties": [
        "error",
        {
          object: "process",
          property: "kill",
          message: "tests/support/signals.ts refuses what would kill the tests themselves.",
        },
      ],
    },
  },
  {
    // One screen: a command parses, calls and renders.
    files: ["cli/*/command.ts"],
    ignores: ["cli/shell/*"],
    rules: { "max-lines": ["error", { max: 80 }] },
  },
  {
    // The outputs of a class follow from its kind: an interface of the same name declares them, and the base class sets them.
    files: ["sdk/kinds/*.ts"],
    rules: { "@typescript-eslint/no-unsafe-declaration-merging": "off" },
  },
  {
    files: [
      "scripts/**",
      "*.config.mjs",
      "jest*.config.js",
      "bench/**/*.mjs",
      "tests/upgrade/*/program.js",
      "site/**/*.mjs",
      "tests/support/*.js",
    ],
    languageOptions: {
      globals: {
        process: "readonly",
        console: "readonly",
        module: "writable",
        require: "readonly",
        __dirname: "readonly",
        fetch: "readonly",
        URL: "readonly",
        setTimeout: "readonly",
        clearTimeout: "readonly",
        AbortSignal: "readonly",
        Buffer: "readonly",
        beforeAll: "readonly",
        afterAll: "readonly",
        expect: "readonly",
        document: "readonly",
        localStorage: "readonly",
        addEventListener: "readonly",
      },
    },
  },
);
