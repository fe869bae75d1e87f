import type { z } from "zod";

/** An admin call that is refused: its message says why. */
export class InputError extends Error {}

/**
 * Checks the input of an admin call.
 * @param what names the input in messages, such as "setting".
 * @throws {InputError} naming every member that is wrong.
 */
export function parseInput<Schema extends z.ZodType>(schema: Schema, input: unknown, what: string): z.infer<Schema> {
  const parsed = schema.safeParse(input);
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.map(({ path, message }) =>
    path.length === 0 ? `${what}: ${message}` : `${what} ${path.join(".")}: ${message}`,
  );
  throw new InputError(problems.join("; "));
}
