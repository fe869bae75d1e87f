/** Most levels of lists and objects within one another: what is deeper is not looked at, so that recursive code cannot run out of stack. */
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
