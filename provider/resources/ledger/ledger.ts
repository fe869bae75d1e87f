import { PlatformError } from "../../client/errors";
import { literal } from "../../client/printable";
import type { Inputs, Kind } from "../../schema/kind";
import { logicalNameIn } from "../../schema/path";
import { AccessConflicts } from "./access-conflicts";
import { bothOf, Declarations, stillBelongs } from "./declarations";
import { DeclaredLogins } from "./declared-logins";
import { DeclaredNames } from "./declared-names";
import type { Deletion } from "./deletions";
import { Facts } from "./facts";
import { Imports } from "./imports";
import { Notes } from "./notes";
import { ObjectMap, ObjectSet } from "./object-map";

/** The start of a {@link Ledger}. */
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

/** The resource of this process that owns an object. */
interface Owner {
  /** Its path; undefined for a `GroupAccess`, and where the host does not tell it. */
  readonly path: string | undefined;
  /** The natural key that it declares. */
  readonly key: string | undefined;
}

/**
 * The owners of one run of the engine: which resource declares which natural key, which owns which object, which objects are being
 * deleted, and what was sent without an answer. Keys are natural keys, see `naturalKeyOf`.
 */
// See docs/decisions/0055-one-owner.md.
export class Ledger {
  /** The natural keys that the program declares. */
  readonly declarations: Declarations;
  /** The logins of identities that the program declares. */
  readonly logins = new DeclaredLogins();
  /** The names that objects get in this run. */
  readonly names: DeclaredNames;
  /** The facts that all processes of the run know. */
  readonly facts: Facts;
  /** The creates that were sent, and may be missing in the state. */
  readonly notes: Notes;
  /** The resources that give access to one group, and contradict each other. */
  readonly access = new AccessConflicts();
  /** Objects that this run created, without adopted or found ones. */
  readonly created = new ObjectSet();
  /** Objects that the state has as resources of their own, as far as this run has read or compared them. */
  readonly inState = new ObjectSet();
  /** Objects that this run has imported by a name. */
  readonly imports = new Imports();
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
  /** The objects that this process has deleted, for the error if it then cannot delete the object around them. */
  readonly deleted: { readonly uid: string; readonly label: string }[] = [];
  /** Role bindings of identities that may be about to be replaced. Their `GroupAccess` gives the new identity the same roles. */
  readonly following = new ObjectSet();
  /** The creates of this process, by key. */
  readonly #creating = new Map<string, Owner>();
  /** Objects that a create of this process made or took over. */
  readonly #taken = new ObjectSet();
  readonly #owners = new ObjectMap<Owner>();

  constructor({ adoptByDefault = false, facts = new Facts(), notes = new Notes() }: LedgerOptions = {}) {
    this.declarations = new Declarations({ adoptByDefault });
    this.facts = facts;
    this.notes = notes;
    this.names = new DeclaredNames(facts);
  }

  /** Begins the create of a resource that declares `key`. @returns the resource whose create began before; undefined if it is the first */
  open({ key, path }: Owner): Pick<Owner, "path"> | undefined {
    if (key === undefined) return undefined;
    const first = this.#creating.get(key);
    if (first === undefined) this.#creating.set(key, { key, path });
    return first;
  }

  /**
   * Records that a resource of the program owns the object. A diff of a resource that no check has seen owns nothing: a refresh also
   * compares resources that have left the program.
   *
   * @param owner.path Default: the resource that declares the key
   * @throws PlatformError `KEY_TAKEN` if another resource of the program owns it, or a member of a `GroupAccess` with another key;
   *   `FAILED_PRECONDITION` if another one is deleting it; `CONFIGURATION` if it was adopted, and the process that may delete it cannot be told
   */
  claim(kind: OfKind, uid: string, { key, path = this.declarations.pathOf(key) }: Partial<Owner>): void {
    const { collection } = kind;
    const isDeclared = path === undefined ? key !== undefined && this.declarations.has(key) : this.declarations.isChecked(path);
    if (!isDeclared) return;
    const known = this.#owners.get(collection, uid);
    this.#rejectOther(kind, uid, { key, path });
    const isTaken = key !== undefined && this.#creating.has(key);
    if (isTaken) this.#taken.add(collection, uid);
    const isAdopted = isTaken && !this.created.has(collection, uid);
    if (isAdopted) this.facts.mustTell(["has", collection.segment, uid]);
    else this.facts.tell(["has", collection.segment, uid]);
    this.#owners.set(collection, uid, path === undefined ? (known ?? { path, key }) : { path, key });
    if (this.facts.isKnown(["leaves", collection.segment, uid])) throw beingRemoved(kind, uid);
  }

