import type { Collection, WireObject } from "./collection";
import { hasCode, withAdvice, withSentence } from "./errors";
import { groupText } from "./known-paths";
import { lineageOf } from "./uid";

/** Capabilities that the calls of a collection need. Get takes the one of List. */
export type Verb = "LIST" | "CREATE" | "UPDATE" | "DELETE";

/** A collection or action with capabilities of its own. */
export type Capable = Pick<Collection<WireObject>, "capabilities" | "depth"> & { readonly segment?: string };

/**
 * `error` of a call. For a 403, adds the capability that the call needs and the remedy, because the platform may name neither.
 *
 * @param uid of the object, or of the parent of a new one; absent for a List
 */
export function withCapability(error: unknown, of: Capable, verb: Verb, uid?: string): unknown {
  const { capabilities, segment, depth = 1 } = of;
  if (!hasCode(error, "PERMISSION_DENIED") || !error.fromPlatform || capabilities === undefined) return error;
  // The platform knows better, because some calls need a second capability or the capabilities of a granted role.
  const isNamed = /\bCAP_[A-Z_]+/.test(error.message);
  // Roles are bound in groups, so the level is the group of the object, or the group itself.
  const levels = verb === "CREATE" || segment === "groups" ? Math.max(depth - 1, 0) : depth;
  const place = lineageOf(uid)[levels];
  const where = place === undefined ? "" : ` at ${groupText(place)} or above`;
  const denied = isNamed ? error : withSentence(error, `This needs the capability CAP_${capabilities}_${verb}.`);
  return withAdvice(
    denied,
    `Bind a role with ${isNamed ? "the missing capabilities" : "it"} to the identity of this run${where}.`,
  );
}
