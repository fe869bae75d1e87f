import { PlatformError } from "../../client/errors";
import { alternatives, literal } from "../../client/printable";
import { hasPlatformForm } from "../../client/uid";
import { role as roleKind } from "../../kinds/role";
import { roleNamed } from "../naming/role-name";
import type { Run } from "../run";
import type { RoleUids } from "./members";

/**
 * The uids of roles that a program writes as a name or a uid. A text that was resolved before keeps its uid while that role exists: a
 * role that was renamed, or a new one of the same name, changes nothing by itself.
 *
 * @param known uids by text, from the state
 * @throws PlatformError `NOT_FOUND`, `AMBIGUOUS`; `INVALID_INPUT` if two texts of `access` mean the same role
 */
export async function resolveRoles(
  run: Run,
  groupUid: string,
  written: readonly string[],
  known: RoleUids,
): Promise<Map<string, string>> {
  const existing = await stillThere(
    run,
    [...known].filter(([text]) => written.includes(text)).map(([, uid]) => uid),
  );
  const entries = written.map(async (text): Promise<[string, string]> => {
    const uid = known.get(text);
    return [text, uid !== undefined && existing.has(uid) ? uid : await roleUid(run, groupUid, text)];
  });
  return new Map(await Promise.all(entries));
}

/** @throws PlatformError `INVALID_INPUT` if two of `texts` mean the same role */
export function rejectSynonyms(texts: readonly string[], roleUids: RoleUids): void {
  for (const [uid, same] of Map.groupBy(texts, (text) => roleUids.get(text) ?? text))
    if (same.length > 1)
      throw new PlatformError(
        "INVALID_INPUT",
        `access: ${alternatives(same.map((text) => literal(text)))} mean the same role (${uid}). Merge them. Nothing was sent.`,
      );
}

/** Those of `uids` that exist; all of them if these credentials cannot read roles. */
async function stillThere(run: Run, uids: readonly string[]): Promise<ReadonlySet<string>> {
  if (uids.length === 0) return new Set();
  try {
    return new Set((await run.client.list(roleKind.collection, { uids: [...uids] })).map(({ uid }) => uid));
  } catch {
    return new Set(uids);
  }
}

/**
 * The uid of the role that `text` names, for a group.
 *
 * @throws PlatformError `NOT_FOUND`, `AMBIGUOUS`
 */
export async function roleUid(run: Run, groupUid: string, text: string): Promise<string> {
  if (hasPlatformForm(text)) return text;
  // The uids of some platforms have the form of names.
  const { found } = await run.names.matches(roleKind.collection, {}, ({ uid, name }) => uid === text || name === text);
  return found.some(({ uid }) => uid === text) ? text : roleNamed(run.names, { name: "role", uid: "its key" }, text, groupUid);
}
