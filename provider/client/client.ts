import { z } from "zod";
import { parseAs } from "./answer";
import type { Collection, WireObject } from "./collection";
import { PlatformError } from "./errors";
import { listAll, listOne, listSome, listUpTo, type Scope } from "./list";
import type { Caller } from "./token-source";
import { Transport, type TransportOptions } from "./transport";
import { uidPath } from "./uid";

/** What any call may be given. */
export interface CallOptions {
  signal?: AbortSignal;
}

/** The platform's v2 API: five verbs over every collection (SPEC §4). */
export class PlatformClient {
  readonly #transport: Transport;

  constructor(options: TransportOptions) {
    this.#transport = new Transport(options);
  }

  /** Deadlines and waits of this client, in milliseconds. */
  get timing() {
    return this.#transport.timing;
  }

  /** True once this client has sent anything but reads. */
  get hasWritten(): boolean {
    return this.#transport.hasWritten;
  }

  /** Whose token this client uses; undefined where that is unknown. */
  async caller(): Promise<Caller | undefined> {
    return this.#transport.caller();
  }

  /** Takes a fresh token into use, where one can be had. */
  async renewToken(): Promise<void> {
    await this.#transport.renewToken();
  }

  /** See {@link Transport.serverTime}. */
  serverTime(): number | undefined {
    return this.#transport.serverTime();
  }

  /**
   * Reads one object.
   *
   * @throws PlatformError `NOT_FOUND`; `WRONG_OBJECT` when the answer is about another one
   */
  async get<Wire extends WireObject>(collection: Collection<Wire>, uid: string, options: CallOptions = {}): Promise<Wire> {
    const json = await this.#transport.call({
      method: "GET",
      path: objectPath(collection, uid),
      repetition: "repeatable",
      ...options,
    });
    return sameObject(collection, uid, json, "Get");
  }

  /** Reads every page of a List; see {@link listAll}. */
  async list<Wire extends WireObject, Values extends object>(
    collection: Collection<Wire, Values>,
    query: Scope & Values,
    options: CallOptions = {},
  ): Promise<Wire[]> {
    return listAll(this.#transport, collection, query, options.signal);
  }

  /** Every row of a List that is not longer than `most`; see {@link listUpTo}. */
  async listUpTo<Wire extends WireObject>(
    collection: Collection<Wire>,
    query: Omit<Scope, "uids">,
    most: number,
    options: CallOptions = {},
  ): Promise<Wire[] | number> {
    return listUpTo(this.#transport, collection, query, most, options.signal);
  }

  /** Some rows of a List, by one request; see {@link listSome}. */
  async listSome<Wire extends WireObject, Values extends object>(
    collection: Collection<Wire, Values>,
    query: Omit<Scope, "uids"> & Values,
    most: number,
  ): Promise<Wire[]> {
    return listSome(this.#transport, collection, query, most);
  }

  /** Any one row of a List, to see that it works; see {@link listOne}. */
  async listOne<Wire extends WireObject, Values extends object>(collection: Collection<Wire, Values>): Promise<Wire | undefined> {
    return listOne(this.#transport, collection);
  }

  /**
   * Creates an object under `parentUid`: one POST, sent again only where nothing can have been applied.
   *
   * @param onSend told right before each attempt goes out
   * @throws PlatformError `CONNECTION_LOST`, `TIMEOUT`, `UNAVAILABLE`, `INTERNAL`, `UNKNOWN` or
   *   `UNEXPECTED_ANSWER` when the object may exist
   */
  async create<Wire extends WireObject>(
    collection: Collection<Wire>,
    parentUid: string,
    body: object,
    options: CallOptions & { onSend?: () => void } = {},
  ): Promise<Wire> {
    const json = await this.#transport.call({
      method: "POST",
      path: objectPath(collection, parentUid),
      body,
      repetition: "once",
      ...options,
    });
    return parseAs(collection.schema, json, `Create ${collection.noun}`);
  }

  /**
   * Creates several objects under `parentUid` by one POST, all or none (API-FACTS §9).
   *
   * @returns the objects, in the order of the answer
   * @throws PlatformError see {@link create}; any other code says that none was made
   */
  async createBatch<Wire extends WireObject>(
    collection: Collection<Wire>,
    parentUid: string,
    bodies: readonly object[],
    options: CallOptions & { onSend?: () => void } = {},
  ): Promise<Wire[]> {
    const { area, segment, batch } = collection;
    if (batch === undefined) throw new PlatformError("INVALID_INPUT", `Create of several ${segment}: only one at a time.`);
    const parent = uidPath(parentUid);
    const json = await this.#transport.call({
      method: "POST",
      path: `/${area}/{version}/${segment}:batchCreate`,
      body: { parent, requests: bodies.map((body) => ({ parent, [batch.member]: body })) },
      repetition: "once",
      ...options,
    });
    const what = `Create of several ${segment}`;
    return parseAs(z.looseObject({ [segment]: z.array(collection.schema).max(bodies.length) }), json, what)[segment] as Wire[];
  }

  /**
   * Changes exactly the fields of `body`, whose names in snake_case are `mask` (API-FACTS §4).
   *
   * @throws PlatformError `NOT_FOUND`, `ALREADY_EXISTS`, `WRONG_OBJECT`
   */
  async update<Wire extends WireObject>(
    collection: Collection<Wire>,
    uid: string,
    body: object,
    mask: readonly string[],
    options: CallOptions = {},
  ): Promise<Wire> {
    if (mask.length === 0) throw new PlatformError("INVALID_INPUT", `Update ${collection.noun} ${uid}: no field to change.`);
    const json = await this.#transport.call({
      method: "PATCH",
      path: objectPath(collection, uid),
      query: { updateMask: mask.join(",") },
      body,
      repetition: "repeatable",
      ...options,
    });
    return sameObject(collection, uid, json, "Update");
  }

  /**
   * Deletes an object.
   *
   * @throws PlatformError `NOT_FOUND`; `FAILED_PRECONDITION` while something lies in it; `UNEXPECTED_ANSWER` for a success that is
   *   neither empty nor about this object
   */
  async delete(collection: Collection<WireObject>, uid: string, options: CallOptions = {}): Promise<void> {
    const json = await this.#transport.call({
      method: "DELETE",
      path: objectPath(collection, uid),
      repetition: "repeatable",
      ...options,
    });
    const isEmpty = json === undefined || json === null || (typeof json === "object" && Object.keys(json).length === 0);
    if (!isEmpty) sameObject(collection, uid, json, "Delete");
  }
}

function objectPath({ area, segment }: Pick<Collection<WireObject>, "area" | "segment">, uid: string): string {
  return `/${area}/{version}/${segment}/${uidPath(uid)}`;
}

function sameObject<Wire extends WireObject>(collection: Collection<Wire>, uid: string, json: unknown, verb: string): Wire {
  const what = `${verb} ${collection.noun} ${uid}`;
  const object = parseAs(collection.schema, json, what);
  if (object.uid !== uid) {
    throw new PlatformError(
      "WRONG_OBJECT",
      `${what}: the platform answered with ${object.uid}. Use that uid if it is the ${collection.noun} you mean.`,
    );
  }
  return object;
}
