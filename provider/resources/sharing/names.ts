import type { PlatformClient } from "../../client/client";
import type { Collection, WireObject } from "../../client/collection";
import { platformErrorAs } from "../../client/errors";
import type { ListScope } from "../../client/list";
import { SingleFlight } from "../../client/single-flight";

/** Rows with a name, and those among them that match. */
export interface Matches<Row> {
  readonly found: Row[];
  readonly all: readonly Row[];
}

/** The Lists by which one run resolves names, each sent once. */
export class Names {
  readonly #lists = new SingleFlight<readonly WireObject[]>();
  /** Uids of people, by issuer and subject. */
  readonly #people = new SingleFlight<string>();

  /** @param onMissing the meaning of a shared List without a match. The object may be newer, or it does not exist. Default: `ask again` */
  constructor(
    private readonly client: Pick<PlatformClient, "get" | "list" | "lookUpIdentity">,
    private readonly onMissing: "ask again" | "believe" = "ask again",
  ) {}

  /**
   * The rows of a List that match. If a shared List has none, it may be sent once more.
   *
   * @throws PlatformError see {@link PlatformClient.list}
   */
  async matches<Row extends WireObject, Values extends object>(
    collection: Collection<Row, Values>,
    query: ListScope & Values,
    isMatch: (row: Row) => boolean,
  ): Promise<Matches<Row>> {
    const key = `${collection.segment} ${JSON.stringify(query)}`;
    const list = () => this.#lists.once(key, () => this.client.list(collection, query));
    const shared = this.#lists.known(key);
    let all = (await list()) as Row[];
    if (this.onMissing === "ask again" && shared !== undefined && !all.some(isMatch)) {
      this.#lists.forget(key, shared);
      all = (await list()) as Row[];
    }
    return { found: all.filter(isMatch), all };
  }

  /** The uid of the person who logs in with this issuer and subject, or will. @throws PlatformError */
  person(issuer: string, subject: string): Promise<string> {
    return this.#people.once(JSON.stringify([issuer, subject]), () => this.client.lookUpIdentity(issuer, subject));
  }

  /** The name of the object; undefined if it cannot be read. */
  async nameOf(collection: Collection<WireObject & { name: string }>, uid: string): Promise<string | undefined> {
    return (await this.client.get(collection, uid).catch(platformErrorAs(() => undefined)))?.name;
  }
}
