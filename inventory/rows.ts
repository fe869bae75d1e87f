import { ancestorsOf, pathOf } from "../access/places";
import type { PlatformClient } from "../provider/client/client";
import type { WireObject } from "../provider/client/collection";
import { causeOf, hasCode, isTooLarge } from "../provider/client/errors";
import type { ListScope } from "../provider/client/list";
import { unreadInWords } from "../provider/client/list-windows";
import { parentOf } from "../provider/client/uid";
import { groupOf, kindNamed, kindNames } from "./kinds";
import { ObjectIndex, type PlatformObject, type WhyUnread } from "./objects";
import { type Reference, referencesInRow } from "./references";

/** The part of a client that reading needs. */
export type Reader = Pick<PlatformClient, "caller" | "list" | "listReadable" | "requests">;

/** The rows of Lists by kind, each uid once. */
export class Rows {
  readonly #byKind = new Map<string, Map<string, WireObject>>();

  add(kind: string, rows: readonly WireObject[]): this {
    const ofKind = this.#byKind.get(kind) ?? new Map<string, WireObject>();
    for (const row of rows) ofKind.set(row.uid, row);
    this.#byKind.set(kind, ofKind);
    return this;
  }

  has(kind: string, uid: string): boolean {
    return this.#byKind.get(kind)?.has(uid) === true;
  }

  of(kind: string): WireObject[] {
    return [...(this.#byKind.get(kind)?.values() ?? [])];
  }

  with(other: Rows): Rows {
    const both = new Rows();
    for (const [kind, rows] of [...this.entries(), ...other.entries()]) both.add(kind, rows);
    return both;
  }

  entries(): [string, WireObject[]][] {
    return [...this.#byKind].map(([kind, rows]) => [kind, [...rows.values()]]);
  }
}

/** Lists that may fail or be incomplete. */
export class Lists {
  /** Why Lists failed or are incomplete, by the name of the request. */
  readonly failed = new Map<string, WhyUnread>();
  /** Names of requests for Lists that are too large, whose objects may be readable one by one. */
  readonly tooLarge = new Set<string>();

  constructor(private readonly client: Reader) {}

  /** @param what the name of the request under which a failure is noted. Default: the kind */
  async rows(kind: string, query: ListScope & { readonly identity?: string }, what = kind): Promise<WireObject[]> {
    try {
      const { rows, unread } = await this.client.listReadable(kindNamed(kind).collection, query);
      if (unread.length > 0) this.#fail(what, { reason: unreadInWords(unread) }, true);
      return rows;
    } catch (error) {
      this.#fail(what, whyUnread(error), isTooLarge(error));
      return [];
    }
  }

  /** The objects with these uids, and the ones among them that are too large to be read. */
  async byUid(kind: string, uids: readonly string[], what = kind): Promise<{ rows: WireObject[]; tooLarge: string[] }> {
    try {
      const { rows, unread } = await this.client.listReadable(kindNamed(kind).collection, { uids: [...uids] });
      return { rows, tooLarge: unread.flatMap(({ uid }) => uid ?? []) };
    } catch (error) {
      this.#fail(what, whyUnread(error), false);
      return { rows: [], tooLarge: [] };
    }
  }

  #fail(what: string, why: WhyUnread, isLarge: boolean): void {
    this.failed.set(what, why);
    if (isLarge) this.tooLarge.add(what);
  }
}

/** Why reading failed. */
export function whyUnread(error: unknown): WhyUnread {
  const reason = causeOf(error);
  if (isTooLarge(error)) return { reason };
  return { reason, cause: hasCode(error, "PERMISSION_DENIED") ? "denied" : "failed" };
}

/**
 * Adds to `around` the visible objects that the rows refer to, and the groups of their paths.
 *
 * @param named further references to add
 */
export async function addNamed(lists: Lists, rows: Rows, around: Rows, named: readonly Reference[]): Promise<void> {
  const known = rows.with(around);
  const wanted = new Map<string, Map<string, string>>();
  const want = (kind: string, uid: string, name: string) => {
    if (!known.has(kind, uid)) wanted.set(kind, (wanted.get(kind) ?? new Map<string, string>()).set(uid, name));
  };
  const shown = known.entries().flatMap(([kind, each]) => each.flatMap((row) => referencesInRow(kindNamed(kind), row)));
  for (const { kind, uid, name } of [...named, ...shown]) want(kind, uid, name);
  for (const uids of [...wanted.values()])
    for (const uid of uids.keys()) for (const each of ancestorsOf(uid)) want(kindNames.group, each, "");
  await Promise.all(
    [...wanted].map(async ([kind, found]) => {
      // An answer repeats the names of referenced objects, which may be hidden. Names of people are ignored, because people choose them.
      const isTelling = (uid: string, name: string) =>
        name !== "" && (kind !== kindNames.identity || parentOf(uid) !== undefined);
      around.add(
        kind,
        [...found].flatMap(([uid, name]) => (isTelling(uid, name) ? [{ uid, name }] : [])),
      );
      around.add(kind, await lists.rows(kind, { uids: [...found.keys()] }, detailsOf(kind)));
    }),
  );
}

/** The name under which {@link addNamed} notes why it could not read objects that other rows refer to. */
export function detailsOf(kind: string): string {
  return `details of ${kindNamed(kind).collection.segment}`;
}

/** Names by uid. If a group and another object share a uid, the group's name wins. */
export function namesIn(rows: Rows): (uid: string) => string | undefined {
  const found = new Map<string, string>();
  const groupsLast = rows.entries().sort(([one]) => (one === kindNames.group ? 1 : -1));
  for (const [, all] of groupsLast)
    for (const row of all) {
      const { name } = row as { name?: unknown };
      if (typeof name === "string" && name !== "") found.set(row.uid, name);
    }
  return (uid) => found.get(uid);
}

/** The rows as objects. */
export function objectsIn(rows: Rows, nameOf: (uid: string) => string | undefined): ObjectIndex<PlatformObject> {
  return new ObjectIndex(rows.entries().flatMap(([name, all]) => all.map((row) => objectFrom(name, row, nameOf))));
}

function objectFrom(kindName: string, row: WireObject, nameOf: (uid: string) => string | undefined): PlatformObject {
  const kind = kindNamed(kindName);
  const isNamed = "name" in kind.fields;
  const place = groupOf(kind, row.uid);
  const path = isNamed && !kind.sharesUid ? pathOf(row.uid, nameOf) : place === undefined ? undefined : pathOf(place, nameOf);
  const name = isNamed ? (row as { name?: string }).name : undefined;
  return {
    kind: kindName,
    uid: row.uid,
    place,
    ...(name !== undefined && name !== "" && { name }),
    ...(path !== undefined && { path }),
    value: kind.observe(row).inputs,
    row,
  };
}
