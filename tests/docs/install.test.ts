import { filesBelow, pages, read } from "./markdown";

test("no page, message or example installs or runs the package by its name: on a public registry, the name may be a stranger's", () => {
  const sources = ["cli", "provider", "sdk", "examples"].flatMap((folder) =>
    [".ts", ".yml", ".yaml", ".sh"].flatMap((ending) => filesBelow(folder, ending)),
  );
  const byName =
    /(npm (i|install|add|exec)|pnpm (add|dlx)|yarn (add|dlx)|bunx?( add)?) (-\S+ )*pulumi-platform(?![\w/.-])|npx (?!--no-install )(-\S+ )*pulumi-platform/;
  const files = [...pages(), ...sources].filter((file) => !file.includes("node_modules"));
  expect(files.filter((file) => byName.test(read(file)))).toEqual([]);
});

test("no package.json of an example asks a registry for the package", () => {
  const files = filesBelow("examples", "package.json").filter((file) => !file.includes("node_modules"));
  const own = files.flatMap((file) => {
    const { dependencies } = JSON.parse(read(file)) as { dependencies: Record<string, string> };
    return dependencies["pulumi-platform"] ?? [];
  });
  expect(new Set(own)).toEqual(new Set(["file:../.."]));
});

test("README, CONTRIBUTING and getting-started name the Node.js that macOS needs, where none can be fetched", () => {
  const script = read("scripts/toolchain/node.mjs");
  const [forStart, forTest] = ["MINIMUM_NODE", "NODE_OF_JEST"].map(
    (name) => new RegExp(`${name} = "(\\d+\\.\\d+)\\.0"`).exec(script)?.[1],
  );
  for (const page of ["README.md", "docs/getting-started.md"])
    expect(read(page).replace(/\s+/g, " ")).toMatch(
      new RegExp(`macOS .{0,90}npm start\` needs (Node.js )?${forStart} or newer[^.]*, and \`npm test\` ${forTest} or newer`),
    );
  expect(read("CONTRIBUTING.md")).toContain(`(${forTest} on macOS,`);
});
