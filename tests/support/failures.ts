/** The thrown error. */
type Failure = Error & Record<string, unknown>;

/**
 * Expects that `work` fails with this code, and that the message has all of `parts`. The error of a host has its code at the end of
 * the first line.
 *
 * @returns the error
 */
export async function expectFailure(
  work: Promise<unknown>,
  code: string,
  ...parts: (string | RegExp | undefined)[]
): Promise<Failure> {
  const error = await failureOf(work);
  const { message, code: found = /\[(\w+)\]$/m.exec(message)?.[1] } = error;
  const isIn = (part: string | RegExp) => (typeof part === "string" ? message.includes(part) : part.test(message));
  const missing = parts.filter((part) => part === undefined || !isIn(part));
  expect({ code: found, missing, message }).toEqual({ code, missing: [], message });
  return error;
}

/** Returns what `work` threw. */
export async function failureOf(work: Promise<unknown>): Promise<Failure> {
  try {
    await work;
  } catch (error) {
    return error as Failure;
  }
  throw new Error("It did not fail.");
}
