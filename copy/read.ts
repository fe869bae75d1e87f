import { z } from "zod";
import type { Hidden } from "../access/snapshot";
import type { PlatformClient } from "../provider/client/client";
import type { Collection, WireObject } from "../provider/client/collection";
import { causeOf } from "../provider/client/errors";
import { advisory } from "../provider/kinds/advisory";
import { identityProvider } from "../provider/kinds/identity-provider";
import { role } from "../provider/kinds/role";
import { callerRights, rightIn } from "../provider/sight/rights";
import { kindName, kindNamed, kindNames } from "../inventory/kinds";
import type { PlatformObject, UnreadablePart } from "../inventory/objects";
import { readInventory } from "../inventory/platform";
import type { Reader } from "../inventory/rows";

/** A row of a List, as the platform sent it. */
export type SentRow = Readonly<Record<string, unknown>> & { readonly uid: string };

/** A part of a copy that may be missing, or that may differ from the platform. */
export type Inexact = Hidden & Partial<Pick<UnreadablePart, "place" | "uid">>;

/** One or several organisations, as these credentials read them. */
export interface Original {
  /** Rows by collection, each uid once. */
  readonly rows: ReadonlyMap<string, ReadonlyMap<string, SentRow>>;
  /** The parts that may be missing. */
  readonly unreadable: readonly Inexact[];
}

/** Most advisories that are copied. */
const mostAdvisories = 10_000;

/** The published name of the only kind that is read and cannot be declared. */
const advisoryKind = kindName(advisory);

/**
 * Reads everything that these credentials may list in the organisations, and the built-in roles.
 *
 * @param organizations uids of root groups
 * @throws PlatformError if a root group cannot be read
 */
export async function readOriginal(client: PlatformClient, organizations: readonly string[]): Promise<Original> {
  const sent = new SentRows();
  const reader = sent.recording(client);
  const unreadable: Inexact[] = [];
  /** Keeps on reading after a failure, which is named. */
  const attempt = async (what: string, kinds: readonly string[], reading: Promise<unknown>) => {
    await reading.catch((error: unknown) => unreadable.push({ what, kinds, reason: causeOf(error) }));
  };
  const inventories = await Promise.all(organizations.map((root) => readInventory(reader, root)));
  for (const { objects, around, unreadable: parts } of inventories) {
    // Other organisations are not copied, besides the identities and roles that bindings name.
    sent.keep([...objects.all, ...around.of(kindNames.identity), ...around.of(kindNames.role)]);
    unreadable.push(...parts);
  }
  await attempt("built-in roles", [kindNames.role], sent.list(reader, role.collection, { inRoot: true }));
  await Promise.all(
    organizations.map((root) => attempt("advisories", [advisoryKind], sent.advisories(client, root, mostAdvisories))),
  );
  const providers = [...(sent.kept.get(identityProvider.collection.segment) ?? new Map<string, SentRow>()).keys()];
  // A List shows no SCIM status.
  await Promise.all(
    providers.map((uid) =>
      attempt(
        `SCIM status of identity provider ${uid}`,
        [kindNames.identityProvider],
        sent.get(client, identityProvider.collection, uid),
      ),
    ),
  );
  return { rows: sent.kept, unreadable };
}

/** Rows as they arrive, before a schema of the provider changes their form. */
class SentRows {
  readonly #all = new Map<string, Map<string, SentRow>>();
  readonly kept = new Map<string, Map<string, SentRow>>();

  /** A reader through which every row of a readable List is recorded. */
  recording(client: PlatformClient): Reader {
    return {
      get requests() {
        return client.requests;
      },
      caller: () => client.caller(),
      list: client.list.bind(client),
      listReadable: (collection, query) => client.listReadable(this.#recorded(collection), query),
    };
  }

  /** Keeps the rows of objects that were read; an object without a row is known by its name only. */
  keep(objects: readonly Pick<PlatformObject, "kind" | "uid">[]): void {
    for (const { kind, uid } of objects) this.#keep(kindNamed(kind).collection.segment, uid);
  }

  async list(reader: Reader, collection: Collection<WireObject>, query: { inRoot: true }): Promise<void> {
    const { rows } = await reader.listReadable(collection, query);
    for (const { uid } of rows) this.#keep(collection.segment, uid);
  }

  async get(client: PlatformClient, collection: Collection<WireObject>, uid: string): Promise<void> {
    await client.get(this.#recorded(collection), uid);
    this.#keep(collection.segment, uid);
  }

  async advisories(client: PlatformClient, root: string, most: number): Promise<void> {
    const right = rightIn(advisory, root, await callerRights(client));
    const { rows, total } = await client.listUpTo(this.#recorded(advisory.collection), { descendantsOf: root }, most);
    if (rows === undefined) throw new Error(`there are ${total}, more than the ${most} that are copied`);
    for (const { uid } of rows) this.#keep(advisory.collection.segment, uid);
    if (rows.length === 0 && right !== "held") throw new Error("no role of these credentials is known to allow listing them");
  }

  #recorded<Wire extends WireObject, Values extends object>(collection: Collection<Wire, Values>): Collection<Wire, Values> {
    const { segment, schema } = collection;
    const record = (row: unknown) => {
      if (typeof row === "object" && row !== null && "uid" in row && typeof row.uid === "string")
        placeIn(this.#all, segment).set(row.uid, row as SentRow);
      return row;
    };
    return { ...collection, schema: z.preprocess(record, schema) };
  }

  #keep(segment: string, uid: string): void {
    const row = this.#all.get(segment)?.get(uid);
    if (row !== undefined) placeIn(this.kept, segment).set(uid, row);
  }
}

function placeIn(rows: Map<string, Map<string, SentRow>>, segment: string): Map<string, SentRow> {
  const known = rows.get(segment);
  if (known !== undefined) return known;
  const made = new Map<string, SentRow>();
  rows.set(segment, made);
  return made;
}
