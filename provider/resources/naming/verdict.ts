import { platformErrorAs } from "../../client/errors";
import { organizationOf } from "../../client/uid";
import { role } from "../../kinds/role";
import type { DeclaredReference } from "../../schema/references";
import type { Ledger } from "../ledger/ledger";
import type { Names } from "../sharing/names";
import type { FirstNames } from "./first-names";
import type { Unresolved } from "./problem";

/** Whether a preview rejects a name that is not found. */
export type Verdict = "reject" | "warn" | "ignore";

/** The part of a run that a verdict uses. */
interface Judging {
  readonly ledger: Ledger;
  readonly firstNames: FirstNames;
}

/**
 * Judges a name that is not found. A preview does not know what else the update does, or another one before it. So it rejects only what
 * neither can mend and what is almost certainly a slip, warns of the rest, and ignores names that this run gives to objects.
 *
 * @param to kind of the object that the name is of
 * @param place uid of the group from which it is looked up; undefined if it is not known yet
 */
export async function verdictOn(
  { code, missing }: Unresolved,
  to: DeclaredReference["to"],
  place: string | undefined,
  { ledger, firstNames }: Judging,
): Promise<Verdict> {
  // This program declares the group: a parent must then be given by its uid, and what is below it may be made or found in it.
  if (code === "INVALID_INPUT") return to === "group" && missing === undefined ? "reject" : "ignore";
  if (missing === undefined) return "warn";
  // Where nothing is shown, all may be hidden.
  if (missing.shown.length === 0 || ledger.names.mayHave(missing.of, missing.name)) return "ignore";
  return missing.isSlip && (await seesAllRoles(place, firstNames)) ? "reject" : "warn";
}

/**
 * True if these credentials provably see every role that may be granted in a group: one of theirs allows it in the root.
 *
 * @param place uid of the group; undefined if it is not known yet: then it may be in any organisation that they see
 */
async function seesAllRoles(place: string | undefined, { names, grants }: FirstNames): Promise<boolean> {
  const held = await grants().catch(platformErrorAs(() => []));
  const listing = names === undefined ? new Set<string>() : await listingRoles(names);
  const places = new Set(held.flatMap((each) => (listing.has(each.role) ? [each.place] : [])));
  const roots = place === undefined ? held.map((each) => organizationOf(each.place)) : [organizationOf(place)];
  return roots.length > 0 && roots.every((root) => places.has(root));
}

/** Uids of the roles that allow listing roles. */
async function listingRoles(names: Names): Promise<ReadonlySet<string>> {
  const needed = `CAP_${role.collection.capabilities ?? ""}_LIST`;
  const { found } = await names.matches(role.collection, {}, ({ capabilities }) => capabilities.includes(needed));
  return new Set(found.map(({ uid }) => uid));
}
