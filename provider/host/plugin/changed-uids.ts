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
 * `detailed` with the uids that differ, and the names of their objects, which people read. If the platform now has another uid, the
 * reference in the program still has the same text and would show no difference. A refresh compares state with platform, so the name that
 * the platform shows is updated. An update compares state with program, so that name is deleted and the reference is added.
 *
 * @param before the operation after the diff
 */
// See docs/contributing/engine.md#detailed-diffs.
export function withChangedUids(detailed: DetailedDiff, uids: readonly ChangedUid[], before: "refresh" | "update"): DetailedDiff {
  const isRefresh = before === "refresh";
  const shown = { ...detailed };
  for (const { uid, output, reference } of uids) {
    if (!isRefresh && reference === undefined) continue;
    shown[uid] = isRefresh ? "update" : (shown[uid] ?? "delete");
    if (output !== undefined) shown[output] = isRefresh ? "update" : "delete";
    if (!isRefresh && reference !== undefined) shown[reference] ??= "add";
  }
  return shown;
}
