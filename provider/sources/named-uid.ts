import { uidOfImport } from "../resources/naming/import-id";
import { Names } from "../resources/sharing/names";
import type { Kind } from "../schema/kind";
import type { Reader } from "./source";

/**
 * The uid of the object of `kind` that `text` means: its uid, or a name in the form of the kind, such as its path.
 *
 * @param organization uid of the root group, if configured
 * @throws PlatformError see {@link uidOfImport}
 */
export function namedUid(kind: Kind, text: string, reader: Reader, organization: string | undefined): Promise<string> {
  return uidOfImport(kind, text, { client: reader, names: new Names(reader), organization });
}
