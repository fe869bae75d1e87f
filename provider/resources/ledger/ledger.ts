import type { Inputs, Kind } from "../../schema/kind";
import { AccessAuthority } from "./access-authority";
import { Companions } from "./companions";
import { Declarations } from "./declarations";
import { DeclaredLogins } from "./declared-logins";
import { DeclaredNames } from "./declared-names";
import type { Deletion } from "./deletions";
import { Facts } from "./facts";
import { Notes } from "./notes";
import { ObjectMap, ObjectSet } from "./object-map";

/** What a {@link Ledger} begins with. */
export interface LedgerOptions {
  /** Default of `adopt`. Default: false. */
  readonly adoptByDefault?: boolean;
  /** Default: those of this process alone. */
  readonly facts?: Facts;
  /** Default: nothing is noted. */
  readonly notes?: Notes;
}

/** An object, or its kind. */
type OfKind = Pick<Kind, "collection">;

/**
 * Who owns what in one run of the engine: which resource declares which natural key and has which object, what is leaving, and what was
 * sent without an answer. Keys are natural keys, see `naturalKeyOf`.
 */
export class Ledger {
  /** The natural keys that the program declares. */
  readonly declarations: Declarations;
  /** The logins of identities that the program declares. */
  readonly logins = new DeclaredLogins();
  /** The names that objects get in this run. */
  readonly names: DeclaredNames;
  /** What all processes of the run know. */
  readonly facts: Facts;
  /** What was sent, and the state may lack. */
  readonly notes: Notes;
  /** Who decides about the access to which group. */
  readonly access: AccessAuthority;
  readonly companions: Companions;
  /** Objects that this run created, not those that it adopted or found. */
  readonly created = new ObjectSet();
  /** Objects that the state has as resources of their own, as far as this run has read or compared them. */
  readonly inState = new ObjectSet();
  /** Objects that their state protects against deletion, as far as this run has seen their state. */
  readonly protected = new ObjectSet();
  /** Objects that the platform keeps in their groups when their resources are deleted, as far as this run has seen their state. */
  readonly kept: { readonly kind: Kind; readonly uid: string }[] = [];
  /** Objects that resources of this process name by path as their parent, and one of these resources. */
  readonly parentsByPath = new ObjectMap<string>();
  /** The inputs that the state has of each `GroupAccess`, by its key, as checks of this run have seen them. */
  readonly accessInState = new Map<string, Inputs>();
  /** Deletions of this run in progress. */
  readonly deletions = new ObjectMap<Deletion>();
  /** What this process has deleted, for the error if it then cannot delete the object around it. */
  readonly deleted: { readonly uid: string; readonly label: string }[] = [];
  /** The keys of creates, with the logical name of the resource if it is known. */
  readonly #creating = new Map<string, string | undefined>();
  /** Objects that a create of this process made or took over. */
  readonly #taken = new ObjectSet();
  /** The declared natural key of each object that a resource of this process has. */
  readonly #keys = new ObjectMap<string>();

  constructor({ adoptByDefault = false, facts = new Facts(), notes = new Notes() }: LedgerOptions = {}) {
    this.declarations = new Declarations({ adoptByDefault });
    this.facts = facts;
    this.notes = notes;
    this.names = new DeclaredNames(facts);
    this.access = new AccessAuthority(facts);
    this.companions = new Companions(facts);
  }

  /** Begins the create of a resource that declares `key`. False if another one began before: the program declares it twice. */
  open(key: string, logicalName?: string): boolean {
    if (this.#creating.has(key)) return false;
    this.#creating.set(key, logicalName);
    return true;
  }

  /** Logical name of the resource that {@link open} has let create `key`; undefined if it is not known. */
  openedBy(key: string): string | undefined {
    return this.#creating.get(key);
  }

  /**
   * Records that a resource of the program has the object, if a check has seen its key.
   *
   * @throws PlatformError `CONFIGURATION` if it was adopted, and the process that may delete it cannot be told
   */
  claim({ collection }: OfKind, uid: string, key: string | undefined): void {
    if (key === undefined || !this.declarations.has(key)) return;
    const isTaken = this.#creating.has(key);
    if (isTaken) this.#taken.add(collection, uid);
    const fact = ["has", collection.segment, uid] as const;
    if (isTaken && !this.created.has(collection, uid)) this.facts.mustTell(fact);
    else this.facts.tell(fact);
    this.#keys.set(collection, uid, key);
  }

  /** Withdraws the claim of a diff: the engine replaces the object. What a create has made or taken over stays claimed. */
  release({ collection }: OfKind, uid: string): void {
    if (this.#taken.has(collection, uid)) return;
    this.facts.withdraw(["has", collection.segment, uid]);
    this.#keys.delete(collection, uid);
  }

  /**
   * True if a resource of the program has the object, in this process or another one of the run.
   *
   * @throws PlatformError `CONFIGURATION` if what other processes have cannot be read
   */
  has({ collection }: OfKind, uid: string): boolean {
    return this.facts.mustKnow(["has", collection.segment, uid]);
  }

  /** The natural key that is declared by the resource of this process that has the object; undefined if none has it. */
  keyOf({ collection }: OfKind, uid: string): string | undefined {
    return this.#keys.get(collection, uid);
  }
}
