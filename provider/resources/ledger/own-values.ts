import { asShown } from "../../schema/hidden-values";
import type { Kind, Observed } from "../../schema/kind";
import type { Comparison } from "../../schema/operation";
import { type Values, withSortedMembers } from "../../schema/values";
import { digest } from "./journal";
import type { Notes } from "./notes";

/** An update, and the names of the fields that it sends. */
interface Update extends Comparison {
  readonly sent: readonly string[];
}

/** The note of one update: what it sends is not somebody else's change, also while the state lacks it. */
export class UpdateNote {
  readonly #key: string;
  /** What earlier updates have sent, and the state may lack. */
  readonly #earlier: readonly string[];
  /** All that is noted. */
  #noted: readonly string[];
  /** False after a write that failed: the next one is for all of it. */
  #isWritten = true;

  /** Forgets what earlier updates have sent, if the state has any of it: then the engine has saved the last one. */
  constructor(
    private readonly update: Update,
    private readonly notes: Pick<Notes, "valuesOf" | "forget" | "updating" | "answered">,
  ) {
    const { kind, uid, before } = update;
    this.#key = keyOf(kind, uid);
    const earlier = notes.valuesOf(this.#key);
    const saved = earlier.length === 0 ? [] : digestsOf(asShown(kind.fields, before), Object.keys(kind.fields));
    const isSaved = saved.some((value) => earlier.includes(value));
    if (isSaved) notes.forget(this.#key);
    this.#noted = this.#earlier = isSaved ? [] : earlier;
  }

  /** It is about to be sent: the run may be killed before the answer. */
  sending(): void {
    const { kind, wanted, sent } = this.update;
    this.#note(digestsOf(asShown(kind.fields, wanted), sent));
  }

  /** The platform has rejected it: then its values are somebody else's. */
  rejected(): void {
    if (this.#earlier.length === 0) this.notes.forget(this.#key);
    else this.notes.updating(this.#key, this.#earlier);
  }

  /** The platform has stored these values, perhaps in another form than they were sent in. */
  stored({ inputs }: Observed): void {
    const values = digestsOf(inputs, this.update.sent);
    if (!this.#isWritten || !values.every((value) => this.#noted.includes(value))) this.#note(values);
  }

  /** It was answered. What it sent stays noted until the engine has saved its state. */
  answered(observed: Observed): void {
    this.stored(observed);
    this.notes.answered(this.#key);
  }

  #note(values: readonly string[]): void {
    this.#noted = [...new Set([...this.#noted, ...values])];
    this.#isWritten = this.notes.updating(this.#key, this.#noted);
  }
}

/** True if an update of this stack, which its state may lack, has sent the value that the object has in the field `name`. */
export function isOwnValue(kind: Kind, { uid, inputs }: Observed, name: string, notes: Notes): boolean {
  const sent = notes.valuesOf(keyOf(kind, uid));
  return digestsOf(inputs, [name]).some((value) => sent.includes(value));
}

function keyOf({ collection }: Kind, uid: string): string {
  return JSON.stringify(["update", collection.segment, uid]);
}

/** Digests of the named values, in a form that does not depend on the order of members. */
function digestsOf(values: Values, names: readonly string[]): string[] {
  return names.map((name) => digest(JSON.stringify([name, values[name] ?? null], withSortedMembers)));
}
