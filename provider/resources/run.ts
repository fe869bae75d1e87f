import type { PlatformClient } from "../client/client";
import type { WireObject } from "../client/collection";
import { BatchedCreates } from "./creating/batches";
import type { Kind } from "../kinds/kind";
import { kinds } from "../kinds/kinds";
import type { Deletion } from "./delete";
import { DeletionProof } from "./deletion-proof";
import { SharedReads } from "./list-cache";
import { ObjectMap, ObjectSet } from "./object-map";
import { SelfLockout } from "./self-lockout";
import { Visibility } from "./visibility";
import { UnansweredCreates } from "./creating/pending-creates";

/**
 * What one run of the engine remembers: a host process serves exactly one run. Keys are
 * natural keys as `keyOf` gives them.
 */
export class Run {
  /** Natural keys that a check of this run has seen, with what `adopt` said there. */
  readonly declared = new Map<string, boolean | undefined>();
  /** Natural keys that a create of this run took on. */
  readonly creating = new Set<string>();
  /** Objects created by this run, without those that it adopted. */
  readonly created = new ObjectSet();
  /** Deletions of this run that are under way. */
  readonly deletions = new ObjectMap<Deletion>();
  readonly visibility: Visibility;
  readonly proof: DeletionProof;
  readonly selfLockout: SelfLockout;
  /** Reads that Lists may answer. */
  readonly reads: SharedReads;
  readonly creates: BatchedCreates;
  readonly #claims = new ObjectSet();
  readonly #once = new Map<string, Promise<unknown>>();
  readonly #seenByList = new Set<string>();

  constructor(
    readonly client: PlatformClient,
    /** `adopt` of resources that do not say. */
    readonly adoptByDefault: boolean,
    readonly unanswered = new UnansweredCreates(),
    /** True where the run may end its own access. */
    allowSelfLockout = false,
    /** Uid of the root group, where it is configured. */
    readonly organization?: string,
  ) {
    this.visibility = new Visibility(client);
    this.proof = new DeletionProof(client, this.visibility);
    this.selfLockout = new SelfLockout(client, allowSelfLockout);
    this.reads = new SharedReads(client, Object.values(kinds));
    this.creates = new BatchedCreates(client);
  }

  /** Notes that the object `uid` is what the program declares under `key`, if a check has seen that key. */
  claim({ collection }: Kind, uid: string, key: string | undefined): void {
    if (key !== undefined && this.declared.has(key)) this.#claims.add(collection, uid);
  }

  /** True when a resource that the program declares holds the object `uid`. */
  holds({ collection }: Kind, uid: string): boolean {
    return this.#claims.has(collection, uid);
  }

  /** The result of `ask`, asked once for each `question` and shared; a failure is not kept. */
  once<Answer>(question: string, ask: () => Promise<Answer>): Promise<Answer> {
    const known = this.#once.get(question) as Promise<Answer> | undefined;
    if (known !== undefined) return known;
    const asked = ask();
    this.#once.set(question, asked);
    asked.catch(() => this.#once.delete(question));
    return asked;
  }

  /** Lists objects of `kind`, noting whether any was seen. */
  async list<Wire extends WireObject>(kind: Kind<Wire>, query: object): Promise<Wire[]> {
    const rows = await this.client.list(kind.collection, query);
    if (rows.length > 0) this.#seenByList.add(kind.collection.segment);
    return rows;
  }

  /** True when the List of `kind` has shown an object to these credentials, so that it is not blind. */
  async listShowsObjects(kind: Kind): Promise<boolean> {
    const { segment } = kind.collection;
    if (!this.#seenByList.has(segment) && (await this.client.listOne(kind.collection)) !== undefined)
      this.#seenByList.add(segment);
    return this.#seenByList.has(segment);
  }
}
