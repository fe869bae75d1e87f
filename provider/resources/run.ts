import type { PlatformClient } from "../client/client";
import type { WireObject } from "../client/collection";
import type { Kind } from "../kinds/kind";
import type { BatchedCreates } from "./creating/batches";
import type { PendingCreates } from "./creating/pending-creates";
import type { Claims } from "./claims";
import { Declarations } from "./declarations";
import type { Deletion } from "./deletion";
import type { DeletionProof } from "./deletion-proof";
import type { SharedReads } from "./list-cache";
import { ObjectMap, ObjectSet } from "./object-map";
import type { SelfLockout } from "./self-lockout";
import { SharedCalls } from "./shared-calls";
import type { Visibility } from "./visibility";

/** What a run is given. */
export interface RunOptions {
  readonly client: PlatformClient;
  /** `adopt` of resources that leave it out. */
  readonly adoptByDefault: boolean;
  /** Uid of the root group, where it is configured. */
  readonly organization: string | undefined;
  readonly visibility: Visibility;
  readonly proof: DeletionProof;
  readonly selfLockout: SelfLockout;
  /** Reads that Lists may answer. */
  readonly reads: SharedReads;
  readonly creates: BatchedCreates;
  readonly pendingCreates: PendingCreates;
  readonly claims: Claims;
  /** Shows a message that is not an error to the user. */
  readonly notify: (message: string) => void;
}

/** What one run of the engine remembers. A host process serves exactly one run, which may have several such processes. Keys are natural keys, see `keyOf`. */
export class Run {
  readonly client: PlatformClient;
  readonly organization: string | undefined;
  readonly visibility: Visibility;
  readonly proof: DeletionProof;
  readonly selfLockout: SelfLockout;
  readonly reads: SharedReads;
  readonly creates: BatchedCreates;
  readonly pendingCreates: PendingCreates;
  readonly notify: (message: string) => void;
  /** The natural keys that the program declares. */
  readonly declarations = new Declarations();
  /** Objects that this run created, without those that it adopted or found. */
  readonly created = new ObjectSet();
  /** Deletions of this run that are under way. */
  readonly deletions = new ObjectMap<Deletion>();
  /** Checks of parents, by uid. */
  readonly parents = new SharedCalls<void>();
  /** Uids by natural key, of the objects of one kind under one parent. */
  readonly children = new SharedCalls<ReadonlyMap<string, readonly string[]>>();
  readonly #adoptByDefault: boolean;
  readonly #creating = new Set<string>();
  readonly #claims: Claims;
  readonly #seenByList = new Set<string>();

  constructor(options: RunOptions) {
    this.client = options.client;
    this.organization = options.organization;
    this.visibility = options.visibility;
    this.proof = options.proof;
    this.selfLockout = options.selfLockout;
    this.reads = options.reads;
    this.creates = options.creates;
    this.pendingCreates = options.pendingCreates;
    this.#claims = options.claims;
    this.notify = options.notify;
    this.#adoptByDefault = options.adoptByDefault;
  }

  /** True when the resource that declares `key` may take over the object that holds it. */
  adopts(key: string): boolean {
    return this.declarations.adopt(key) ?? this.#adoptByDefault;
  }

  /** Notes that a resource creates `key`. False when another one did before: the program declares it twice. */
  startCreate(key: string): boolean {
    if (this.#creating.has(key)) return false;
    this.#creating.add(key);
    return true;
  }

  /**
   * Notes that the object is the one that the program declares under `key`, if a check has seen that key.
   *
   * @throws PlatformError `CONFIGURATION` when it was taken over, and another process, which may delete it, cannot know
   */
  claim({ collection }: Kind, uid: string, key: string | undefined): void {
    if (key === undefined || !this.declarations.has(key)) return;
    this.#claims.add(collection, uid, this.#creating.has(key) && !this.created.has(collection, uid));
  }

  /** Notes that the state has the object `uid` for the resource that declares `key`. @param isChanged whether it differs from the program */
  seenInState(uid: string, key: string | undefined, isChanged: boolean): void {
    if (key === undefined) return;
    this.pendingCreates.isInState(key, uid);
    if (!isChanged) this.declarations.foundUnchanged(key, uid);
  }

  /** True when a resource that the program declares holds the object. */
  holds({ collection }: Kind, uid: string): boolean {
    return this.#claims.has(collection, uid);
  }

  /** Lists objects of `kind`, noting whether any was seen. */
  async list<Wire extends WireObject>(kind: Kind<Wire>, query: object, signal?: AbortSignal): Promise<Wire[]> {
    const rows = await this.client.list(kind.collection, query, signal ? { signal } : {});
    if (rows.length > 0) this.#seenByList.add(kind.collection.segment);
    return rows;
  }

  /** True when the List of `kind` has shown an object to these credentials, so that it is not blind. */
  async listShowsObjects({ collection }: Kind): Promise<boolean> {
    const { segment } = collection;
    if (!this.#seenByList.has(segment) && (await this.client.listOne(collection)) !== undefined) this.#seenByList.add(segment);
    return this.#seenByList.has(segment);
  }
}
