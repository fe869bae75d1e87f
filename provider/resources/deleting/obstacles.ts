import type { WireObject } from "../../client/collection";
import { platformErrorAs } from "../../client/errors";
import { literal } from "../../client/printable";
import { groupText } from "../../client/known-paths";
import { isBelow, parentOf } from "../../client/uid";
import { type Blocker, blockersOf } from "../../kinds/blockers";
import { roleBinding, type WireRoleBinding } from "../../kinds/role-binding";
import { bindingName, shownOf, type ShownBinding } from "../../kinds/shown-binding";
import { isKind, type Kind } from "../../schema/kind";
import type { InCollection } from "../ledger/object-map";
import type { Run } from "../run/run";
import type { Deletion } from "../ledger/deletions";

/** An object that blocks a delete. */
export interface Obstacle {
  collection: InCollection;
  uid: string;
  label: string;
  hint: string | undefined;
}

/** True for a deletion that must finish before the one of `uid`. */
export function isInTheWay(other: Deletion, uid: string, obstacles: readonly Obstacle[]): boolean {
  if (isBelow(other.uid, uid)) return true;
  return obstacles.some(
    (obstacle) => isBelow(other.uid, obstacle.uid) || (other.uid === obstacle.uid && isKind(other, obstacle)),
  );
}

/** The visible obstacles to the deletion of `uid`. */
export async function obstaclesOf(kind: Kind, uid: string, run: Run): Promise<Obstacle[]> {
  const found = await Promise.all(
    blockersOf(kind).map(async ({ collection, query, hint }) => {
      const rows = await run.client
        .list<WireObject & { name?: unknown }, object>(collection, query(uid))
        // The names only help: the error has the platform's message anyway.
        .catch(platformErrorAs(() => []));
      return rows.map((row): Obstacle => ({ collection, uid: row.uid, label: labelOf(collection, row), hint }));
    }),
  );
  return found.flat();
}

function labelOf(collection: Blocker["collection"], row: WireObject & { name?: unknown }): string {
  // A role binding has no name, so its holder and role describe it.
  if (isKind({ collection }, roleBinding)) return bindingLabel(shownOf(row as WireRoleBinding));
  const name = typeof row.name === "string" ? [literal(row.name)] : [];
  const place = parentOf(row.uid);
  // An account association has the uid of its group, so what is above that uid is not its place.
  const path = place === undefined || collection.segment === "accountAssociations" ? undefined : groupText(place);
  // Where the path is known, the name in it is enough to find the object.
  const isFound = name.length > 0 && path !== undefined && path !== place;
  return [collection.noun, ...name, isFound ? `in ${path}` : `(${row.uid})`].join(" ");
}

/** A role binding by names alone if its place has a path, because three uids hide the names. */
function bindingLabel(shown: ShownBinding): string {
  const { binding, identityName, roleName } = shown;
  const place = parentOf(binding) ?? "";
  const path = groupText(place);
  if (identityName === "" || roleName === "" || path === place) return bindingName(shown);
  return `role binding of ${literal(identityName)} as ${roleName} in ${path}`;
}
