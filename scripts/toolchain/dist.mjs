import { createHash } from "node:crypto";
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { run } from "../lib/child.mjs";
import { announce, Failure } from "../lib/message.mjs";
import { checkout, stateFolder } from "../lib/paths.mjs";
import { bundledPackages, NOTICES, noticesOf } from "../release/notices.mjs";

/** The files besides the rooms from which dist/ is made. */
const SETTINGS = [
  "tsconfig.json",
  "tsconfig.build.json",
  "schema.json",
  "package-lock.json",
  "scripts/toolchain/dist.mjs",
  "scripts/release/notices.mjs",
];
const dist = join(checkout, "dist");
/** In node_modules, so that it is not published and survives a reset of the state. */
const stamp = join(checkout, "node_modules", ".cache", "pulumi-platform", "dist.sha256");

/** The compiled command-line tool. */
export const commandLine = join(dist, "cli", "main.js");

/**
 * Compiles the sources into dist/ when they have changed since the last time.
 * @param anew compiles them in any case
 * @throws {Failure} with the compiler's messages
 */
export async function ensureDist(anew = false) {
  const wanted = hashOfSources();
  if (!anew && existsSync(commandLine) && existsSync(stamp) && readFileSync(stamp, "utf8") === wanted) return;
  // Builds into a new folder and swaps it in, so that no stale file stays and an interrupted build keeps the old one.
  const fresh = join(stateFolder, `dist-${process.pid}`);
  const old = `${fresh}-old`;
  try {
    const compiler = join(checkout, "node_modules", "typescript", "bin", "tsc");
    const { code, output } = await announce("Build: tsc -p tsconfig.build.json", () =>
      run("node", [compiler, "-p", "tsconfig.build.json", "--outDir", fresh], { cwd: checkout, capture: true }),
    );
    if (code !== 0) throw new Failure(`The sources do not compile:\n${output.trimEnd()}`);
    await buildReportPage(join(fresh, "report"));
    chmodSync(join(fresh, "cli", "main.js"), 0o755);
    if (existsSync(dist)) renameSync(dist, old);
    renameSync(fresh, dist);
    mkdirSync(dirname(stamp), { recursive: true });
    writeFileSync(stamp, wanted);
  } finally {
    for (const folder of [fresh, old]) rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * Bundles the page of `pulumi-platform report`, with its script and style as `page.js` and `page.css`, and the licences of their packages.
 * @returns the packages in it
 */
export async function buildReportPage(folder) {
  const bundler = join(checkout, "node_modules", ".bin", "esbuild");
  const options = ["--bundle", "--minify", "--format=iife", "--target=es2022", "--jsx=automatic", "--jsx-import-source=preact"];
  const metafile = `${folder}-metafile.json`;
  const args = ["page=report/page/main.tsx", ...options, `--outdir=${folder}`, `--metafile=${metafile}`, "--log-level=error"];
  const { code, output } = await run(bundler, args, { cwd: checkout, capture: true });
  if (code !== 0) throw new Failure(`The page of the report does not build:\n${output.trimEnd()}`);
  const packages = bundledPackages(metafile);
  writeFileSync(join(folder, NOTICES), noticesOf(packages));
  rmSync(metafile);
  return packages;
}

/** The folders of the product's sources. */
export function productRooms() {
  return JSON.parse(readFileSync(join(checkout, "tsconfig.build.json"), "utf8")).include;
}

function hashOfSources() {
  const hash = createHash("sha256");
  for (const file of [...productRooms(), ...SETTINGS].flatMap((name) => filesUnder(join(checkout, name))))
    hash.update(file).update("\0").update(readFileSync(file));
  return hash.digest("hex");
}

function filesUnder(path) {
  if (!existsSync(path)) return [];
  const entries = readdirSyncOrFile(path);
  return entries ? entries.flatMap((entry) => filesUnder(join(path, entry))) : [path];
}

/** The sorted entries of a folder; undefined for a file. */
function readdirSyncOrFile(path) {
  try {
    return readdirSync(path).sort();
  } catch (error) {
    if (error.code === "ENOTDIR") return undefined;
    throw error;
  }
}
