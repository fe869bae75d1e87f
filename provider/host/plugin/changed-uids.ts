import type { DetailedDiff } from "./detailed-diff";

/** A uid that differs between state and program. */
export interface ChangedUid {
  /** Its field: `roleUid`. */
  readonly uid: string;
  /** The output with the name of its object: `role`. Absent if there is none. */
  readonly output?: string;
  /** The reference in the program, if it was resolved to another uid: `roleName`. */
  readonly reference?: string;
}

/**
 * `detailed` with the uids that differ, and their names or references. If the platform now has another uid, the reference in the program
 * still has the same text and would show no difference. A refresh compares state with platform, so uid and name are updated. An update
 * compares state with program, which has the reference instead, so uid and name are deleted and the reference is added.
 *
 * @param before the operation after the diff
 */
// See docs/contributing/engine.md#detailed-diffs.
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
