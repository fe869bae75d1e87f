import type { Shown } from "../emulator/api/collection";
import type { Copied } from "../emulator/api/services";
import { ownerRoleUid } from "../emulator/auth/built-in-roles";
import type { Database } from "../emulator/storage/database";
import type { Store } from "../emulator/storage/store";
import { stringOf } from "../emulator/wire/json";
import { PlatformError } from "../provider/client/errors";
import { literal } from "../provider/client/printable";
import { connect, readConfiguration } from "../provider/credentials";
import type { PlatformClient } from "../provider/client/client";
import { group } from "../provider/kinds/group";
import { fillWithCopy } from "./fill";
import type { Inexact } from "./read";
import type { CopyReport } from "./report";

/** The content of an emulator that is a copy. */
interface CopyContent {
  readonly organization: string;
  readonly identity: string;
  readonly copied: Copied;
  readonly copy: CopyReport;
}

interface Kept extends CopyReport {
  readonly organization: string;
  readonly identity: string;
}

/** The name of the fact that makes the content of a database a copy. */
const fact = "copy";

/**
 * Copies an organisation into an empty database with the credentials of the environment, or finds the copy that it holds.
 *
 * @param copyOf uid or name of the organisation; undefined to use only what the database holds
 * @returns undefined if the database holds no copy, and none is wanted
 * @throws {Error} if the database holds other content, or if the organisation cannot be read
 */
export async function copyIn(
  database: Database,
  shown: Shown,
  copyOf: string | undefined,
  hidesPeople: boolean,
): Promise<CopyContent | undefined> {
  const text = database.fact(fact);
  if (text !== undefined) return kept(JSON.parse(text) as Kept, copyOf, hidesPeople);
  if (copyOf === undefined) return undefined;
  if (database.fact("seed") !== undefined)
    throw new Error(`the data file holds an organisation of its own, not a copy of ${copyOf}: name another file`);
  const client = connect(readConfiguration(undefined, process.env));
  const organization = await organizationNamed(client, copyOf);
  const { inexact, objects, original } = await fillWithCopy(shown, { client, organizations: [organization], hidesPeople });
  const caller = (await client.caller())?.uid;
  const identity = ownerIn(shown.store, organization, caller) ?? caller;
  if (identity === undefined)
    throw cannot(
      copyOf,
      "these credentials see nobody who could log in to the copy. Use a role that may list identities and role bindings.",
    );
  const copy: CopyReport = {
    name: stringOf(shown.store.get("groups", organization)?.fields["name"]),
    objects: objects.length,
    hidesPeople,
    inexact,
  };
  database.setFact(fact, JSON.stringify({ ...copy, organization, identity } satisfies Kept));
  return { organization, identity, copied: { original }, copy };
}

const notAsked: Inexact = {
  what: "identities that are looked up by their login, and READMEs",
  reason: "a copy that was kept in a data file does not ask the platform for what it does not hold",
  kinds: [],
};

function kept({ organization, identity, ...copy }: Kept, copyOf: string | undefined, hidesPeople: boolean): CopyContent {
  if (copyOf !== undefined && copyOf !== organization && copyOf !== copy.name)
    throw new Error(`the data file holds a copy of ${literal(copy.name)} (${organization}), not of ${copyOf}: name another file`);
  if (copyOf !== undefined && hidesPeople && !copy.hidesPeople)
    throw new Error("the data file holds a copy that shows people: remove it, or name another file");
  return { organization, identity, copied: {}, copy: { ...copy, inexact: [...copy.inexact, notAsked] } };
}

async function organizationNamed(client: PlatformClient, named: string): Promise<string> {
  if (named.includes("/")) throw cannot(named, "a copy holds a whole organisation. Pass the uid or the name of its root group.");
  const roots = await client.list(group.collection, { inRoot: true });
  const [found, ...others] = roots.filter(({ uid, name }) => uid === named || name === named);
  if (found === undefined) throw cannot(named, "these credentials see no root group with this uid or name.");
  if (others.length > 0) throw cannot(named, "several organisations have this name. Pass a uid.");
  return found.uid;
}

function cannot(named: string, why: string): PlatformError {
  return new PlatformError("INVALID_INPUT", `Copy ${literal(named)}: ${why}`);
}

/** An identity that owns the root group: the caller if it is one, else the first by uid. */
function ownerIn(store: Store, organization: string, caller: string | undefined): string | undefined {
  const ofOwners = { sql: "parent = ? AND role = ?", values: [organization, ownerRoleUid(store) ?? ""] };
  const bindings = store.select("roleBindings", [ofOwners], { order: "ORDER BY identity" });
  const holders = bindings.map(({ fields }) => stringOf(fields["identityUid"]));
  if (caller !== undefined && holders.includes(caller)) return caller;
  return holders.find((uid) => store.get("identities", uid) !== undefined) ?? holders[0];
}
