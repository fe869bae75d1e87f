/** Maximum number of nested lists and objects. Deeper values are not examined, so that recursive code cannot exhaust the stack. */
export const deepestJson = 32;

/** True for a value of JSON with more than {@link deepestJson} levels. No object of the platform has nearly as many. */
export function isTooDeep(json: unknown): boolean {
  let values = [json];
  for (let level = 0; level <= deepestJson; level++) {
    const nested = values.filter((value) => typeof value === "object" && value !== null);
    if (nested.length === 0) return false;
    values = nested.flatMap((value): unknown[] => Object.values(value));
  }
  return true;
}
