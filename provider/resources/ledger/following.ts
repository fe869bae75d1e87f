import { PlatformError } from "../../client/errors";
import type { Marks } from "./claims";

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

/** True if a process of the run deletes the role binding, or has deleted it. Ask after claiming it. */
export function isLeaving(binding: string, run: Marks): boolean {
  return run.isMarked(leaves, binding);
}

/** The error about role bindings that are {@link isLeaving leaving}: taken over, they would be counted as access, and be gone. */
export function beingRemoved(what: string, names: string): PlatformError {
  const why = `another resource of this program is removing what this one declares: ${names}. Run again: the next run adds it.`;
  return new PlatformError("FAILED_PRECONDITION", `${what}: ${why}`);
}
