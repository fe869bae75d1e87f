import type { z } from "zod";
import { literal } from "../../client/printable";
import type { Kind } from "../../schema/kind";
import { type Following, groupAt } from "./group-path";
import { candidates, nearest, pluralOf, problem, uidsOf, Unresolved } from "./problem";

/** A path, and the argument that has it, for messages. */
export interface Written {
  /** Name of the argument. */
  readonly name: string;
  readonly path: string;
}

/** An object around others, which was found by its path or its uid. */
interface Around {
  /** Its noun and its text: `group "acme/shop"`. */
  readonly label: string;
  readonly uid: string;
}

/**
 * The uid of the object of `kind` at a path: the names of the groups from the root organisation down, and its own. Its own may contain
 * slashes where the kind allows them, so every end of the path is tried as its name.
 *
 * @throws PlatformError `NOT_FOUND` that says how far the path exists; `AMBIGUOUS`; `INVALID_INPUT` see {@link groupAt}
 */
export async function childAt(kind: Kind, written: Written, run: Following): Promise<string> {
  const names = written.path.split("/");
  const found = new Set<string>();
  let missing: Unresolved | undefined;
  for (const [above] of names.entries()) {
    const [groups, name] = [names.slice(0, above), names.slice(above).join("/")];
    if (above < names.length - 1 && (above === 0 || !mayBeNamed(kind, name))) continue;
    const uid = await childOfGroup(kind, written, { groups, name }, run).catch(unlessMissing);
    if (uid instanceof Unresolved) missing = uid;
    else found.add(uid);
  }
  return onlyOf([...found], missing, written);
}

/** The error of a name that nothing has. Another end of the path may have another name. @throws any other error */
function unlessMissing(error: unknown): Unresolved {
  if (error instanceof Unresolved && error.missing !== undefined) return error;
  throw error;
}

function onlyOf([only, ...others]: readonly string[], missing: Unresolved | undefined, { name, path }: Written): string {
  if (only === undefined) throw missing ?? problem("NOT_FOUND", name, path, "it has no name of an object.");
  if (others.length === 0) return only;
  const why = `that is the path of several: ${uidsOf([only, ...others].map((uid) => ({ uid })))}. Pass the uid of the one you mean.`;
  throw problem("AMBIGUOUS", name, path, why);
}

async function childOfGroup(
  kind: Kind,
  written: Written,
  { groups, name }: { readonly groups: readonly string[]; readonly name: string },
  run: Following,
): Promise<string> {
  const uid = await groupAt(written.name, written.path, groups, run);
  return childNamed(kind, written, { label: `group ${literal(groups.join("/"))}`, uid }, { name, run });
}

/**
 * The uid of the only object of `kind` directly in another one with this name.
 *
 * @throws PlatformError `NOT_FOUND`, `AMBIGUOUS`
 */
export async function childNamed(
  kind: Kind,
  written: Written,
  around: Around,
  { name, run }: { readonly name: string; readonly run: Pick<Following, "names"> },
): Promise<string> {
  const { noun } = kind.collection;
  const nameOf = (row: object) => String(Reflect.get(row, "name"));
  const query = { childrenOf: around.uid };
  const { found, all } = await run.names.matches(kind.collection, query, (row) => nameOf(row) === name);
  const [only, ...others] = found;
  if (only === undefined) {
    const shown = all.map(nameOf);
    const plural = pluralOf(kind);
    const hint = nearest(name, shown, `${plural} in it`) || ` These credentials see no ${noun} in it.`;
    const why = `${around.label} exists (${around.uid}), but it has no ${noun} ${literal(name)}.${hint}`;
    const missing = { of: kind, name, shown };
    throw problem("NOT_FOUND", written.name, written.path, `${why} If this program declares it, pass its uid.`, missing);
  }
  if (others.length > 0) {
    const why = `there are ${found.length}: ${candidates(found)}. Pass the uid of the one you mean.`;
    throw problem("AMBIGUOUS", written.name, written.path, why);
  }
  return only.uid;
}

/** True for a text that the declaration allows as the name of an object. */
function mayBeNamed({ inputs }: Kind, text: string): boolean {
  return (inputs.shape as Readonly<Record<string, z.ZodType>>)["name"]?.safeParse(text).success ?? true;
}
