import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { cpus, release, totalmem } from "node:os";
import { join } from "node:path";
import { format } from "prettier";
import { checkout, stateFolder } from "../../scripts/lib/paths.mjs";
import { productRooms } from "../../scripts/toolchain/dist.mjs";

/** The folder of results. The results of a quick run only show that the parts work, and never replace figures. */
export const folderOf = (quick) => (quick ? join(stateFolder, "bench", "quick") : join(checkout, "bench"));

/** Writes the measurements of a part so far, with place and time, so that an interrupted run keeps them. */
export async function saveResult(name, data, { quick, started }) {
  const result = {
    part: name,
    at: new Date(started).toISOString(),
    minutes: Number(((Date.now() - started) / 60_000).toFixed(1)),
    ...circumstances(),
    data,
  };
  await write(folderOf(quick), join("results", `${name}.json`), `${sampleLines(result)}\n`);
}

/** JSON in which each sample takes one compact line, so that a diff shows which ones changed. */
function sampleLines(value, indent = "") {
  const isPlain = (each) => typeof each !== "object" || each === null;
  if (isPlain(value) || (Array.isArray(value) && value.every(isPlain))) return JSON.stringify(value);
  const deeper = `${indent}  `;
  const [open, close, lines] = Array.isArray(value)
    ? ["[", "]", value.map((sample) => JSON.stringify(sample))]
    : ["{", "}", Object.entries(value).map(([name, member]) => `${JSON.stringify(name)}: ${sampleLines(member, deeper)}`)];
  return `${open}\n${deeper}${lines.join(`,\n${deeper}`)}\n${indent}${close}`;
}

/** The saved results by part. Each says where and when it was measured; figures of different parts are not comparable. */
export function loadResults(quick) {
  const folder = join(folderOf(quick), "results");
  if (!existsSync(folder)) return {};
  const results = readdirSync(folder)
    .filter((file) => file.endsWith(".json"))
    .map((file) => JSON.parse(readFileSync(join(folder, file), "utf8")));
  return Object.fromEntries(results.map((result) => [result.part, result]));
}

/** Writes a file below `folder`, formatted as the checks require. @param parser one of prettier's. Default: the text as it is */
export async function write(folder, file, text, parser) {
  const path = join(folder, file);
  mkdirSync(join(path, ".."), { recursive: true });
  writeFileSync(path, parser === undefined ? text : await format(text, { parser, printWidth: 130 }));
}

/** The files on which the figures depend. */
const sources = [...productRooms(), "bench", ":!bench/results", ":!bench/RESULTS.md"];
let known;

function circumstances() {
  known ??= {
    commit: output("git", "rev-parse", "--short", "HEAD"),
    isModified: output("git", "status", "--porcelain", "--", ...sources) !== "",
    engine: output("pulumi", "version").replace(/^v/, ""),
    sdk: JSON.parse(readFileSync(join(checkout, "node_modules", "@pulumi", "pulumi", "package.json"), "utf8")).version,
    node: process.versions.node,
    machine: `${cpus().length} x ${cpus()[0]?.model.trim() ?? "?"}, ${Math.round(totalmem() / 2 ** 30)} GiB, ${process.platform} ${release()}`,
  };
  return known;
}

function output(command, ...args) {
  try {
    return execFileSync(command, args, { cwd: checkout, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }).trim();
  } catch {
    return "unknown";
  }
}
