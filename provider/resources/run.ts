import type { PlatformClient } from "../client/client";
import type { Kind } from "../kinds/kind";
import type { BatchedCreates } from "./creating/batched-creates";
import type { PendingCreates } from "./creating/pending-creates";
import type { Claims } from "./claims";
import { Declarations } from "./declarations";
import type { Deletion } from "./deletion";
import type { DeletionProof } from "./deletion-proof";
import type { SharedReads } from "./shared-reads";
import { ObjectMap, ObjectSet } from "./object-map";
import type { SelfLockout } from "./self-lockout";
import { SharedCalls } from "./shared-calls";
import type { Visibility } from "./visibility";

/** The settings and services of a run. */
export interface RunOptions extends Pick<
  Run,
  "client" | "organization" | "visibility" | "proof" | "selfLockout" | "reads" | "creates" | "pendingCreates" | "notify"
> {
  /** Default of `adopt`. */
  readonly adoptByDefault: boolean;
  readonly claims: Claims;
}

/** The memory of one run of the engine in one host process; a run has one process for each provider. Keys are natural keys, see `keyOf`. */
export class Run {
  readonly client: PlatformClient;
  /** Uid of the root group, if configured. */
  readonly organization: string | undefined;
  readonly visibility: Visibility;
  readonly proof: DeletionProof;
  readonly selfLockout: SelfLockout;
  /** Reads that Lists may answer. */
  readonly reads: SharedReads;
  readonly creates: BatchedCreates;
  readonly pendingCreates: PendingCreates;
  /** Shows an informational message to the user. */
  readonly notify: (message: string) => void;
  /** The natural keys that the program declares. */
  readonly declarations = new Declarations();
  /** Objects that this run created, not those that it adopted or found. */
  readonly created = new ObjectSet();
  /** Deletions of this run in progress. */
  readonly deletions = new ObjectMap<Deletion>();
  /** Checks of parents, by uid. */
  readonly parents = new SharedCalls<void>();
  /** Uids of the objects of one kind under one parent, by natural key. */
  readonly children = new SharedCalls<ReadonlyMap<string, readonly string[]>>();
  /** Objects that their state protects against deletion, as far as this run has seen their state. */
  readonly protectedObjects = new ObjectSet();
  /** Objects whose expiry this run has announced. */
  readonly expiring = new ObjectSet();
  readonly #adoptByDefault: boolean;
  readonly #creating = new Set<string>();
  readonly #claims: Claims;
  /** The declared natural key of each object that a resource of this process has. */
  readonly #claimedKeys = new ObjectMap<string>();

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

  /** True if the resource that declares `key` may adopt the object that has it. */
  adopts(key: string): boolean {
    return this.declarations.adopt(key) ?? this.#adoptByDefault;
  }

  /** Records that a resource creates `key`. Returns false if another one did before: the program declares it twice. */
  startCreate(key: string): boolean {
    if (this.#creating.has(key)) return false;
    this.#creating.add(key);
    return true;
  }

  /**
   * Records that the program declares the object under `key`, if a check has seen that key.
   *
   * @throws PlatformError `CONFIGURATION` if it was adopted and that cannot be shared with the process that may delete it
   */
  claim({ collection }: Kind, uid: string, key: string | undefined): void {
    if (key === undefined || !this.declarations.has(key)) return;
    this.#claims.add(collection, uid, this.#creating.has(key) && !this.created.has(collection, uid));
    this.#claimedKeys.set(collection, uid, key);
  }

  /** Records that the state has the object `uid` for the resource that declares `key`. @param isChanged whether it differs from the program */
  seenInState(uid: string, key: string | undefined, isChanged: boolean): void {
    if (key === undefined) return;
    this.pendingCreates.isInState(key, uid);
    if (!isChanged) this.declarations.foundUnchanged(key, uid);
  }

  /**
   * True if a declared resource has the object, in this process or another one of the run.
   *
   * @throws PlatformError `CONFIGURATION` if the claims of other processes cannot be read
   */
  holds({ collection }: Kind, uid: string): boolean {
    return this.#claims.has(collection, uid);
  }

  /** The natural key declared by the resource of this process that has the object; undefined if none has it. */
  keyHeld({ collection }: Kind, uid: string): string | undefined {
    return this.#claimedKeys.get(collection, uid);
  }
}
