import { kindNamed } from "./kinds";
import type { InventoryScope } from "./platform";
import { referencesInValue } from "./references";
import type { StateObjects } from "./state";

/**
 * What is read of the platform to compare it with states: everything below the root, what the states refer to, and where else in the
 * organisation access depends on what is below the root.
 */
export function scopeOf({ managed, referred }: StateObjects): InventoryScope {
  const all = [...managed, ...referred];
  return {
    named: all.flatMap(({ kind, value }) => referencesInValue(kindNamed(kind), value)),
    elsewhere: true,
    wanted: all.flatMap(({ kind, uid }) => (uid === undefined ? [] : [{ kind, uid }])),
  };
}
