import type { PlatformClient } from "../../client/client";
import { SingleFlight } from "../../client/single-flight";
import type { Inputs, Kind } from "../../schema/kind";
import { Authority } from "../ledger/authority";
import type { BatchedCreates } from "../sharing/batched-creates";
import type { PendingCreates } from "../ledger/pending-creates";
import type { Claims, Fact, Marks } from "../ledger/claims";
import type { Companion } from "../ledger/companions";
import { Declarations } from "../ledger/declarations";
import type { Deletion } from "../ledger/deletions";
import type { DeletionProof } from "../proof/deletion-proof";
import { DeclaredLogins } from "../ledger/declared-logins";
import type { Names } from "../sharing/names";
import type { FreshRows } from "../sharing/fresh-rows";
import type { SharedReads } from "../sharing/shared-reads";
import { ObjectMap, ObjectSet } from "../ledger/object-map";
import type { LockoutPreview } from "../guards/lockout-preview";
import type { SelfLockout } from "../guards/self-lockout";

/** The settings and services of a run. */
export interface RunOptions extends Pick<
  Run,
  | "client"
  | "organization"
  | "proof"
  | "selfLockout"
  | "lockoutPreview"
  | "reads"
  | "rows"
  | "overwrites"
  | "names"
  | "creates"
  | "pendingCreates"
  | "notify"
> {
  /** Default of `adopt`. */
  readonly adoptByDefault: boolean;
  readonly claims: Claims;
}

/** The memory of one run of the engine in one host process; a run has one process for each provider. Keys are natural keys, see `naturalKeyOf`. */
export class Run implements Marks {
  readonly client: PlatformClient;
  /** Uid of the root group, if configured. */
  readonly organization: string | undefined;
  readonly proof: DeletionProof;
  readonly selfLockout: SelfLockout;
  /** What previews tell of the changes that it would reject. */
  readonly lockoutPreview: LockoutPreview;
  /** Reads that Lists may answer. */
  readonly reads: SharedReads;
  /** Objects right before they are changed. */
  readonly rows: FreshRows;
  /** Whether updates overwrite what somebody else has changed. */
  readonly overwrites: boolean;
  /** When it began, by the clock of its client: what earlier runs of this stack wrote is older. */
  readonly startedAt: number;
  /** What names in programs mean. */
  readonly names: Names;
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
  /** Objects that the state has as resources of their own, as far as this run has read or compared them. */
  readonly inState = new ObjectSet();
  /** The inputs that the state has of each `GroupAccess`, by its key, as checks of this run have seen them. */
  readonly accessInState = new Map<string, Inputs>();
  /** The other resources that give access, of any provider, that the program declares beside a `GroupAccess`, by its key. */
  readonly companions = new Map<string, readonly Companion[]>();
  /** Who decides about the access of which group. */
  readonly authority = new Authority();
  /** Checks of parents, by uid. */
  readonly parents = new SingleFlight<void>();
  /** Uids of the objects of one kind under one parent, by natural key. */
  readonly children = new SingleFlight<ReadonlyMap<string, readonly string[]>>();
  /** Objects that their state protects against deletion, as far as this run has seen their state. */
  readonly protectedObjects = new ObjectSet();
  /** Objects that resources of this process name by path as their parent, and one of these resources. */
  readonly parentsByPath = new ObjectMap<string>();
  readonly declaredLogins = new DeclaredLogins();
  /** True once a check has shown that the engine compares the program with the state: neither a `destroy` nor a mere `refresh`. */
  isProgramRun = false;
  /** What this process has deleted, for the error of what it cannot delete then. */
  readonly deleted: { readonly uid: string; readonly label: string }[] = [];
  /** True once a check has shown that this run is an update, not a preview. False proves nothing. */
  isUpdate = false;
  readonly #adoptByDefault: boolean;
  readonly #creating = new Set<string>();
  readonly #claims: Claims;
  /** Objects that a create of this process made or took over. */
  readonly #taken = new ObjectSet();
  /** The declared natural key of each object that a resource of this process has. */
  readonly #claimedKeys = new ObjectMap<string>();
  readonly #notified = new Set<string>();

  constructor(options: RunOptions) {
    this.client = options.client;
    this.organization = options.organization;
    this.proof = options.proof;
    this.selfLockout = options.selfLockout;
    this.lockoutPreview = options.lockoutPreview;
    this.reads = options.reads;
    this.rows = options.rows;
    this.overwrites = options.overwrites;
    this.startedAt = options.client.clock.now();
    this.names = options.names;
    this.creates = options.creates;
    this.pendingCreates = options.pendingCreates;
    this.#claims = options.claims;
    this.notify = options.notify;
    this.#adoptByDefault = options.adoptByDefault;
  }

  /** Shows an informational message to the user, unless this run has shown it before. */
  notifyOnce(message: string): void {
    if (this.#notified.has(message)) return;
    this.#notified.add(message);
    this.notify(message);
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
    const isTaken = this.#creating.has(key);
    if (isTaken) this.#taken.add(collection, uid);
    this.#claims.add(collection, uid, { mustShare: isTaken && !this.created.has(collection, uid) });
    this.#claimedKeys.set(collection, uid, key);
  }

  /** Withdraws the claim of a diff: the engine replaces the object. What a create has made or taken over stays claimed. */
  release({ collection }: Kind, uid: string): void {
    if (this.#taken.has(collection, uid)) return;
    this.#claims.withdraw(collection, uid);
    this.#claimedKeys.delete(collection, uid);
  }

  /**
   * True if a declared resource has the object, in this process or another one of the run.
   *
   * @throws PlatformError `CONFIGURATION` if the claims of other processes cannot be read
   */
  holds({ collection }: Pick<Kind, "collection">, uid: string): boolean {
    return this.#claims.has(collection, uid);
  }

  mark(...fact: Fact): void {
    this.#claims.mark(...fact);
  }

  isMarked(...fact: Fact): boolean {
    return this.#claims.isMarked(...fact);
  }

  /** The natural key declared by the resource of this process that has the object; undefined if none has it. */
  keyHeld({ collection }: Kind, uid: string): string | undefined {
    return this.#claimedKeys.get(collection, uid);
  }
}
