import type { PlatformClient } from "../client/client";
import type { WireObject } from "../client/collection";
import { platformErrorAs } from "../client/errors";
import { maxPageSize } from "../client/list-page";
import { SingleFlight } from "../client/single-flight";
import { lineageOf, organizationOf } from "../client/uid";
import { uidParts } from "../client/uid-parts";
import { group } from "../kinds/group";
import { isKind, type Kind } from "../schema/kind";
import { SharedQuestions } from "../resources/sharing/shared-questions";
import type { Pace } from "./pace";
import { Seen } from "./seen";
import { controlCount, covers } from "./control";

/** How long a question waits for DELETEs in flight, in milliseconds, because a slow one must not hold up the others. */
const longestFlightMs = 1_000;

/** The share of an address for the objects that a request asks for. The rest is for controls. */
const half = 0.5;

/**
 * The evidence of one answer of the List of its kind about an object that may be gone:
 *
 * - `shown`: the List shows it.
 * - `control`: not shown, but another object in the same place or in a group above. The List would show both.
 * - `elsewhere`: not shown, but others in the organisation.
 * - `nothing`: not shown, and no other was asked for, or shown.
 */
export type Sighting = "shown" | "control" | "elsewhere" | "nothing";

/** An object that may be gone. */
export interface Missing {
  readonly kind: Kind;
  readonly uid: string;
  /** The nearest group around it that these credentials can read; undefined if none was requested. */
  readonly place?: string | undefined;
}

/** Asks the Lists about objects that may be gone. Every answer is newer than the call, and all waiting calls share it. */
export class RollCalls {
  readonly #questions: SharedQuestions<Missing, ReadonlyMap<string, Sighting>>;
  /** Uids in the last answer of a List, by kind and organisation. */
  readonly #controls = new Map<string, readonly string[]>();
  /** By kind and organisation. */
  readonly #seen = new SingleFlight<Seen>();
  /** The number of DELETEs of this run in flight, by List. If they succeed, questions about their objects follow. */
  readonly #deleting = new Map<string, number>();

