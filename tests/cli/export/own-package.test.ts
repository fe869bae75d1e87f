import { mkdir, realpath, symlink, writeFile } from "node:fs/promises";
import path from "node:path";
import { ownDependency } from "../../../cli/project/own-package";
import { version } from "../../../provider/client/version";
import { Rows } from "./rows";
import { scratchFolder } from "../../support/scratch-folder";

const tarball = "pulumi-platform-9.9.9.tgz";
let folder: string;

beforeEach(async () => {
  folder = await realpath(scratchFolder());
  await writeFile(path.join(folder, tarball), "");
});

/** Writes a package in `place`, and returns the folder of its command. */
async function packageIn(place: string, name = "pulumi-platform"): Promise<string> {
  const code = path.join(folder, place, "dist/cli/export");
  await mkdir(code, { recursive: true });
  await writeFile(path.join(folder, place, "package.json"), JSON.stringify({ name }));
  return code;
}

/** Writes a package that npm has installed in the project `app`, with what npm records of it. */
async function installed(entry: object | undefined, place = "app/node_modules/pulumi-platform"): Promise<string> {
  const code = await packageIn(place);
  const packages = entry === undefined ? {} : { [place.slice("app/".length)]: { version, ...entry } };
  await mkdir(path.join(folder, "app/node_modules"), { recursive: true });
  await writeFile(path.join(folder, "app/node_modules/.package-lock.json"), JSON.stringify({ packages }));
  return code;
}

const inFolder = (out: string, code: string) => ownDependency(path.join(folder, out), code);

test.each(["app/node_modules/pulumi-platform", "app/web/node_modules/pulumi-platform"])(
  "a tarball from which npm installed the package into %s is found from the folder of the program",
  async (place) => {
    const code = await installed({ resolved: `file:../${tarball}` }, place);
    expect(await inFolder("acme", code)).toBe(`file:../${tarball}`);
    expect(await inFolder("teams/new/acme", code)).toBe(`file:../../../${tarball}`);
  },
);

test("a package that a registry of the reader served is taken from there: by its name, another registry may have a stranger's", async () => {
  const resolved = `https://npm.acme.example/pulumi-platform/-/pulumi-platform-${version}.tgz`;
  expect(await inFolder("acme", await installed({ resolved }))).toBe(resolved);
});

test("a folder that is no installation is depended on as it is", async () => {
  expect(await inFolder("acme", await packageIn("checkout"))).toBe("file:../checkout");
});

test("the path is that of the real folder: npm resolves it from there", async () => {
  await mkdir(path.join(folder, "real/deep"), { recursive: true });
  await symlink(path.join(folder, "real/deep"), path.join(folder, "link"));
  expect(await inFolder("link/acme", await packageIn("checkout"))).toBe("file:../../../checkout");
});

test.each<[string, object | undefined]>([
  ["npm has no record of it, as with other package managers and a global installation", undefined],
  ["the record does not say from where", {}],
  ["the record is of another version", { version: "0.0.1", resolved: `file:../${tarball}` }],
  ["the tarball is not there any more", { resolved: "file:../gone.tgz" }],
  ["the address has a password", { resolved: "https://me:secret@npm.acme.example/pulumi-platform.tgz" }],
  ["the address is signed", { resolved: "https://npm.acme.example/pulumi-platform.tgz?signature=secret" }],
  ["it is a repository", { resolved: "git+ssh://git@git.acme.example/pulumi-platform.git#0123" }],
  ["npm would read the path in another way", { resolved: "file:../a#b.tgz" }],
])("nothing is depended on if %s", async (_, entry) => {
  await writeFile(path.join(folder, "a#b.tgz"), "");
  expect(await inFolder("acme", await installed(entry))).toBeUndefined();
});

test("nothing is depended on where there is no record at all, nor where another package has the code", async () => {
  expect(await inFolder("acme", await packageIn("app/node_modules/pulumi-platform"))).toBeUndefined();
  expect(await inFolder("acme", await packageIn("other", "some-bundle"))).toBeUndefined();
});

test.each(["typescript", "yaml"] as const)("a project in %s never asks a registry for the name of the package", (format) => {
  for (const dependency of [undefined, `file:../${tarball}`, "https://npm.acme.example/pulumi-platform.tgz"]) {
    const files = new Rows().files(format, undefined, dependency);
    const { dependencies } = JSON.parse(files.get("package.json") ?? "") as { dependencies: Record<string, string> };
    // A file that is not there: npm fails.
    expect(dependencies["pulumi-platform"]).toBe(dependency ?? `file:pulumi-platform-${version}.tgz`);
    const readme = files.get("README.md") ?? "";
    expect(readme).not.toMatch(/npm (install|i) pulumi-platform\b/);
    expect(readme).toMatch(/Never install it by its name/);
    expect(readme.includes("Put its tarball here")).toBe(dependency === undefined);
    if (dependency === undefined) expect(readme).toContain(`Put its tarball here, as \`pulumi-platform-${version}.tgz\``);
  }
});
