import type { DetailedDiff } from "./detailed-diff";

/** A uid that differs between state and program. */
export interface ChangedUid {
  /** Its field: `roleUid`. */
  readonly uid: string;
  /** The output with the name of its object: `role`. Default: there is none */
  readonly output?: string;
  /** The reference that the program sets instead, if the uid is no longer the one that this was resolved to: `roleName`. */
  readonly reference?: string;
}

/**
 * `detailed`, with what the uids mean that differ. The text of a reference stays as it is when the platform has another uid by now, so by
 * itself it would read as no change. The engine shows state and platform in a refresh, and state and program otherwise; of these the
 * program has neither the uid nor the name of the object (docs/engine.md#detailed-diffs).
 *
 * @param before what the diff is for
 */
export function withChangedUids(detailed: DetailedDiff, uids: readonly ChangedUid[], before: "refresh" | "update"): DetailedDiff {
  const isRefresh = before === "refresh";
  const shown = { ...detailed };
  for (const { uid, output, reference } of uids) {
    if (!isRefresh && reference === undefined) continue;
    const how = isRefresh ? "update" : "delete";
    shown[uid] = how;
    if (output !== undefined) shown[output] = how;
    if (!isRefresh && reference !== undefined) shown[reference] ??= "add";
  }
  return shown;
}
