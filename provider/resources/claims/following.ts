import { PlatformError } from "../../client/errors";
import { list } from "../../client/printable";
import type { Marks } from "../run";

const [follows, leaves] = ["follows its identity", "leaves"];

/**
 * Records that a `GroupAccess` of this program has the role binding, and that its identity may be about to be replaced: the engine
 * compares what depends on such an identity before it deletes it.
 */
export function markFollowing(binding: string, run: Marks): void {
  run.mark(follows, binding);
}

/** True if the role binding goes when its identity is replaced. */
export function followsIdentity(binding: string, run: Marks): boolean {
  return run.isMarked(follows, binding);
}

/** Records that a resource of this program deletes the role binding: another one must not count on it. */
export function markLeaving(binding: string, run: Marks): void {
  run.mark(leaves, binding);
}

/**
 * Call after claiming role bindings that this resource did not create.
 *
 * @param what the operation, for messages
 * @param nameOf a binding, for messages
 * @throws PlatformError `FAILED_PRECONDITION` if a process of the run has begun to delete one: it would be counted as access, and be gone
 */
export function rejectLeaving<Taken extends { readonly binding: string }>(
  what: string,
  taken: readonly Taken[],
  nameOf: (each: Taken) => string,
  run: Marks,
): void {
  const leaving = taken.filter(({ binding }) => run.isMarked(leaves, binding));
  if (leaving.length === 0) return;
  const named = list(leaving.map((each) => `${nameOf(each)} (role binding ${each.binding})`));
  const why = `another resource of this program is removing what this one declares: ${named}. Run again: the next run adds it.`;
  throw new PlatformError("FAILED_PRECONDITION", `${what}: ${why}`);
}