  /** @throws PlatformError `KEY_TAKEN` if a resource at another path owns the object, or a member of a `GroupAccess` with another key */
  #rejectOther(kind: OfKind, uid: string, { key, path }: Partial<Owner>): void {
    const known = this.#owners.get(kind.collection, uid);
    if (known === undefined || known.path === path) return;
    if (known.path === undefined || path === undefined) {
      // A RoleBinding that changes in place would take the role from the member, whose state has its uid.
      if (known.key !== undefined && key !== undefined && known.key !== key) throw ofMember(kind, uid, known.path ?? path ?? "");
      return;
    }
    const isGivenUp = this.#taken.has(kind.collection, uid) && this.declarations.givenUpBy(known.key, known.path) === path;
    throw isGivenUp ? takenTooEarly(kind, uid, known.path, path) : ownedTwice(kind, uid, known.path, path);
  }

  /**
   * Keeps an object with a resource that could not give it up, because its update failed.
   *
   * @returns false if another resource has taken it over
   */
  retain({ collection }: OfKind, uid: string): boolean {
    const fact = ["has", collection.segment, uid] as const;
    if (this.facts.isKnown(fact)) return false;
    this.facts.tell(fact);
    return true;
  }

  /** Withdraws the claim of a diff. An object that a create has made or taken over stays claimed. */
  release({ collection }: OfKind, uid: string): void {
    if (this.#taken.has(collection, uid)) return;
    this.facts.withdraw(["has", collection.segment, uid]);
    this.#owners.delete(collection, uid);
  }

  /**
   * Begins the deletion of an object by the resource at `path`. From then on no other resource may claim it.
   *
   * @param path undefined where the host does not tell it
   * @returns false if another resource of the program owns the object, in this process or another one of the run: it must stay
   * @throws PlatformError `FAILED_PRECONDITION` if another process claims it at the same time; `CONFIGURATION` if the claims of other
   *   processes cannot be read
   */
  leave(kind: OfKind, uid: string, path?: string): boolean {
    // The diff of a resource that the engine replaces on its own account has claimed its object.
    if (path !== undefined && this.#owners.get(kind.collection, uid)?.path === path) this.release(kind, uid);
    if (this.has(kind, uid)) return false;
    this.facts.tell(["leaves", kind.collection.segment, uid]);
    // If each left the object to the other, no state would own it.
    if (this.has(kind, uid)) throw beingTakenOver(kind, uid);
    return true;
  }

  /** Ends the deletion of an object whose uid a new one gets: an account association has that of its group. */
  left({ collection }: OfKind, uid: string): void {
    this.facts.withdraw(["leaves", collection.segment, uid]);
  }

  /**
   * True if a resource of the program owns the object, in this process or another one of the run.
   *
   * @throws PlatformError `CONFIGURATION` if the claims of other processes cannot be read
   */
  has({ collection }: OfKind, uid: string): boolean {
    return this.facts.mustKnow(["has", collection.segment, uid]);
  }

  /** The natural key that the owner of the object in this process declares; undefined without an owner. */
  keyOf({ collection }: OfKind, uid: string): string | undefined {
    return this.#owners.get(collection, uid)?.key;
  }
}

function ownedTwice({ collection: { noun } }: OfKind, uid: string, one: string, other: string): PlatformError {
  const why = `${bothOf(one, other, "own")} ${noun} ${uid}. Nothing was sent.`;
  return new PlatformError(
    "KEY_TAKEN",
    `${why}\nRemove one of the two from the program. The object stays, because the other one owns it.`,
  );
}

function takenTooEarly({ collection: { noun } }: OfKind, uid: string, taker: string, holder: string): PlatformError {
  const what = `${noun} ${uid}, which ${literal(logicalNameIn(taker))} has taken over`;
  return new PlatformError("KEY_TAKEN", `${what}, ${stillBelongs(holder)}\nNothing was sent.`);
}

function ofMember({ collection: { noun } }: OfKind, uid: string, path: string): PlatformError {
  const name = literal(logicalNameIn(path));
  const why = `a GroupAccess of this program lists what ${noun} ${uid} gives, and ${name} changes it to give something else.`;
  return new PlatformError(
    "KEY_TAKEN",
    `${why} Nothing was sent.\nGive ${name} another logical name, so that it gets a ${noun} of its own. The GroupAccess keeps this one.`,
  );
}

function beingRemoved({ collection: { noun } }: OfKind, uid: string): PlatformError {
  const why = `another resource of this program is removing ${noun} ${uid}, which this one declares`;
  return new PlatformError("FAILED_PRECONDITION", `${why}. Run \`pulumi up --refresh\`, which adds it.`);
}

function beingTakenOver({ collection: { noun } }: OfKind, uid: string): PlatformError {
  const why = `delete ${noun} ${uid}: another resource of this program is taking it over`;
  return new PlatformError("FAILED_PRECONDITION", `${why}. Nothing was sent. It stays in state. Run again.`);
}
