import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { checkout } from "../lib/paths.mjs";
import { Failure } from "../lib/message.mjs";
import { identityOf } from "./sample.mjs";

const RECORD = "tests/mutants.json";
const KILLED = ["Killed", "Timeout"];
const ALIVE = ["Survived", "NoCoverage"];

/** The mutants of the committed record. */
export function readRecord() {
  try {
    return JSON.parse(readFileSync(join(checkout, RECORD), "utf8"));
  } catch (cause) {
    throw new Failure(`${RECORD} cannot be read: ${cause.message}\nnpm run mutants -- --record writes it.`);
  }
}

/** One mutant a line, so that a comparison of two versions shows mutants. */
export function writeRecord(mutants) {
  const lines = mutants
    .map(({ file, mutator, text, to, nth, status, by }) => JSON.stringify({ file, mutator, text, to, nth, status, by }))
    .sort();
  writeFileSync(join(checkout, RECORD), `[\n${lines.join(",\n")}\n]\n`);
}

/**
 * Prints the surviving mutants, the counts and the score. @returns the exit code, which is 1 if a mutant survives that the record lists as
 * killed
 */
export function report(mutants, record) {
  for (const mutant of mutants.filter(isAlive)) console.log(shown(mutant));
  const before = new Map((record ?? []).map((mutant) => [identityOf(mutant), mutant]));
  const wasKilled = (mutant) => KILLED.includes(before.get(identityOf(mutant))?.status);
  const now = new Set(mutants.map(identityOf));
  const gone = (record ?? []).filter((mutant) => !now.has(identityOf(mutant)));
  const newly = mutants.filter((mutant) => !KILLED.includes(mutant.status) && wasKilled(mutant));
  if (gone.length > 0) console.log(`\nNo longer in the code, not run: ${gone.length}`);
  for (const { file, text, to } of gone) console.log(`  ${file}: ${text} -> ${to}`);
  if (newly.length > 0) console.log(`\nKilled in ${RECORD}, not any more: ${newly.length}`);
  for (const mutant of newly) console.log(`${shown(mutant)}\n  was killed by ${before.get(identityOf(mutant)).by}`);
  console.log(`\n${counts(mutants)}`);
  if (record) console.log(`In the record: ${counts(record)}`);
  return newly.length > 0 ? 1 : 0;
}

function counts(mutants) {
  const of = Object.groupBy(mutants, ({ status }) => status ?? "not run");
  const number = (statuses) => statuses.reduce((sum, status) => sum + (of[status]?.length ?? 0), 0);
  const [killed, alive] = [number(KILLED), number(ALIVE)];
  const each = Object.entries(of).map(([status, { length }]) => `${length} ${status}`);
  return `${mutants.length} mutants: ${each.sort().join(", ")}. Score ${((100 * killed) / (killed + alive)).toFixed(1)} % of ${killed + alive}.`;
}

const isAlive = ({ status }) => ALIVE.includes(status);

const shown = ({ file, location, mutator, text, to, status }) =>
  `${file}:${location.start.line + 1}:${location.start.column + 1} ${status} ${mutator}\n  ${text}\n  -> ${to}`;
