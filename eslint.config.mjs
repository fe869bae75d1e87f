import js from "@eslint/js";
import tseslint from "typescript-eslint";

/** The rooms a room may import, besides itself (docs/architecture.md). Everything else is refused. */
const mayImport = {
  "provider/client": [],
  "provider/credentials": ["provider/client"],
  "provider/kinds": ["provider/client"],
  "provider/resources": ["provider/client", "provider/kinds"],
  "provider/sources": ["provider/client", "provider/kinds"],
  "provider/host": ["provider/client", "provider/kinds", "provider/resources", "provider/sources", "provider/credentials"],
  access: ["provider/client", "provider/kinds"],
  sdk: ["provider", "access", "inventory"],
  emulator: [],
  inventory: ["provider", "access"],
  cli: ["provider", "sdk", "access", "inventory", "emulator"],
};
const rooms = Object.keys(mayImport);

const importDirections = rooms.flatMap((room) => {
  const forbidden = rooms.filter(
    (other) => other !== room && !mayImport[room].some((allowed) => other === allowed || other.startsWith(`${allowed}/`)),
  );
  const group = forbidden.flatMap((other) => [`**/${other.replace("provider/", "")}/**`, `**/${other.replace("provider/", "")}`]);
  const paths = room === "cli" ? [] : [{ name: "commander", message: "Only cli/ has a command line." }];
  const patterns = group.length === 0 ? [] : [{ group, message: `${room}/ may not import this room.` }];
  if (!mayImport[room].includes("provider")) {
    // The index of provider/ takes from all of its rooms.
    patterns.push({
      regex: String.raw`^\.\.(/\.\.)*(/provider)?(/index)?$`,
      message: `${room}/ may not import provider/ as a whole.`,
    });
  }
  return [
    {
      files: [`${room}/**/*.ts`],
      rules: {
        "no-restricted-imports": ["error", { patterns, paths }],
        "no-restricted-syntax": [
          "error",
          {
            selector: "ImportExpression[source.value=/^[.]/]",
            message: "Imports of our own are static, so that their direction can be checked.",
          },
        ],
      },
    },
  ];
});

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
  ...importDirections,
  {
    // The outputs of a class follow from its kind: an interface of the same name declares them, and the base class sets them.
    files: ["sdk/*.ts"],
    rules: { "@typescript-eslint/no-unsafe-declaration-merging": "off" },
  },
  {
    files: [
      "scripts/**",
      "*.config.mjs",
      "jest*.config.js",
      "bench/**/*.mjs",
      "tests/engine/fixtures/*.js",
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
      },
    },
  },
);
