/** Most levels of lists and objects within one another: what is deeper is not looked at, so that recursive code cannot run out of stack. */
export const deepestJson = 32;

/** True for a value of JSON with more than {@link deepestJson} levels. No object of the platform has nearly as many. */
export function isTooDeep(json: unknown, levels = deepestJson): boolean {
  if (typeof json !== "object" || json === null) return false;
  return levels === 0 || Object.values(json).some((member) => isTooDeep(member, levels - 1));
}
