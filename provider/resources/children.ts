import type { PlatformClient } from "../client/client";
import type { WireObject } from "../client/collection";
import { hasCode } from "../client/errors";
import { maxPageSize } from "../client/list-page";
import { holdsKey, type Inputs, keyOf, type Kind, observedInputs } from "./kind";

/** Rows that a List may have for each create that asks, two pages: it never costs much more than looking each one up. */
const rowsPerCreate = 2 * maxPageSize;

/** Uids by natural key. */
type Index = Map<string, string[]>;

/** The children of one kind under one parent. */
interface Children {
  /** How many creates have asked. */
  asked: number;
  /** How many there are, where a List of them was too long for so few creates. */
  total: number;
  /** True once the platform has answered a look-up by natural key with more than that. */
  ignoresKeys: boolean;
  /** All of them; undefined when they are too many. */
  all: Promise<Index | undefined> | undefined;
}

/** What the creates of one run find under their parents: by a List that they share, or one by one under a crowded parent. */
export class SharedChildren {
  readonly #places = new Map<string, Children>();

  constructor(private readonly client: Pick<PlatformClient, "list" | "listUpTo">) {}

  /** Uids of the children that held the natural key of `inputs` when they were listed, which may be a while ago. */
  holders(kind: Kind, inputs: Inputs): Promise<string[]> {
    const place = `${kind.collection.segment} of ${String(inputs["parentUid"])}`;
    const children = this.#places.get(place) ?? { asked: 0, total: 0, ignoresKeys: false, all: undefined };
    this.#places.set(place, children);
    children.asked++;
    return this.#find(kind, inputs, children);
  }

  async #find(kind: Kind, inputs: Inputs, children: Children): Promise<string[]> {
    const childrenOf = String(inputs["parentUid"]);
    const most = children.ignoresKeys ? Infinity : children.asked * rowsPerCreate;
    if (children.total <= most) {
      children.all ??= this.#list(kind, childrenOf, children, most);
      const all = await children.all;
      // How many there are is known now, and more creates may have come: the List may be worth its pages after all.
      return all === undefined ? this.#find(kind, inputs, children) : (all.get(keyOf(kind, inputs) ?? "") ?? []);
    }
    const rows = await this.client.listUpTo(kind.collection, { childrenOf, ...kind.lookup(inputs) }, maxPageSize);
    if (typeof rows !== "number") return rows.filter((row) => holdsKey(kind, row, inputs)).map(({ uid }) => uid);
    children.ignoresKeys = true;
    return this.#find(kind, inputs, children);
  }

  async #list(kind: Kind, childrenOf: string, children: Children, most: number): Promise<Index | undefined> {
    try {
      const rows = most < Infinity ? await this.client.listUpTo(kind.collection, { childrenOf }, most) : Infinity;
      if (typeof rows !== "number") return indexByKey(kind, rows);
      // How many there are is not known, or its pages are small.
      if (rows === Infinity) return indexByKey(kind, await this.client.list(kind.collection, { childrenOf }));
      children.total = rows;
    } catch (error) {
      // These credentials may create here without being allowed to list here.
      if (hasCode(error, "PERMISSION_DENIED")) return new Map();
      children.all = undefined;
      throw error;
    }
    children.all = undefined;
    return undefined;
  }
}

function indexByKey<Wire extends WireObject>(kind: Kind<Wire>, rows: Wire[]): Index {
  const index: Index = new Map();
  for (const row of rows) {
    const key = keyOf(kind, observedInputs(kind, row));
    if (key !== undefined) index.set(key, [...(index.get(key) ?? []), row.uid]);
  }
  return index;
}
