import { z } from "zod";

/** About three centuries in seconds, by which every date can be shifted. */
const centuries = 1e10;

/** Input: seconds, by which any date may be shifted. */
export const seconds = z.number().min(-centuries).max(centuries);

/** Input: the age of an object, in milliseconds. */
export const age = z
  .number()
  .nonnegative()
  .max(centuries * 1000);

/** Input: a time to wait, in milliseconds. Longer ones would end a timer at once. */
export const pause = z
  .number()
  .nonnegative()
  .max(2 ** 31 - 1);

/** A refused admin call, with the reason as its message. */
export class InputError extends Error {}

/**
 * Checks the input of an admin call.
 * @param what names the input in messages, such as "setting".
 * @throws {InputError} with every wrong member.
 */
export function parseInput<Schema extends z.ZodType>(schema: Schema, input: unknown, what: string): z.infer<Schema> {
  const parsed = schema.safeParse(input);
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.map(({ path, message }) =>
    path.length === 0 ? `${what}: ${message}` : `${what} ${path.join(".")}: ${message}`,
  );
  throw new InputError(problems.join("; "));
}
