import type { PlatformError } from "../../client/errors";
import { list, literal } from "../../client/printable";
import { lineageOf, organizationOf, parentOf } from "../../client/uid";
import { places } from "../../kinds/group";
import { identity } from "../../kinds/identity";
import type { IdentityRef } from "../../schema/references";
import type { Login } from "../ledger/declared-logins";
import { childAt } from "./child-path";
import { logsInWith } from "./matchers";
import type { Looking } from "./needs";
import { problem } from "./problem";

/**
 * The uid of the identity that `reference` names: by path; or by issuer and subject, which are those of an identity in the organisation
 * of `place` or of a person.
 *
 * @param name of the argument, for messages
 * @throws PlatformError `NOT_FOUND`, `AMBIGUOUS`
 */
export async function identityNamed(name: string, reference: IdentityRef, place: string, run: Looking): Promise<string> {
  return typeof reference === "string"
    ? childAt(identity, { name, path: reference }, run)
    : withLogin(name, reference, place, run);
}

async function withLogin(name: string, login: Login, place: string, run: Looking): Promise<string> {
  const query = { descendantsOf: organizationOf(place) };
  const { found } = await run.names.matches(identity.collection, query, (row) => logsInWith(row, login));
  const [only, ...others] = found;
  if (only === undefined && run.ledger.logins.has(login)) throw unseenLogin(name, login);
  if (only === undefined) return run.names.person(login.issuer, login.subject);
  if (others.length > 0) {
    const labels = await Promise.all(found.slice(0, 10).map((row) => pathAndUid(row, run)));
    throw problem(
      "AMBIGUOUS",
      name,
      login,
      `several identities log in with that issuer and subject: ${list(labels)}. Pass the path or the uid of the one you mean.`,
    );
  }
  return only.uid;
}

/** The error about a login that an identity of the program gets. @param name of the argument */
export function unseenLogin(name: string, login: unknown): PlatformError {
  const why =
    "this program declares an identity with that issuer and subject, which the platform does not show yet. Pass its uid.";
  return problem("INVALID_INPUT", name, login, why);
}

/** Path and uid, for messages; the uid alone if a name above cannot be read. */
async function pathAndUid(row: { readonly uid: string; readonly name: string }, { names }: Looking): Promise<string> {
  const above = lineageOf(parentOf(row.uid)).reverse();
  const path = await Promise.all(above.map((uid) => names.nameOf(places, uid)));
  return path.includes(undefined)
    ? `${literal(row.name)} (${row.uid})`
    : `${literal([...path, row.name].join("/"))} (${row.uid})`;
}
