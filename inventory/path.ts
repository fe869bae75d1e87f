import { ancestorsOf, pathOf } from "../access/places";
import { kinds } from "../provider/kinds/kinds";
import type { Reader } from "../provider/sources/source";

/** The path of the identity `uid`; undefined if these credentials cannot read every name. @throws PlatformError if a List fails */
export async function readPath(reader: Pick<Reader, "list">, uid: string): Promise<string | undefined> {
  const above = ancestorsOf(uid);
  const groups = above.length === 0 ? [] : await reader.list(kinds.group.collection, { uids: above });
  const identities = await reader.list(kinds.identity.collection, { uids: [uid] });
  const names = new Map([...groups, ...identities].map((row) => [row.uid, row.name]));
  return pathOf(uid, (each) => names.get(each));
}
