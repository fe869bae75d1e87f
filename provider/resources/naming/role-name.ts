import { groupText } from "../../client/known-paths";
import { nearestName } from "../../client/nearest-name";
import { hasPlatformForm } from "../../client/uid";
import type { DeclaredReference } from "../../schema/references";
import { hiddenBuiltIn, isBuiltIn, role, type WireRole } from "../../kinds/role";
import { builtInFirst, isGrantableIn } from "./matchers";
import type { Searching } from "./needs";
import { candidates, type MissingName, nearest, problem, uidsOf } from "./problem";

/**
 * The uid of the role with this name: a built-in one, else the only custom one of `place` or a group above.
 *
 * @param reference the names of the argument, and of the one that takes a uid instead, for messages
 * @param place uid of a group; undefined if it is not known yet: then the role may be anywhere, and this one of them
 * @throws PlatformError `NOT_FOUND`, `AMBIGUOUS`
 */
export async function roleNamed(
  { name, uid }: Pick<DeclaredReference, "name" | "uid">,
  text: string,
  place: string | undefined,
  { names }: Pick<Searching, "names">,
): Promise<string> {
  const isUsable = (row: WireRole) => place === undefined || isGrantableIn(row, place);
  const { found, all } = await names.matches(role.collection, {}, (row) => row.name === text && isUsable(row));
  const hidden = found.some((row) => isBuiltIn(row.uid)) ? undefined : hiddenBuiltIn(text, all, uid);
  if (hidden !== undefined) throw problem("NOT_FOUND", name, text, hidden, missingName(text, all));
  const [only, ...others] = builtInFirst(found);
  if (only === undefined) throw problem("NOT_FOUND", name, text, notFound(text, uid, place, all), missingName(text, all));
  if (others.length > 0 && place !== undefined) {
    const why = `there are ${others.length + 1} roles of that name: ${candidates([only, ...others])}. Pass the uid of the one you mean.`;
    throw problem("AMBIGUOUS", name, text, why);
  }
  return only.uid;
}

/**
 * The uid of the role that `text` names for a group, where a program may write a uid too.
 *
 * @param groupUid undefined if it is not known yet, see {@link roleNamed}
 * @throws PlatformError `NOT_FOUND`, `AMBIGUOUS`
 */
export async function roleWritten(text: string, groupUid: string | undefined, run: Pick<Searching, "names">): Promise<string> {
  if (hasPlatformForm(text)) return text;
  // The uids of some platforms have the form of names.
  const { found } = await run.names.matches(role.collection, {}, ({ uid, name }) => uid === text || name === text);
  return found.some(({ uid }) => uid === text) ? text : roleNamed({ name: "role", uid: "its key" }, text, groupUid, run);
}

function missingName(text: string, all: readonly WireRole[]): MissingName {
  const shown = all.filter(({ uid }) => isBuiltIn(uid)).map((row) => row.name);
  const isElsewhere = all.some(({ uid, name }) => name === text || uid === text);
  return { of: role, name: text, shown, isSlip: !isElsewhere && nearestName(text, shown, 1) !== undefined };
}

function notFound(text: string, uidArgument: string, place: string | undefined, all: readonly WireRole[]): string {
  const elsewhere = all.filter((row) => row.name === text);
  if (elsewhere.length > 0) {
    return `a custom role of that name exists only elsewhere (${uidsOf(elsewhere)}), not in ${groupText(place ?? "")} or above. Pass its uid if you mean it.`;
  }
  if (all.some(({ uid }) => uid === text)) return `that is the uid of a role, not its name. Pass it as ${uidArgument}.`;
  const usable = all.filter((row) => place === undefined || isGrantableIn(row, place)).map((row) => row.name);
  const where = place === undefined ? "" : ` in ${groupText(place)} or above`;
  return `no built-in role has that name, and no custom role that these credentials see${where}.${nearest(text, usable, "roles")}\nIf this program declares the role, pass its uid, or pass the role in \`dependsOn\`.`;
}
