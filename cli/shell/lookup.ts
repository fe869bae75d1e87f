import type { PlatformClient } from "../../provider/client/client";
import { PlatformError } from "../../provider/client/errors";
import { literal, printable } from "../../provider/client/printable";
import { hasPlatformForm } from "../../provider/client/uid";
import { Ledger } from "../../provider/resources/ledger/ledger";
import { groupAt } from "../../provider/resources/naming/group-path";
import { identityNamed } from "../../provider/resources/naming/identity-ref";
import { Names } from "../../provider/resources/sharing/names";

/**
 * The uid of the group that an option names by uid or by path, such as `acme/engineering`.
 *
 * @param option for messages: `--group`
 * @throws PlatformError `NOT_FOUND`, `AMBIGUOUS`
 */
export async function groupNamed(client: PlatformClient, option: string, named: string): Promise<string> {
  return hasPlatformForm(named) ? named : groupAt(option, named, named.split("/"), outsideOfPrograms(client));
}

/**
 * The uid of the identity that an option names by uid or by path.
 *
 * @throws PlatformError see {@link groupNamed}; `INVALID_INPUT` for a name without the group that it is in
 */
export async function identityAt(client: PlatformClient, option: string, named: string): Promise<string> {
  if (!named.includes("/") && !hasPlatformForm(named))
    throw new PlatformError(
      "INVALID_INPUT",
      `${option} ${literal(named)} is neither a uid nor a path: an identity is in a group, as in acme/${printable(named)}. Nothing was sent.`,
    );
  return hasPlatformForm(named) ? named : identityNamed(option, named, "", outsideOfPrograms(client));
}

/** Nothing is declared where no program runs. */
function outsideOfPrograms(client: PlatformClient) {
  return { names: new Names(client), ledger: new Ledger() };
}
