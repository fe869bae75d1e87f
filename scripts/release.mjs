/**
 * `npm run release -- --dry-run [--no-check] [FOLDER]`: the files of a release, in .state/release or FOLDER. Without `--dry-run` it refuses
 * except in the release workflow, which publishes the files (docs/contributing/release.md).
 */
import { createHash } from "node:crypto";
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { run, runQuietly } from "./lib/child.mjs";
import { main } from "./lib/main.mjs";
import { announce, Failure, say } from "./lib/message.mjs";
import { checkout, stateFolder } from "./lib/paths.mjs";
import { pack, timeOfCommit } from "./release/archive.mjs";
import { obstacles } from "./release/obstacles.mjs";
import { packPlugin, released } from "./release/plugin.mjs";
import { registryChecks, registryList } from "./release/registry.mjs";
import { writeSbom } from "./release/sbom.mjs";
import { bringUp } from "./toolchain/bring-up.mjs";
import { buildReportPage } from "./toolchain/dist.mjs";
import { packPackage } from "./toolchain/pack.mjs";

main(async () => {
  const options = { "dry-run": { type: "boolean" }, "no-check": { type: "boolean" } };
  const { values, positionals } = parseArgs({ options, allowPositionals: true });
  const manifest = JSON.parse(readFileSync(join(checkout, "package.json"), "utf8"));
  const checks = registryChecks(manifest);
  const reasons = (await obstacles(manifest, checks)).map((reason) => `  - ${reason}`).join("\n");
  if (reasons !== "" && !values["dry-run"])
    throw new Failure(
      `Nothing was made, because this is no release:\n${reasons}\nWhat it would be: npm run release -- --dry-run`,
    );
  if (reasons !== "") say(`A dry run. A release would be refused:\n${reasons}`);
  say(`The checks of Pulumi's registry:\n${registryList(checks)}`);
  // The content of dist/ may have been changed since it was compiled.
  await bringUp({ dist: "anew", engine: false });
  if (!values["dry-run"] || !values["no-check"]) await check();
  const [own, [named]] = [join(stateFolder, "release"), positionals];
  // Archives of an earlier version would lie beside the new SHA256SUMS.
  if (named === undefined) rmSync(own, { recursive: true, force: true });
  const folder = resolve(process.env.INIT_CWD ?? "", named ?? own);
  mkdirSync(folder, { recursive: true });
  const files = await filesIn(folder, manifest.version);
  const sums = files
    .sort()
    .map((file) => `${createHash("sha256").update(readFileSync(file)).digest("hex")}  ${basename(file)}\n`);
  writeFileSync(join(folder, "SHA256SUMS"), sums.join(""));
  const list = [...files, join(folder, "SHA256SUMS")].map(
    (file) => `${String(statSync(file).size).padStart(11)}  ${basename(file)}`,
  );
  say(`\nIn ${folder}, with sizes in bytes:\n${list.join("\n")}`);
});

async function check() {
  const { code } = await run("node", [join(checkout, "scripts", "check.mjs")], { cwd: checkout });
  if (code !== 0) throw new Failure("Nothing was made, because npm run check fails.");
}

async function filesIn(folder, version) {
  const { archives, packages } = await packPlugin(folder, version, released);
  const sdks = [
    await nodePackage(folder),
    await pythonWheel(folder),
    await sdk("go", folder, version),
    await sdk("java", folder, version),
  ];
  const sbom = await writeSbom(folder, version, [...packages, ...(await packagesOfReportPage())]);
  return [await announce("Package: npm pack", () => packPackage(folder)), ...archives, ...sdks, sbom];
}

/** The packages in `dist/report/page.js`, which are no dependencies of the npm package. */
async function packagesOfReportPage() {
  const work = join(stateFolder, `page-${process.pid}`);
  try {
    return await buildReportPage(work);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

async function nodePackage(folder) {
  return withSdk("nodejs", "nodejs", (made) => packPackage(folder, made));
}

async function pythonWheel(folder) {
  return withSdk("python", "python", (made) => {
    const [wheel] = readdirSync(join(made, "dist"));
    cpSync(join(made, "dist", wheel), join(folder, wheel));
    return join(folder, wheel);
  });
}

/** The sources of a language's SDK, in a folder of the archive's name. */
async function sdk(language, folder, version) {
  const name = `pulumi-platform-sdk-${language}-v${version}`;
  return withSdk(language, name, async (made) => {
    // Files compiled by Maven, and the mark of the folder for the next build.
    for (const each of ["target", ".pulumi-platform-sdk"]) rmSync(join(made, each), { recursive: true, force: true });
    await pack(dirname(made), join(folder, `${name}.tar.gz`));
    return join(folder, `${name}.tar.gz`);
  });
}

/** Builds the SDK of a language in a folder `name` while `use` runs. */
async function withSdk(language, name, use) {
  const work = join(stateFolder, `sdk-${process.pid}`);
  const env = { ...process.env, SOURCE_DATE_EPOCH: String((await timeOfCommit()).getTime() / 1_000) };
  const script = join(checkout, "scripts", "sdk.mjs");
  try {
    await runQuietly(`The SDK of ${language}`, "node", [script, language, join(work, name)], { env });
    return await use(join(work, name));
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}
