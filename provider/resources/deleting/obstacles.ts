import type { WireObject } from "../../client/collection";
import { platformErrorAs } from "../../client/errors";
import { literal } from "../../client/printable";
import { isBelow } from "../../client/uid";
import { type Blocker, blockersOf } from "../../kinds/blockers";
import { roleBinding, type WireRoleBinding } from "../../kinds/role-binding";
import { bindingName, shownOf } from "../../kinds/shown-binding";
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
  if (isKind({ collection }, roleBinding)) return bindingName(shownOf(row as WireRoleBinding));
  const name = typeof row.name === "string" ? [literal(row.name)] : [];
  return [collection.noun, ...name, `(${row.uid})`].join(" ");
}