  /** @param pace of the deletions that questions follow */
  constructor(
    private readonly client: Pick<PlatformClient, "list" | "listSome" | "listUpTo" | "clock">,
    pace: Pace,
  ) {
    this.#questions = new SharedQuestions(
      client.clock,
      (missing) => this.#call(missing),
      (list, waitedMs) => pace.isNextNear() || ((this.#deleting.get(list) ?? 0) > 0 && waitedMs < longestFlightMs),
    );
  }

  /** The List before this run deletes objects of the kind in the organisation of `uid`, in one request for all of them. */
  before(kind: Kind, uid: string): Promise<Seen> {
    const look = async () => {
      const scope = { descendantsOf: organizationOf(uid) };
      const listed = await this.client.listUpTo(kind.collection, scope, maxPageSize).catch(platformErrorAs(() => undefined));
      return new Seen(listed?.rows);
    };
    return this.#seen.once(listOf({ kind, uid }), look);
  }

  /** The result of {@link before} for such objects; undefined if it was not called. */
  async seen(missing: Missing): Promise<Seen | undefined> {
    return this.#seen.known(listOf(missing));
  }

  /** @throws PlatformError if the List fails */
  async sighting(missing: Missing): Promise<Sighting> {
    const sightings = await this.#questions.about(listOf(missing), missing);
    return sightings.get(missing.uid) ?? "nothing";
  }

  /** Runs `send`, a DELETE of the object. Questions about others of its kind wait for it a moment, so that one List answers all. */
  async deleting<Result>(kind: Kind, uid: string, send: () => Promise<Result>): Promise<Result> {
    const list = listOf({ kind, uid });
    const count = (change: number) => this.#deleting.set(list, (this.#deleting.get(list) ?? 0) + change);
    count(1);
    try {
      return await send();
    } finally {
      count(-1);
    }
  }

  /** The sightings of `missing`, all of one kind and organisation. */
  async #call(missing: readonly Missing[]): Promise<ReadonlyMap<string, Sighting>> {
    const [first] = missing as [Missing, ...Missing[]];
    const { kind } = first;
    const uids = [...new Set(missing.map(({ uid }) => uid))];
    // An empty List of such a kind is normal, so the right decides.
    if (kind.calls.list !== "shows") return this.#ask(first, uids, []);
    // A readable group covers the groups in it.
    const places = isKind(kind, group) ? missing.flatMap(({ place }) => place ?? []) : undefined;
    const known = places ?? this.#controls.get(listOf(first)) ?? [];
    const sightings = new Map(known.length > 0 ? await this.#ask(first, uids, known) : []);
    const open = uids.filter((uid) => !["shown", "control"].includes(sightings.get(uid) ?? ""));
    if (open.length === 0) return sightings;
    const candidates = await this.#candidates(first, open, new Set(uids));
    return new Map([...sightings, ...(await this.#ask(first, open, candidates))]);
  }

  /** Asks the List for `uids`, each together with possible controls from `others`, because access may change between two answers. */
  async #ask(missing: Missing, uids: readonly string[], others: readonly string[]): Promise<Map<string, Sighting>> {
    const { kind } = missing;
    const answers = uidParts(uids, half).map(async (part) => {
      const nearest = part.flatMap((uid) => others.find((other) => covers(kind, other, kind.placeOf(uid) ?? "")) ?? []);
      const [controls = []] = uidParts([...new Set([...nearest, ...others])], half);
      // Controls in another answer show nothing about this one.
      const asked = uidParts([...part, ...controls]).length === 1 ? [...part, ...controls] : part;
      const rows = await this.client.list(kind.collection, { uids: asked });
      const shown = rows.map(({ uid }) => uid);
      const found = shown.filter((uid) => !uids.includes(uid));
      const sightingOf = (uid: string): Sighting => {
        if (shown.includes(uid)) return "shown";
        if (found.some((control) => covers(kind, control, kind.placeOf(uid) ?? ""))) return "control";
        return found.length > 0 ? "elsewhere" : "nothing";
      };
      return { found, sightings: part.map((uid) => [uid, sightingOf(uid)] as const) };
    });
    const all = await Promise.all(answers);
    this.#controls.set(listOf(missing), [...new Set(all.flatMap(({ found }) => found))].slice(0, controlCount));
    return new Map(all.flatMap(({ sightings }) => sightings));
  }

  /** Objects in the organisation that the List shows, as possible controls. An object directly below the root covers all of it. */
  async #candidates({ kind, uid }: Missing, open: readonly string[], unwanted: ReadonlySet<string>): Promise<string[]> {
    const { collection } = kind;
    const organization = organizationOf(uid);
    const others = (rows: readonly WireObject[]) => rows.map((row) => row.uid).filter((each) => !unwanted.has(each));
    const inRoot = others(await this.client.listSome(collection, { childrenOf: organization }, controlCount));
    if (inRoot.length > 0) return inRoot;
    const query = { descendantsOf: organization };
    const { rows: all } = await this.client.listUpTo(collection, query, maxPageSize);
    // An empty answer may only mean that the caller sees nothing.
    if (all !== undefined && others(all).length > 0) (await this.seen({ kind, uid }))?.note(all);
    const near = others(all ?? (await this.#near(kind, open)));
    return near.length > 0 || all !== undefined ? near : others(await this.client.listSome(collection, query, controlCount));
  }

  /** Objects in the places of `uids` and in the groups above them. */
  async #near(kind: Kind, uids: readonly string[]): Promise<readonly WireObject[]> {
    const places = new Set(uids.flatMap((uid) => lineageOf(kind.placeOf(uid))));
    const rows = [...places].map((childrenOf) => this.client.listSome(kind.collection, { childrenOf }, controlCount));
    return (await Promise.all(rows)).flat();
  }
}

/** The List that shows the object, as a key. */
function listOf({ kind, uid }: Missing): string {
  return `${kind.collection.segment} ${organizationOf(uid)}`;
}
