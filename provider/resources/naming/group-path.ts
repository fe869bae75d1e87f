import { literal } from "../../client/printable";
import { parentOf } from "../../client/uid";
import { group, places } from "../../kinds/group";
import { rootText } from "../../schema/import-id";
import { naturalKeyOf } from "../../schema/kind";
import type { Declarations } from "../ledger/declarations";
import type { Names } from "../sharing/names";
import { candidates, nearest, problem } from "./problem";

/** The Lists and the declared groups that following a path needs. */
export interface Following {
  readonly names: Pick<Names, "matches">;
  /** The uid of `platform:organization` as the first name. Default: the name has no meaning of its own. */
  readonly root?: string | undefined;
  readonly ledger: { readonly declarations: Pick<Declarations, "has"> };
}

/**
 * The uid of the group at this path, found name by name from the root organisation down.
 *
 * @param name of the argument, for messages
 * @param path the whole text, for messages
 * @param names the names to follow
 * @throws PlatformError `NOT_FOUND` that says how far the path exists; `AMBIGUOUS`; `INVALID_INPUT` for a group that this program
 *   declares and that does not exist yet
 */
export async function groupAt(name: string, path: string, names: readonly string[], run: Following): Promise<string> {
  let uid: string | undefined;
  for (const [depth, segment] of names.entries()) {
    if (depth === 0 && segment === rootText && run.root !== undefined) {
      uid = run.root;
      continue;
    }
    const query = uid === undefined ? { inRoot: true } : { childrenOf: uid };
    const { found, all } = await run.names.matches(places, query, (row) => row.name === segment);
    const [only, ...others] = found;
    if (others.length > 0) {
      const place = uid === undefined ? "there are" : `${uid} has`;
      const why = `${place} ${found.length} groups named ${literal(segment)}: ${candidates(found)}. Pass the uid of the one you mean.`;
      throw problem("AMBIGUOUS", name, path, why);
    }
    if (only === undefined) {
      const shown = all.map((row) => row.name);
      const missingGroup = { of: group, name: segment, shown };
      if (isGroupDeclared(uid, segment, run)) {
        // Another program may have what is below: `up` finds it once this one has made or renamed the group.
        const isAbove = depth < names.length - 1;
        throw problem("INVALID_INPUT", name, path, declared(segment), isAbove ? missingGroup : undefined);
      }
      const why = missing(names.slice(0, depth), uid, segment, shown);
      throw problem("NOT_FOUND", name, path, why, missingGroup);
    }
    uid = only.uid;
  }
  return uid ?? "";
}

/** The uid of the group at this path as a parent: not one that this program declares. @throws PlatformError see {@link groupAt} */
export async function parentAt(name: string, path: string, run: Following): Promise<string> {
  const names = path.split("/");
  const uid = await groupAt(name, path, names, run);
  const [last = ""] = names.slice(-1);
  if (isGroupDeclared(parentOf(uid), last, run)) throw problem("INVALID_INPUT", name, path, declared(last));
  return uid;
}

/** True if a check of this run has seen a group of this name there. */
function isGroupDeclared(parentUid: string | undefined, name: string, { ledger }: Following): boolean {
  const key = parentUid === undefined ? undefined : naturalKeyOf(group, { parentUid, name });
  return key !== undefined && ledger.declarations.has(key);
}

function declared(segment: string): string {
  return `this program itself declares the group ${literal(segment)}. Pass the \`uid\` of that resource instead of its path, so that the engine creates it first.`;
}

function missing(above: readonly string[], uid: string | undefined, segment: string, names: readonly string[]): string {
  if (uid === undefined) {
    return `no root organisation ${literal(segment)} is visible to these credentials.${nearest(segment, names, "visible organisations")}\nA path begins with the root organisation. If these credentials see only a part of it, pass the uid.`;
  }
  const shown = nearest(segment, names, "groups in it") || " These credentials see no group in it.";
  return `${literal(above.join("/"))} exists (${uid}), but it has no group ${literal(segment)} that these credentials see.${shown}`;
}
