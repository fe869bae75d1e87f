import { join } from "node:path";
import { stateFolder } from "../lib/paths.mjs";

/** The folder of a run. */
export const runFolder = join(stateFolder, "mutants");
/** The mutants that the runner's processes run, and how many of them at once. */
export const planFile = join(runFolder, "plan.json");
/** Test files excluded from the run. */
export const leftOutFile = join(runFolder, "left-out.json");
/** A line for each completed mutant. */
export const progressFile = join(runFolder, "progress.txt");
