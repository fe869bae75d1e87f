import { personInWords } from "../../access/prose/person";
import type { PlatformClient } from "../../provider/client/client";
import { PlatformError } from "../../provider/client/errors";
import { list, literal, printable } from "../../provider/client/printable";
import { hasPlatformForm } from "../../provider/client/uid";
import { roleBinding } from "../../provider/kinds/role-binding";
import { Ledger } from "../../provider/resources/ledger/ledger";
import { groupAt } from "../../provider/resources/naming/group-path";
import { identityNamed } from "../../provider/resources/naming/identity-ref";
import { Names } from "../../provider/resources/sharing/names";
import { type Connection, organizationOf } from "./settings";

/**
 * The uid of the group that an option gives as uid or path, such as `acme/engineering`.
 *
 * @param option for messages: `--group`
 * @throws PlatformError `NOT_FOUND`, `AMBIGUOUS`
 */
export async function groupNamed(client: PlatformClient, option: string, named: string): Promise<string> {
  return hasPlatformForm(named) ? named : groupAt(option, named, named.split("/"), outsideOfPrograms(client));
}

/**
 * The uid of the identity that an option gives as uid, path, or issuer and subject (`https://issuer.example eva`), or for a person as the
 * verified e-mail address.
 *
 * @throws PlatformError see {@link groupNamed}; `INVALID_INPUT` for a name without its group, and for an address or a login if no setting
 * names the organisation
 */
export async function identityAt({ client, configuration }: Connection, option: string, named: string): Promise<string> {
  const [, issuer, subject] = /^(https?:\/\/\S+) +(\S.*)$/.exec(named) ?? [];
  if (issuer !== undefined && subject !== undefined)
    return identityNamed(option, { issuer, subject }, organizationOf(configuration), outsideOfPrograms(client));
  if (/^[^/\s]+@[^/\s]+$/.test(named)) return personAt(client, option, named, organizationOf(configuration));
  if (!named.includes("/") && !hasPlatformForm(named))
    throw new PlatformError(
      "INVALID_INPUT",
      `${option} ${literal(named)} is neither a uid, a path, an address nor a login: an identity is in a group, as in acme/${printable(named)}. Nothing was sent.`,
    );
  return hasPlatformForm(named) ? named : identityNamed(option, named, "", outsideOfPrograms(client));
}

/** A person with a role in the organisation. Lists of identities show no people, who belong to no group. */
async function personAt(client: PlatformClient, option: string, address: string, organization: string): Promise<string> {
  const bindings = await client.list(roleBinding.collection, { descendantsOf: organization });
  const people = new Map(
    bindings.flatMap(({ identity }) =>
      identity?.email.toLowerCase() === address.toLowerCase() && identity.uid ? [[identity.uid, identity]] : [],
    ),
  );
  const [only, ...others] = people.keys();
  if (only !== undefined && others.length === 0) return only;
  const what = `${option} ${literal(address)}`;
  if (only === undefined)
    throw new PlatformError(
      "NOT_FOUND",
      `${what}: no role binding in the organisation is for a person with that verified address. Pass issuer and subject, as in ${option} "https://issuer.example subject".`,
    );
  throw new PlatformError(
    "AMBIGUOUS",
    `${what}: ${people.size} people have that address: ${list([...people.values()].map(personAndUid))}. Pass the uid of the one you mean.`,
  );
}

function personAndUid({ uid, issuer, subject, email }: Readonly<Record<"uid" | "issuer" | "subject" | "email", string>>): string {
  const login = issuer !== "" && subject !== "" && { login: { claimMatch: { issuer, subject } } };
  const person = personInWords({ uid, verifiedEmail: email, ...login });
  return person === undefined ? uid : `${printable(person)} (${uid})`;
}

/** Outside of a program nothing is declared. */
function outsideOfPrograms(client: PlatformClient) {
  return { names: new Names(client), ledger: new Ledger() };
}
