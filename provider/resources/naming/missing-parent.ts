import { lineageOf, parentOf } from "../../client/uid";
import { places } from "../../kinds/group";
import { isKind, type Kind } from "../../schema/kind";
import type { Names } from "../sharing/names";
import { problem, type Unresolved } from "./problem";

/**
 * The error of `up` about the parent `uid`, if these credentials do not see it. Undefined if they do, and where they see no group at all:
 * then everything may be hidden.
 */
export async function missingParent(
  { parents, parentInput }: Pick<Kind, "parents" | "parentInput">,
  uid: string,
  names: Names,
): Promise<Unresolved | undefined> {
  const isGroup = isKind({ collection: parents }, { collection: places });
  const lineage = lineageOf(isGroup ? uid : parentOf(uid));
  const isIt = (row: { uid: string }) => row.uid === uid;
  if (!isGroup && (await names.matches(parents, { uids: [uid] }, isIt)).found.length > 0) return undefined;
  const shown = lineage.length === 0 ? [] : (await names.matches(places, { uids: lineage }, isIt)).all;
  if (isGroup && shown.some(isIt)) return undefined;
  const above = lineage.find((each) => shown.some((row) => row.uid === each));
  if (above === undefined && (await names.matches(places, { inRoot: true }, isIt)).all.length === 0) return undefined;
  const where = above === undefined ? "" : ` They see group ${above} above it.`;
  return problem("NOT_FOUND", parentInput, uid, `these credentials see no ${parents.noun} with that uid.${where}`);
}
