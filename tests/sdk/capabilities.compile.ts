import path from "node:path";
import ts from "typescript";
import { knownCapabilities } from "../../provider/schema/capabilities";
import { compile, options } from "../docs/compiler";
import { checkout } from "../docs/markdown";

const program = (capabilities: string) =>
  `import { Role } from "pulumi-platform";\ndeclare const computed: string;\nvoid computed;\n` +
  `export const role = new Role("a", { parentUid: "b", capabilities: ${capabilities} });\n`;

/** The texts that an editor offers at `at` of a program. */
function completions(text: string, at: number): string[] {
  const file = path.join(checkout, "snippet.ts");
  const read = (name: string) => (name === file ? text : ts.sys.readFile(name));
  const service = ts.createLanguageService({
    getScriptFileNames: () => [file],
    getScriptVersion: () => "1",
    getScriptSnapshot: (name) => {
      const content = read(name);
      return content === undefined ? undefined : ts.ScriptSnapshot.fromString(content);
    },
    getCurrentDirectory: () => checkout,
    getCompilationSettings: options,
    getDefaultLibFileName: ts.getDefaultLibFilePath,
    fileExists: (name) => name === file || ts.sys.fileExists(name),
    readFile: read,
    directoryExists: (name) => ts.sys.directoryExists(name),
  });
  return service.getCompletionsAtPosition(file, at, {})?.entries.map(({ name }) => name) ?? [];
}

test("editors offer every known capability of a role", () => {
  const text = program('[""]');
  expect(completions(text, text.indexOf('""') + 1).sort()).toEqual([...knownCapabilities].sort());
});

test("a newer capability and a computed text compile, another type does not", () => {
  const given = ['["CAP_REPO_LIST", "CAP_NEWER_THAN_THIS"]', "[computed]", "[7]", '"CAP_REPO_LIST"'];
  const messages = compile(given.map((text) => ({ text: program(text), origin: text })));
  expect(messages.map((message) => message.split(":")[0])).toEqual(["[7]", '"CAP_REPO_LIST"']);
});
