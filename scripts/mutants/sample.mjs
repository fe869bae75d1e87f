import { createHash } from "node:crypto";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Instrumenter } from "@stryker-mutator/instrumenter";
import { checkout } from "../lib/paths.mjs";

const ROOMS = ["provider/resources", "provider/kinds", "provider/schema", "access", "inventory"];
const SEED = "2026-11-24";
/** Some of them are static and not run; at least 200 others remain. */
const SIZE = 280;
/** A text up to this length stands in the record unabridged. */
const SHOWN = 100;

const silent = Object.fromEntries(["isDebugEnabled", "debug", "info", "warn", "error"].map((name) => [name, () => false]));

/**
 * Every mutant of the rooms, with an identity that outlives changes elsewhere in its file. The identity is file, mutator, text,
 * replacement, and its number among equal ones in the file.
 */
export async function allMutants() {
  const names = ROOMS.flatMap((room) => globSync(`${room}/**/*.ts`, { cwd: checkout })).sort();
  const files = names.map((name) => ({ name, mutate: true, content: readFileSync(join(checkout, name), "utf8") }));
  const options = { ignorers: [], excludedMutations: [], plugins: null };
  const { mutants } = await new Instrumenter(silent).instrument(files, options);
  const lines = new Map(files.map(({ name, content }) => [name, content.split("\n")]));
  const seen = new Map();
  return mutants.map(({ fileName: file, mutatorName: mutator, replacement, location }) => {
    const original = textAt(lines.get(file), location);
    const same = { file, mutator, text: shortened(original), to: shortened(replacement) };
    const before = seen.get(JSON.stringify(same)) ?? 0;
    seen.set(JSON.stringify(same), before + 1);
    return { ...same, nth: before + 1, original, location, place: placeOf(file, location, mutator, replacement) };
  });
}

/** The seeded sample, which is the start of all mutants in an order by seed and identity only. */
export const drawn = (mutants) =>
  mutants
    .filter((mutant) => !changesProse(mutant))
    .map((mutant) => [
      createHash("sha256")
        .update(SEED + identityOf(mutant))
        .digest("hex"),
      mutant,
    ])
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .slice(0, SIZE)
    .map(([, mutant]) => mutant);

/** The identity of a mutant across runs. */
export const identityOf = ({ file, mutator, text, to, nth }) => JSON.stringify([file, mutator, text, to, nth]);

/** The place of a mutant of Stryker in this version of the file. */
export const placeOf = (file, { start, end }, mutator, replacement) =>
  JSON.stringify([file, start.line, start.column, end.line, end.column, mutator, replacement]);

/** A text with spaces is a message for people, whose words no test should repeat. */
const changesProse = ({ mutator, original }) => mutator === "StringLiteral" && /\s/.test(original);

function textAt(lines, { start, end }) {
  const within = lines.slice(start.line, end.line + 1);
  within.push(within.pop().slice(0, end.column));
  within[0] = within[0].slice(start.column);
  return within.join("\n");
}

function shortened(text) {
  const line = text.replaceAll(/\s+/g, " ");
  if (line.length <= SHOWN) return line;
  return `${line.slice(0, SHOWN)}... #${createHash("sha256").update(line).digest("hex").slice(0, 8)}`;
}
