import { groupText } from "../../client/known-paths";
import type { DeclaredReference } from "../../schema/references";
import { hiddenBuiltIn, isBuiltIn, role, type WireRole } from "../../kinds/role";
import { builtInFirst, isGrantableIn } from "./matchers";
import type { Searching } from "./needs";
import { candidates, nearest, problem } from "./problem";

/**
 * The uid of the role with this name: a built-in one, else the only custom one of `place` or a group above.
 *
 * @param reference the names of the argument, and of the one that takes a uid instead, for messages
 * @throws PlatformError `NOT_FOUND`, `AMBIGUOUS`
 */
export async function roleNamed(
  { name, uid }: Pick<DeclaredReference, "name" | "uid">,
  text: string,
  place: string,
  { names }: Pick<Searching, "names">,
): Promise<string> {
  const { found, all } = await names.matches(role.collection, {}, (row) => row.name === text && isGrantableIn(row, place));
  const hidden = found.some((row) => isBuiltIn(row.uid)) ? undefined : hiddenBuiltIn(text, all, uid);
  if (hidden !== undefined) throw problem("NOT_FOUND", name, text, hidden);
  const [only, ...others] = builtInFirst(found);
  if (only === undefined) throw problem("NOT_FOUND", name, text, notFound(text, uid, place, all));
  if (others.length > 0) {
    const why = `there are ${others.length + 1} roles of that name: ${candidates([only, ...others])}. Pass the uid of the one you mean.`;
    throw problem("AMBIGUOUS", name, text, why);
  }
  return only.uid;
}

function notFound(text: string, uidArgument: string, place: string, all: readonly WireRole[]): string {
  const elsewhere = all.filter((row) => row.name === text);
  if (elsewhere.length > 0) {
    return `a custom role of that name exists only elsewhere (${candidates(elsewhere)}), not in ${groupText(place)} or above. Pass its uid if you mean it.`;
  }
  if (all.some(({ uid }) => uid === text)) return `that is the uid of a role, not its name. Pass it as ${uidArgument}.`;
  const usable = all.filter((row) => isGrantableIn(row, place)).map((row) => row.name);
  return `no built-in role has that name, and no custom role in ${groupText(place)} or above.${nearest(text, usable, "roles")} If this program declares the role, pass its uid, or pass the role in \`dependsOn\`.`;
}
