import type { Collection, WireObject } from "./collection";
import { hasCode, withAdvice, withSentence } from "./errors";
import { groupText } from "./known-paths";
import { parentOf } from "./uid";

/** Capabilities that the calls of a collection need; Get takes that of List. */
export type Verb = "LIST" | "CREATE" | "UPDATE" | "DELETE";

/** What has capabilities of its own. */
export type Capable = Pick<Collection<WireObject>, "capabilities"> & { readonly segment?: string };

/**
 * `error` of a call. A 403 names the capability that the call needs and what to do, for the platform may name neither.
 *
 * @param uid of the object, or of the parent of a new one; absent for a List
 */
export function withCapability(error: unknown, { capabilities, segment }: Capable, verb: Verb, uid?: string): unknown {
  if (!hasCode(error, "PERMISSION_DENIED") || !error.fromPlatform || capabilities === undefined) return error;
  // The platform knows better: some calls need a second capability, or those of the role that they grant.
  const isNamed = /\bCAP_[A-Z_]+/.test(error.message);
  // Roles are bound in groups, so what is in one needs it there.
  const place = verb === "CREATE" || segment === "groups" ? uid : uid && (parentOf(uid) ?? uid);
  const where = place === undefined ? "" : ` at ${groupText(place)} or above`;
  const denied = isNamed ? error : withSentence(error, `This needs the capability CAP_${capabilities}_${verb}.`);
  return withAdvice(denied, `Bind a role with ${isNamed ? "what is missing" : "it"} to the identity of this run${where}.`);
}
