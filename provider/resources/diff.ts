import { changedInputs, type Inputs, keyOf, type Kind } from "../kinds/kind";
import type { Run } from "./run";

/** What the engine asks of a diff. */
export interface DiffResult {
  changes: boolean;
  replaces: string[];
}

/**
 * The inputs that differ between the object as it was last seen and the program. A new parent means a
 * new object, since the platform moves none (API-FACTS §4); everything else changes in place.
 */
export function diff(kind: Kind, uid: string, olds: Inputs, news: Inputs, run: Pick<Run, "claim">): DiffResult {
  const changed = changedInputs(kind, olds, news);
  const replaces = changed.filter((name) => kind.immutable.includes(name));
  if (replaces.length === 0) run.claim(kind, uid, keyOf(kind, news));
  return { changes: changed.length > 0, replaces };
}
