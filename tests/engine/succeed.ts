import type { Ended } from "../support/cli";

/** How a command ended that must end with this exit code; what it printed is the error otherwise. */
export async function endWith<E extends Ended>(code: number, command: Promise<E>): Promise<E> {
  const ended = await command;
  if (ended.code !== code) throw new Error(`exit code ${ended.code}, not ${code}\n${ended.stderr}${ended.stdout}`);
  return ended;
}

/** The outcome of a command that must end with exit code 0. */
export function succeed<E extends Ended>(command: Promise<E>): Promise<E> {
  return endWith(0, command);
}

/** The outcome of a command that must fail, and print all of `parts`. */
export async function fail<E extends Ended>(command: Promise<E>, ...parts: string[]): Promise<E> {
  const ended = await command;
  const printed = `${ended.stderr}${ended.stdout}`;
  if (ended.code === 0) throw new Error(`succeeded\n${printed}`);
  const missing = parts.filter((part) => !printed.includes(part));
  if (missing.length > 0) throw new Error(`exit code ${ended.code} without ${JSON.stringify(missing)}\n${printed}`);
  return ended;
}
