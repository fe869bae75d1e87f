import { Settings } from "../../emulator/settings/settings";
import { platformErrorCodes } from "../../provider/client/errors";
import { settings } from "../../provider/credentials";
import * as sdk from "../../sdk";
import { pages, read, tableRows } from "./markdown";

test("the settings in docs/configuration.md are those of the code, in its order", () => {
  const documented = tableRows("docs/configuration.md").filter(([, environment]) => environment?.startsWith("`PLATFORM_"));
  const expected = Object.values(settings).map((setting) => [
    "key" in setting ? `\`${setting.key}\`` : "(none)",
    `\`${setting.environment}\``,
    setting.meaning,
    "default" in setting ? setting.default : "",
  ]);
  expect(documented).toEqual(expected);
});

test("the settings in docs/emulator.md are those of the emulator, with their defaults", () => {
  const names = Object.keys(new Settings().values);
  const documented = tableRows("docs/emulator.md").filter(([name = ""]) => names.includes(name.replaceAll("`", "")));
  const shown = (value: unknown) => (typeof value === "number" ? String(value) : `\`${JSON.stringify(value)}\``);
  const expected = Object.entries(new Settings().values).map(([name, value]) => [`\`${name}\``, shown(value)]);
  expect(documented.map(([name, value]) => [name, value])).toEqual(expected);
});

test("the documented error codes are those of the code", () => {
  const documented = tableRows("docs/errors.md").flatMap(
    ([code = ""]) => /^<a id="\w+"><\/a>`([A-Z_]+)`$/.exec(code)?.slice(1) ?? [],
  );
  expect(documented.sort()).toEqual([...platformErrorCodes].sort());
});

test("docs/test-your-program.md has the type of every resource class", () => {
  const documented = tableRows("docs/test-your-program.md").filter(([, type]) => /^`pulumi(-nodejs)?:/.test(type ?? ""));
  const classes = Object.entries(sdk).flatMap(([name, value]) =>
    typeof value === "function" && "__pulumiType" in value ? [[name, value.__pulumiType]] : [],
  );
  const components = ["Organization", "Team"];
  const expected = classes.filter(([name]) => !components.includes(String(name)));
  expect(documented.map((row) => row.map((cell) => cell.replaceAll("`", ""))).sort()).toEqual(expected.sort());
});

test("every npm script that a page names exists", () => {
  const { scripts } = JSON.parse(read("package.json")) as { scripts: Record<string, string> };
  const named = pages().flatMap((page) =>
    [...read(page).matchAll(/\bnpm (?:run ([\w:]+)|(start|test)\b)/g)].map(([, run, short]) => run ?? short ?? ""),
  );
  expect(named.filter((name) => !(name in scripts))).toEqual([]);
});

test("every dependency has its row, and every row its dependency", () => {
  const manifests = ["package.json", "scripts/release/tools/package.json"].map(
    (file) => JSON.parse(read(file)) as Record<string, Record<string, string>>,
  );
  const kinds = ["dependencies", "peerDependencies", "devDependencies"];
  const declared = manifests.flatMap((manifest) => kinds.flatMap((kind) => Object.keys(manifest[kind] ?? {})));
  const documented = tableRows("docs/contributing/dependencies.md").flatMap(([cell = ""]) =>
    [...cell.matchAll(/`([^`]+)`/g)].map(([, name = ""]) => name),
  );
  expect([...new Set(documented)].sort()).toEqual([...new Set(declared)].sort());
});
