import { setTimeout as sleep } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import type { PlatformClient } from "../client/client";
import type { WireObject } from "../client/collection";
import { maxPageSize } from "../client/list-page";
import { isBelow, organizationOf, parentOf } from "../client/uid";
import { type Inputs, type Kind, stateOf } from "./kind";

/** Reads of one kind that are made singly before a List is considered. */
const singleReads = 3;

/** Pages that a List may cost for each single read made before it, so that it never costs much more than was spent already. */
const pagesPerRead = 2;

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
  /** Uids that no List covers. */
  single: string[];
  /** Single reads after which the next List is considered. */
  enough: number;
  snapshots: Snapshot[];
}

/**
 * The reads of one run, answered by Lists where enough objects lie close together. A List can only confirm that an object is exactly as
 * state has it; what differs, or is not in the List, is read by itself. No List is older than the run, and none counts once this
 * process has written.
 */
export class SharedReads {
  readonly #reads = new Map<string, Reads>();

  constructor(private readonly client: Pick<PlatformClient, "listUpTo" | "hasWritten" | "timing">) {}

  /** True when a List shows the object `uid` exactly as `state` has it; false tells nothing. */
  async confirm<Wire extends WireObject>(kind: Kind<Wire>, uid: string, state: Inputs): Promise<boolean> {
    const states = await this.#listThatCovers(kind, uid);
    const shown = states?.get(uid);
    return shown !== undefined && !this.client.hasWritten && isDeepStrictEqual(shown, state);
  }

  #listThatCovers<Wire extends WireObject>(kind: Kind<Wire>, uid: string): Snapshot["states"] | undefined {
    if (this.client.hasWritten || parentOf(uid) === undefined) return undefined;
    const question = `${kind.collection.segment} in ${organizationOf(uid)}`;
    const reads = this.#reads.get(question) ?? { single: [], enough: singleReads, snapshots: [] };
    this.#reads.set(question, reads);
    reads.snapshots = reads.snapshots.filter(({ at }) => performance.now() - at < longestAgeMs);
    const known = reads.snapshots.find(({ place }) => isBelow(uid, place));
    if (known !== undefined) return known.states;
    reads.single.push(uid);
    if (reads.single.length <= reads.enough) return undefined;
    const snapshot: Snapshot = { place: commonPlace(reads.single), at: performance.now(), states: Promise.resolve(undefined) };
    snapshot.states = this.#list(kind, snapshot, reads);
    reads.snapshots.push(snapshot);
    return snapshot.states;
  }

  async #list<Wire extends WireObject>(
    kind: Kind<Wire>,
    snapshot: Snapshot,
    reads: Reads,
  ): Promise<Map<string, Inputs> | undefined> {
    const most = reads.single.length * pagesPerRead * maxPageSize;
    // Why a List failed is for the reads to tell that are made instead, and they do not wait for one that is slow.
    const rows = await Promise.race([
      this.client.listUpTo(kind.collection, { descendantsOf: snapshot.place }, most).catch(() => Infinity),
      sleep(this.client.timing.attemptMs, Infinity, { ref: false }),
    ]);
    if (typeof rows !== "number") {
      reads.single = [];
      return new Map(rows.map((row) => [row.uid, stateOf(kind, row)]));
    }
    reads.enough = rows / maxPageSize / pagesPerRead;
    reads.snapshots = reads.snapshots.filter((other) => other !== snapshot);
    return undefined;
  }
}

/** The uid that all of `uids`, of one organisation and none at its root, lie below. */
function commonPlace(uids: readonly string[]): string {
  const [first = [], ...others] = uids.map((uid) => uid.split("/").slice(0, -1));
  const length = first.findIndex((segment, index) => others.some((other) => other[index] !== segment));
  return (length < 0 ? first : first.slice(0, length)).join("/");
}
