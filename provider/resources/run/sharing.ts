import type { PlatformClient } from "../../client/client";
import { SingleFlight } from "../../client/single-flight";
import { kinds } from "../../kinds/kinds";
import type { LeftBehind } from "../ledger/notes";
import { BatchedCreates } from "../sharing/batched-creates";
import { FreshRows } from "../sharing/fresh-rows";
import { SharedReads } from "../sharing/shared-reads";

/** The requests that the calls of one run share. */
export class Sharing {
  /** Reads that Lists may answer. */
  readonly reads: SharedReads;
  /** Objects right before they are changed. */
  readonly rows: FreshRows;
  readonly creates: BatchedCreates;
  /** Checks of parents, by uid. */
  readonly parents = new SingleFlight<void>();
  /** Uids of the objects of one kind under one parent, by natural key. */
  readonly children = new SingleFlight<ReadonlyMap<string, readonly string[]>>();
  /** Objects that interrupted creates of this program made and its state lacks. */
  readonly leftBehind = new SingleFlight<readonly LeftBehind[]>();

  constructor(client: PlatformClient) {
    this.reads = new SharedReads(client, Object.values(kinds));
    this.rows = new FreshRows(client);
    this.creates = new BatchedCreates(client);
  }
}
