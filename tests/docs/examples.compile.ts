import { compile } from "./compiler";
import { blocks, filesBelow, pages, read } from "./markdown";

test("every TypeScript example of the documentation and of the doc comments compiles against the package", () => {
  const documented = pages().flatMap((page) => blocks("ts", page));
  const commented = filesBelow("sdk", ".ts").flatMap((file) => blocks("ts", file));
  expect(documented.length).toBeGreaterThan(10);
  expect(commented.length).toBeGreaterThan(3);
  expect(compile([...documented, ...commented])).toEqual([]);
});

test("an example that does not compile would be found", () => {
  const [message] = compile([
    { origin: "page:1", text: 'import { Group } from "pulumi-platform";\nnew Group("g", { parentUid: 1 });\n' },
  ]);
  expect(message).toMatch(/^page:1: Type 'number' is not assignable/);
});

test("every class and data source that programs import has a compiled example", () => {
  // The classes of sdk/native are those of the package, with its examples. Programs import nothing of the plugin's sdk/construct.
  const withoutExample = filesBelow("sdk", ".ts")
    .filter((file) => !/^sdk\/(native|construct)\//.test(file))
    .flatMap((file) =>
      [...read(file).matchAll(/^\/\*\*((?:(?!\*\/).)*?)\*\/\nexport (?:class|const) (\w+)/gms)]
        .filter(([, comment = "", name = ""]) => !name.endsWith("Output") && !comment.includes("@example"))
        .map(([, , name]) => `${file}: ${name ?? ""}`),
    );
  expect(withoutExample.filter((line) => !/arguments\.ts|resource\.ts|component\.ts|door\.ts|failure\.ts/.test(line))).toEqual(
    [],
  );
});

test("every JSON block of the documentation is JSON", () => {
  const broken = pages()
    .flatMap((page) => blocks("json", page))
    .filter(({ text }) => !isJson(text));
  expect(broken).toEqual([]);
});

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
