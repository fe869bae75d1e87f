import { kindNamed } from "./kinds";
import type { InventoryScope } from "./platform";
import { referencesInValue } from "./references";
import type { StateObjects } from "./state";

/**
 * The scope of a reading for comparison with states. It is everything below the root, the references of the states, and access elsewhere in
 * the organisation that depends on objects below the root.
 */
export function scopeOf({ managed, referred }: StateObjects): InventoryScope {
  const all = [...managed, ...referred];
  return {
    named: all.flatMap(({ kind, value }) => referencesInValue(kindNamed(kind), value)),
    elsewhere: true,
    wanted: all.flatMap(({ kind, uid }) => (uid === undefined ? [] : [{ kind, uid }])),
  };
}
