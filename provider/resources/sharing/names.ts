import type { PlatformClient } from "../../client/client";
import type { Collection, WireObject } from "../../client/collection";
import { forOthersToo, untilInterrupted } from "../../client/interruption";
import type { Scope } from "../../client/list";
import { SharedCalls } from "./shared-calls";

/** Rows with a name, and those among them that match. */
export interface Matches<Row> {
  readonly found: Row[];
  readonly all: readonly Row[];
}

/** The Lists by which one run resolves names, each sent once. */
export class Names {
  readonly #lists = new Map<string, Promise<readonly WireObject[]>>();
  /** Uids of people, by issuer and subject. */
  readonly #people = new SharedCalls<string>();

  constructor(private readonly client: Pick<PlatformClient, "get" | "list" | "lookUpIdentity">) {}

  /**
   * The rows of a List that match. If a shared List has none, it is sent once more: the object may be newer.
   *
   * @throws PlatformError see {@link PlatformClient.list}
   */
  async matches<Row extends WireObject, Values extends object>(
    collection: Collection<Row, Values>,
    query: Scope & Values,
    isMatch: (row: Row) => boolean,
  ): Promise<Matches<Row>> {
    const key = `${collection.segment} ${JSON.stringify(query)}`;
    const shared = this.#lists.get(key);
    let all = (await untilInterrupted(shared ?? this.#send(key, collection, query))) as Row[];
    if (shared !== undefined && !all.some(isMatch)) {
      const newer = this.#lists.get(key);
      all = (await untilInterrupted(
        newer === shared || newer === undefined ? this.#send(key, collection, query) : newer,
      )) as Row[];
    }
    return { found: all.filter(isMatch), all };
  }

  /** The uid of the person who logs in with this issuer and subject, or will. @throws PlatformError */
  person(issuer: string, subject: string): Promise<string> {
    return this.#people.once(JSON.stringify([issuer, subject]), () => this.client.lookUpIdentity(issuer, subject));
  }

  /** The name of the object; undefined if it cannot be read. */
  async nameOf(collection: Collection<WireObject & { name: string }>, uid: string): Promise<string | undefined> {
    return this.client.get(collection, uid).then(
      ({ name }) => name,
      () => undefined,
    );
  }

  #send<Row extends WireObject, Values extends object>(
    key: string,
    collection: Collection<Row, Values>,
    query: Scope & Values,
  ): Promise<readonly WireObject[]> {
    const rows = forOthersToo(() => this.client.list(collection, query));
    this.#lists.set(key, rows);
    rows.catch(() => {
      if (this.#lists.get(key) === rows) this.#lists.delete(key);
    });
    return rows;
  }
}
