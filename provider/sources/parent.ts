import { platformErrorAs, withAdvice } from "../client/errors";
import { parentAt } from "../resources/naming/group-path";
import { Names } from "../resources/sharing/names";
import type { Asked, Reader } from "./source";

/**
 * `asked` with the uid of the group at its `parentPath`, if it has one.
 *
 * @throws PlatformError `NOT_FOUND`, `AMBIGUOUS`
 */
export async function withParent(asked: Asked, reader: Reader): Promise<Asked> {
  const { parentPath } = asked;
  if (typeof parentPath !== "string") return asked;
  // A data source does not know what its program declares.
  const search = { names: new Names(reader), ledger: { declarations: { has: () => false } } };
  const parentUid = await parentAt("parentPath", parentPath, search).catch(
    platformErrorAs((error) => {
      throw withAdvice(error, "If this program declares the group, pass the `uid` of that resource as parentUid.");
    }),
  );
  return { ...asked, parentUid };
}
