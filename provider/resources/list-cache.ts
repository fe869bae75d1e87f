import { isDeepStrictEqual } from "node:util";
import type { PlatformClient } from "../client/client";
import type { WireObject } from "../client/collection";
import { maxPageSize } from "../client/list-page";
import { isBelow, organizationOf, parentOf } from "../client/uid";
import { withKept } from "../kinds/canonical";
import { type Inputs, type Kind, stateOf } from "../kinds/kind";

/** Reads of one kind that are made singly before a List is considered. */
const singleReads = 3;

/** Rows that a List may have for each read that was asked for before it, two pages: it never costs much more than the reads would. */
const rowsPerRead = 2 * maxPageSize;

/** A List that is older shows nothing any more, in milliseconds: a run may wait for others for hours. */
const longestAgeMs = 60_000;

/** One List: what it shows of everything below `place`, by uid; undefined when it would be too long, or failed. */
interface Snapshot {
  place: string;
  /** `performance.now()` when it was asked for. */
  at: number;
  states: Promise<Map<string, Inputs> | undefined>;
}

/** The reads of one kind in one organisation. */
interface Reads {
  /** How many were asked for. */
  asked: number;
  /** What all of their objects lie below; undefined before the first. */
  whole: string | undefined;
  /** Uids that no List covers, since the last one. */
  single: string[];
  /** Rows of the Lists that were not worth their pages, by place. */
  tooLong: Map<string, number>;
  snapshots: Snapshot[];
}

/**
 * The reads of one run, answered by Lists where enough objects lie close together; those of the other kinds are asked for at the same time,
 * for the engine reads kind after kind. A List can only confirm that an object is exactly as state has it; what differs, or is not in the
 * List, is read by itself. No List is older than the run, and none counts once this process has written.
 */
export class SharedReads {
  readonly #reads = new Map<string, Reads>();

  constructor(
    private readonly client: Pick<PlatformClient, "listUpTo" | "hasWritten" | "timing">,
    private readonly kinds: readonly Kind[],
  ) {}

  /** True when a List shows the object `uid` exactly as `state` has it; false tells nothing. */
  async confirm(kind: Kind, uid: string, state: Inputs): Promise<boolean> {
    const states = await this.#listThatCovers(kind, uid);
    const shown = states?.get(uid);
    // The engine reads an object once: what it has seen is not kept.
    states?.delete(uid);
    if (shown === undefined || this.client.hasWritten) return false;
    return isDeepStrictEqual(withKept(kind.fields, shown, state), state);
  }

  #listThatCovers(kind: Kind, uid: string): Snapshot["states"] | undefined {
    const parent = parentOf(uid);
    if (this.client.hasWritten || parent === undefined || kind.calls.list === "unreliable") return undefined;
    const organization = organizationOf(uid);
    const reads = this.#readsOf(kind, organization);
    reads.asked++;
    reads.whole = commonPlace([reads.whole ?? parent, parent]);
    reads.snapshots = reads.snapshots.filter(({ at }) => performance.now() - at < longestAgeMs);
    const known = reads.snapshots.find(({ place }) => isBelow(uid, place));
    if (known !== undefined) return known.states;
    reads.single.push(uid);
    if (reads.asked <= singleReads) return undefined;
    const narrow = reads.single.length > singleReads ? [commonPlace(reads.single.map((each) => parentOf(each) ?? each))] : [];
    const most = reads.asked * rowsPerRead;
    // The widest first: where it is short enough, the reads to come find everything in it.
    const place = [organization, reads.whole, ...narrow].find((candidate) => (reads.tooLong.get(candidate) ?? 0) <= most);
    if (place === undefined) return undefined;
    const { states } = this.#list(kind, place, reads, most);
    for (const other of this.kinds.filter(({ calls }) => calls.lookAhead))
      this.#lookAhead(other, place, this.#readsOf(other, organization));
    return states;
  }

  /** Asks for a List that reads of another kind will probably need. */
  #lookAhead(kind: Kind, place: string, reads: Reads): void {
    if (reads.asked === 0 && reads.tooLong.size === 0 && reads.snapshots.length === 0)
      this.#list(kind, place, reads, rowsPerRead);
  }

  #readsOf(kind: Kind, organization: string): Reads {
    const question = `${kind.collection.segment} in ${organization}`;
    const known = this.#reads.get(question);
    if (known !== undefined) return known;
    const reads = { asked: 0, whole: undefined, single: [], tooLong: new Map<string, number>(), snapshots: [] };
    this.#reads.set(question, reads);
    return reads;
  }

  #list(kind: Kind, place: string, reads: Reads, most: number): Snapshot {
    const snapshot: Snapshot = { place, at: performance.now(), states: Promise.resolve(undefined) };
    snapshot.states = this.#statesIn(kind, snapshot, reads, most);
    reads.snapshots.push(snapshot);
    return snapshot;
  }

  async #statesIn(kind: Kind, snapshot: Snapshot, reads: Reads, most: number): Promise<Map<string, Inputs> | undefined> {
    const { place } = snapshot;
    const signal = AbortSignal.timeout(this.client.timing.attemptMs);
    const list = this.client.listUpTo(kind.collection, { descendantsOf: place }, most, { signal });
    // The reads that are made instead tell why a List failed, and do not wait for one that is slow.
    const states = await list.then((rows) => statesOf(kind, rows)).catch(() => Infinity);
    if (typeof states !== "number") {
      reads.single = [];
      return states;
    }
    reads.tooLong.set(place, states);
    reads.snapshots = reads.snapshots.filter((other) => other !== snapshot);
    return undefined;
  }
}

/** What state would keep of each row, by uid; a number as it is. */
function statesOf<Wire extends WireObject>(kind: Kind<Wire>, rows: Wire[] | number): Map<string, Inputs> | number {
  return typeof rows === "number" ? rows : new Map(rows.map((row) => [row.uid, stateOf(kind, row)]));
}

/** The uid that all of `places`, of one organisation, are or lie below. */
function commonPlace(places: readonly string[]): string {
  const [first = [], ...others] = places.map((place) => place.split("/"));
  const length = first.findIndex((segment, index) => others.some((other) => other[index] !== segment));
  return (length < 0 ? first : first.slice(0, length)).join("/");
}
