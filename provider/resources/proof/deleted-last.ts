import type { PlatformClient } from "../../client/client";
import type { WireObject } from "../../client/collection";
import { orOnFailure } from "../../client/errors";
import { maxPageSize } from "../../client/list-page";
import { SingleFlight } from "../../client/single-flight";
import { organizationOf } from "../../client/uid";
import type { Kind } from "../../schema/kind";

/** What the List of one kind showed in one organisation while this run deletes objects of that kind. */
interface Shown {
  /** Every object that it has shown. */
  readonly ever: Set<string>;
  /** Its last complete answer; undefined if it is longer than a page, or failed. */
  last: readonly string[] | undefined;
  /** Objects that this run deletes or has deleted. */
  readonly leaving: Set<string>;
  /** True if the List before the first DELETE was one page. */
  readonly wasWhole: boolean;
}

/**
 * Recognises the last objects of a kind. After their deletion no other object is left to show that the List is not blind, so the
 * List from before the first deletion is the evidence.
 */
export class DeletedLast {
  readonly #shown = new SingleFlight<Shown>();

  constructor(private readonly client: Pick<PlatformClient, "listUpTo">) {}

  /** Call before the DELETE. @returns a function to call if the DELETE failed */
  async before(kind: Kind, uid: string): Promise<() => void> {
    const { leaving } = await this.#of(kind, organizationOf(uid));
    leaving.add(uid);
    return () => leaving.delete(uid);
  }

  /** Whether the List showed the object before the first DELETE; undefined if that was not the whole List, or nothing was deleted. */
  async hasShown(kind: Kind, uid: string): Promise<boolean | undefined> {
    const shown = await this.#shown.known(listKey(kind, organizationOf(uid)));
    if (shown?.ever.has(uid)) return true;
    return shown?.wasWhole ? false : undefined;
  }

  /** Notes a later answer of the List. @param rows undefined if it is longer than a page */
  async saw(kind: Kind, organization: string, rows: readonly WireObject[] | undefined): Promise<void> {
    const shown = await this.#shown.known(listKey(kind, organization));
    if (shown !== undefined) note(shown, rows);
  }

  /**
   * True if the List showed the object, and this run deletes everything else in its last answer too. A binding of the caller in that
   * answer is something else, so a caller whose bindings are visible cannot lose them unnoticed.
   */
  async includes(kind: Kind, uid: string): Promise<boolean> {
    const { ever, last, leaving } = await this.#of(kind, organizationOf(uid));
    return ever.has(uid) && last !== undefined && last.every((other) => leaving.has(other));
  }

  #of(kind: Kind, organization: string): Promise<Shown> {
    return this.#shown.once(listKey(kind, organization), () => this.#look(kind, organization));
  }

  async #look(kind: Kind, organization: string): Promise<Shown> {
    const query = { descendantsOf: organization };
    const listed = await orOnFailure(this.client.listUpTo(kind.collection, query, maxPageSize), undefined);
    const shown: Shown = { ever: new Set(), last: undefined, leaving: new Set(), wasWhole: listed?.rows !== undefined };
    note(shown, listed?.rows);
    return shown;
  }
}

/** The List of a kind in an organisation, as a key. */
export function listKey({ collection }: Kind, organization: string): string {
  return `${collection.segment} ${organization}`;
}

function note(shown: Shown, rows: readonly WireObject[] | undefined): void {
  shown.last = rows?.map(({ uid }) => uid);
  for (const uid of shown.last ?? []) shown.ever.add(uid);
}
