import { isDeepStrictEqual } from "node:util";
import type { PlatformClient } from "../../client/client";
import { platformErrorAs } from "../../client/errors";
import { forOthersToo, untilInterrupted } from "../../client/interruption";
import { maxPageSize } from "../../client/list-page";
import { isBelow, organizationOf, parentOf } from "../../client/uid";
import { withKept } from "../../schema/kept-values";
import { type Inputs, type Kind, stateOf } from "../../schema/kind";

/** Number of single reads of one kind before a List is considered. */
const singleReads = 3;

/** Most rows of a List for each read so far, two pages, so a List never costs much more than the reads. */
const rowsPerRead = 2 * maxPageSize;

/** Maximum age of a List in milliseconds, because a run may wait for others for hours. */
const longestAgeMs = 60_000;

/** One List: what it shows below `place`, by uid; undefined if it is too long or failed. */
interface ListSnapshot {
  place: string;
  /** When it was requested, by the client's clock. */
  at: number;
  states: Promise<Map<string, Inputs> | undefined>;
}

/** The reads of one kind in one organisation. */
interface Reads {
  /** Their number so far. */
  asked: number;
  /** The common ancestor of their objects; undefined before the first. */
  whole: string | undefined;
  /** Uids that no List covers. */
  single: string[];
  /** Rows of the Lists that were too long, by place. */
  tooLong: Map<string, number>;
  snapshots: ListSnapshot[];
}

/**
 * The reads of one run, answered by Lists if enough objects are close together. The engine reads kind after kind, so the Lists of other
 * kinds are requested at the same time. A List can only confirm that an object is exactly as in state. A different or missing object is
 * read individually. No List is older than the run, and none is used after this process has written.
 */
// See docs/decisions/0014-reads-are-shared-through-lists.md.
export class SharedReads {
  readonly #reads = new Map<string, Reads>();

  constructor(
    private readonly client: Pick<PlatformClient, "clock" | "listUpTo" | "hasWritten" | "timing">,
    private readonly kinds: readonly Kind[],
  ) {}

  /**
   * The state of the object `uid`, if a List shows it exactly as in `state`; undefined allows no conclusion. Facts about other objects that
   * a state of an earlier release lacks are added.
   */
  async confirm(kind: Kind, uid: string, state: Inputs): Promise<Inputs | undefined> {
    const list = this.#listThatCovers(kind, uid);
    const states = list && (await untilInterrupted(list));
    const shown = states?.get(uid);
    // The engine reads an object once, so its row is dropped.
    states?.delete(uid);
    if (shown === undefined || this.client.hasWritten) return undefined;
    const now = withKept(kind.fields, shown, state);
    const isNew = (name: string) => state[name] === undefined && kind.fields[name]?.traits.firstFor !== undefined;
    const asBefore = Object.fromEntries(Object.entries(now).filter(([name]) => !isNew(name)));
    return isDeepStrictEqual(asBefore, state) ? now : undefined;
  }

  #listThatCovers(kind: Kind, uid: string): ListSnapshot["states"] | undefined {
    const parent = parentOf(uid);
    if (this.client.hasWritten || parent === undefined || kind.calls.list === "unreliable") return undefined;
    const organization = organizationOf(uid);
    const reads = this.#readsOf(kind, organization);
    reads.asked++;
    reads.whole = commonPlace([reads.whole ?? parent, parent]);
    reads.snapshots = reads.snapshots.filter(({ at }) => this.client.clock.now() - at < longestAgeMs);
    const known = reads.snapshots.find(({ place }) => isBelow(uid, place));
    if (known !== undefined) return known.states;
    reads.single.push(uid);
    if (reads.asked <= singleReads) return undefined;
    const narrow = reads.single.length > singleReads ? [commonPlace(reads.single.map((each) => parentOf(each) ?? each))] : [];
    const most = reads.asked * rowsPerRead;
    // Try the widest place first, because a short enough List there answers all later reads.
    const place = [organization, reads.whole, ...narrow].find((candidate) => (reads.tooLong.get(candidate) ?? 0) <= most);
    if (place === undefined) return undefined;
    const { states } = this.#list(kind, place, reads, most);
    for (const other of this.kinds.filter(({ calls }) => calls.lookAhead))
      this.#lookAhead(other, place, this.#readsOf(other, organization));
    return states;
  }

  /** Requests a List that reads of another kind will probably need. */
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

  #list(kind: Kind, place: string, reads: Reads, most: number): ListSnapshot {
    const snapshot: ListSnapshot = { place, at: this.client.clock.now(), states: Promise.resolve(undefined) };
    snapshot.states = forOthersToo(() => this.#statesIn(kind, snapshot, reads, most));
    // Perhaps nothing ever waits for it.
    snapshot.states.catch(() => undefined);
    reads.snapshots.push(snapshot);
    return snapshot;
  }

  async #statesIn(kind: Kind, snapshot: ListSnapshot, reads: Reads, most: number): Promise<Map<string, Inputs> | undefined> {
    const { place } = snapshot;
    const signal = this.client.clock.deadline(this.client.timing.attemptMs);
    const list = this.client.listUpTo(kind.collection, { descendantsOf: place }, most, { signal });
    // Single reads take over. They report why a List failed, and do not wait for a slow one.
    const { rows, total } = await list.catch(platformErrorAs(() => ({ rows: undefined, total: Infinity })));
    if (rows !== undefined) {
      reads.single = [];
      return new Map(rows.map((row) => [row.uid, stateOf(kind, kind.observe(row))]));
    }
    reads.tooLong.set(place, total);
    reads.snapshots = reads.snapshots.filter((other) => other !== snapshot);
    return undefined;
  }
}

/** The nearest common ancestor of `places`, all of one organisation. */
function commonPlace(places: readonly string[]): string {
  const [first = [], ...others] = places.map((place) => place.split("/"));
  const length = first.findIndex((segment, index) => others.some((other) => other[index] !== segment));
  return (length < 0 ? first : first.slice(0, length)).join("/");
}
