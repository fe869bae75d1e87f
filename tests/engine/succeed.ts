import type { Outcome } from "./project";

/** The outcome of an engine command that must end with exit code 0; what it printed is the error otherwise. */
export async function succeed(command: Promise<Outcome>): Promise<Outcome> {
  const outcome = await command;
  if (outcome.code !== 0) throw new Error(`exit code ${outcome.code}\n${outcome.output}`);
  return outcome;
}

/** The outcome of an engine command that must fail. */
export async function fail(command: Promise<Outcome>): Promise<Outcome> {
  const outcome = await command;
  if (outcome.code === 0) throw new Error(`succeeded\n${outcome.output}`);
  return outcome;
}
