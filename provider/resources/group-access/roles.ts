import { hasCode, PlatformError } from "../../client/errors";
import { alternatives, literal } from "../../client/printable";
import { role as roleKind } from "../../kinds/role";
import { roleWritten } from "../naming/role-name";
import type { Run } from "../run/run";
import type { RoleUids } from "./members";

/**
 * The uids of roles that a program writes as a name or a uid. A text that was resolved before keeps its uid: a role that was renamed, or
 * another one of the same name, changes nothing by itself.
 *
 * @param known uids by text, from the state and from check
 * @throws PlatformError `NOT_FOUND`, also for a role in state that is gone; `AMBIGUOUS`
 */
export async function resolveRoles(
  groupUid: string,
  written: readonly string[],
  known: { readonly state: RoleUids; readonly checked: RoleUids },
  run: Run,
): Promise<Map<string, string>> {
  const gone = await rolesGone(written, known.state, run);
  for (const [text, uid] of gone) throw roleGone(text, uid);
  const entries = written.map(async (text): Promise<[string, string]> => [
    text,
    known.checked.get(text) ?? known.state.get(text) ?? (await roleWritten(text, groupUid, run)),
  ]);
  return new Map(await Promise.all(entries));
}

/** The `written` roles with a uid in state that the platform does not show. Empty if roles cannot be read. */
export async function rolesGone(written: readonly string[], known: RoleUids, run: Run): Promise<Map<string, string>> {
  const resolved = [...known].filter(([text]) => written.includes(text));
  const existing = await existingRoles(
    resolved.map(([, uid]) => uid),
    run,
  );
  return new Map(resolved.filter(([, uid]) => !existing.has(uid)));
}

function roleGone(text: string, uid: string): PlatformError {
  return new PlatformError(
    "NOT_FOUND",
    `role ${literal(text)} is ${uid} in the state, and the platform does not show that role. Another role of that name does not replace it. ` +
      "If the role was deleted, write the uid of the role that you mean, or remove its entries; otherwise use " +
      "credentials that see it. Nothing was sent.",
  );
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

/** The existing ones of `uids`, or all of them if these credentials cannot read roles. */
async function existingRoles(uids: readonly string[], run: Run): Promise<ReadonlySet<string>> {
  if (uids.length === 0) return new Set();
  try {
    return new Set((await run.client.list(roleKind.collection, { uids: [...uids] })).map(({ uid }) => uid));
  } catch (error) {
    if (!hasCode(error, "PERMISSION_DENIED", "UNIMPLEMENTED")) throw error;
    return new Set(uids);
  }
}
