/**
 * The keys from `value` to a part that contains itself; undefined if there is none. Examines only plain objects and lists,
 * because outputs and resources are cyclic by nature.
 */
export function endlessPath(
  value: unknown,
  at: readonly string[] = [],
  around: readonly unknown[] = [],
): readonly string[] | undefined {
  if (!isPlain(value)) return undefined;
  if (around.includes(value)) return at;
  for (const [key, member] of Object.entries(value)) {
    const path = endlessPath(member, [...at, key], [...around, value]);
    if (path !== undefined) return path;
  }
  return undefined;
}

function isPlain(value: unknown): value is object {
  if (typeof value !== "object" || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return Array.isArray(value) || prototype === Object.prototype || prototype === null;
}
