/**
 * The engine's operation in a run, as far as its calls have shown:
 *
 * - `unknown`: no check yet. It may be a refresh, a `destroy`, or the begin of another run, and a delete does not tell these apart.
 * - `preview`: a check has come, so the engine compares the program with the state. Only classes of this package mark the checks of an
 *   update. An update of a program in another language looks like a preview until its first create or update.
 * - `update`: a marked check, a create or an update has come.
 */
export type Mode = "unknown" | "preview" | "update";

/** Records what a call of the engine has shown. An update stays one. */
export function noteMode(run: { mode: Mode }, shown: "preview" | "update"): void {
  if (run.mode !== "update") run.mode = shown;
}
