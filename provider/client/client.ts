import { z } from "zod";
import { parseAs } from "./answer";
import { bounds } from "./bounds";
import { type Capable, type Verb, withCapability } from "./capability";
import { type Collection, objectUid, type WireObject } from "./collection";
import { PlatformError } from "./errors";
import { rememberGroups } from "./known-paths";
import { type Limited, listAll, listReadable, listSome, listUpTo, type ListScope } from "./list";
import type { Listed } from "./list-windows";
import type { RegistryToken, RegistryTokenRequest } from "./token-source";
import { type Call, Transport } from "./transport";
import { uidPath } from "./uid";

/** Options of every call. */
export interface CallOptions {
  signal?: AbortSignal | undefined;
}

/** The platform's v2 API, with five verbs over every collection (docs/platform-api.md#endpoints). */
export class PlatformClient extends Transport {
  /** The platform's time in milliseconds since 1970. Before the first answer, the time of this machine. */
  now(): number {
    return this.serverTime() ?? Date.now();
  }

  /**
   * Reads one object.
   *
   * @throws PlatformError `NOT_FOUND`; `WRONG_OBJECT` when the answer is about another object
   */
  async get<Wire extends WireObject>(collection: Collection<Wire>, uid: string, options: CallOptions = {}): Promise<Wire> {
    const path = objectPath(collection, uid);
    const json = await this.#call({ method: "GET", path, repetition: "repeatable", ...options }, collection, "LIST", uid);
    return sameObject(collection, uid, json, "Get");
  }

  /**
   * The uid of the identity with exactly this issuer and subject. It exists for people even before their first login
   * (docs/platform-api.md#identities).
   *
   * @throws PlatformError
   */
  async lookUpIdentity(issuer: string, subject: string): Promise<string> {
    const path = "/iam/{version}/identities:lookupIdentity";
    const call: Call = { method: "GET", path, query: { issuer, subject }, repetition: "repeatable" };
    const json = await this.#call(call, { capabilities: "IAM_IDENTITY" }, "LIST");
    return parseAs(z.looseObject({ uid: objectUid }), json, "Look up identity").uid;
  }

  /** Reads every page of a List; see {@link listAll}. */
  async list<Wire extends WireObject, Values extends object>(
    collection: Collection<Wire, Values>,
    query: ListScope & Values,
    options: CallOptions = {},
  ): Promise<Wire[]> {
    const rows = await listAll(this, collection, query, options.signal).catch(unlisted(collection));
    rememberGroups(collection, rows);
    return rows;
  }

  /**
   * Reads the readable rows of a List. Only for callers that report the missing rows; for all others, an incomplete List is an error. See
   * {@link listReadable}.
   */
  async listReadable<Wire extends WireObject, Values extends object>(
    collection: Collection<Wire, Values>,
    query: ListScope & Values,
  ): Promise<Listed<Wire>> {
    const listed = await listReadable(this, collection, query).catch(unlisted(collection));
    rememberGroups(collection, listed.rows);
    return listed;
  }

  /** Every row of a List with at most `most` rows; see {@link listUpTo}. */
  async listUpTo<Wire extends WireObject>(
    collection: Collection<Wire>,
    query: Omit<ListScope, "uids">,
    most: number,
    options: CallOptions = {},
  ): Promise<Limited<Wire>> {
    return listUpTo(this, collection, query, { ...options, most }).catch(unlisted(collection));
  }

  /** Some rows of a List, by one request; see {@link listSome}. */
  async listSome<Wire extends WireObject, Values extends object>(
    collection: Collection<Wire, Values>,
    query: Omit<ListScope, "uids"> & Values,
    most: number,
  ): Promise<Wire[]> {
    return listSome(this, collection, query, most).catch(unlisted(collection));
  }

  /**
   * Creates an object under `parentUid` with one POST, which is repeated only if nothing can have been applied.
   *
   * @param options.onSend called right before each attempt is sent
   * @param options.onFailed called with the error of each failed attempt
   * @param options.repetition `repeatable` if a second POST does no harm. Default: `once`
   * @throws PlatformError `CONNECTION_LOST`, `TIMEOUT`, `UNAVAILABLE`, `ABORTED`, `INTERNAL`, `UNKNOWN` or `UNEXPECTED_ANSWER` when the
   * object may exist
   */
  async create<Wire extends WireObject>(
    collection: Collection<Wire>,
    parentUid: string,
    body: object,
    options: CallOptions & Pick<Call, "onSend" | "onFailed"> & Partial<Pick<Call, "repetition">> = {},
  ): Promise<Wire> {
    const path = objectPath(collection, parentUid);
    const call: Call = { method: "POST", path, body, repetition: "once", ...options };
    const json = await this.#call(call, collection, "CREATE", parentUid);
    const made = parseAs(collection.schema, json, `Create ${collection.noun}`);
    rememberGroups(collection, [made]);
    return made;
  }

  /**
   * Creates several objects under `parentUid` by one POST, all or none (docs/platform-api.md#batches).
   *
   * @returns the objects, in the order of the answer
   * @throws PlatformError see {@link create}; with any other code, none was created
   */
  async createBatch<Wire extends WireObject>(
    collection: Collection<Wire>,
    parentUid: string,
    bodies: readonly object[],
    options: CallOptions & Pick<Call, "onSend" | "onFailed"> = {},
  ): Promise<Wire[]> {
    const { area, segment, batch } = collection;
    if (batch === undefined)
      throw new PlatformError(
        "INVALID_INPUT",
        `Create several ${segment}: the platform creates one at a time. Nothing was sent.`,
      );
    const parent = uidPath(parentUid);
    const path = `/${area}/{version}/${segment}:batchCreate`;
    const body = { parent, requests: bodies.map((each) => ({ parent, [batch.member]: each })) };
    const call: Call = { method: "POST", path, body, repetition: "once", ...options };
    const json = await this.#call(call, collection, "CREATE", parentUid);
    const what = `Create several ${segment}`;
    return parseAs(z.looseObject({ [segment]: z.array(collection.schema).max(bodies.length) }), json, what)[segment] as Wire[];
  }

  /**
   * Changes exactly the fields of `body`, whose names in snake_case are `mask` (docs/platform-api.md#field-masks).
   *
   * @param options.beforeRepeat called before the call is sent again, with the error of the last attempt
   * @throws PlatformError `NOT_FOUND`, `ALREADY_EXISTS`, `WRONG_OBJECT`
   */
  async update<Wire extends WireObject>(
    collection: Collection<Wire>,
    uid: string,
    body: object,
    mask: readonly string[],
    options: Pick<Call, "beforeRepeat"> = {},
  ): Promise<Wire> {
    if (mask.length === 0)
      throw new PlatformError("INVALID_INPUT", `Update ${collection.noun} ${uid}: no field to change. Nothing was sent.`);
    const path = objectPath(collection, uid);
    const query = { updateMask: mask.join(",") };
    const call: Call = { method: "PATCH", path, query, body, repetition: "repeatable", ...options };
    const json = await this.#call(call, collection, "UPDATE", uid);
    return sameObject(collection, uid, json, "Update");
  }

  /**
   * Queries an object by a call that changes nothing, POST `{uid}:{action}`.
   *
   * @throws PlatformError
   */
  async ask<Answer>(
    collection: Collection<WireObject>,
    uid: string,
    { action, body, answer }: { action: string; body: object; answer: z.ZodType<Answer> },
  ): Promise<Answer> {
    const path = `${objectPath(collection, uid)}:${action}`;
    const call: Call = { method: "POST", path, body, repetition: "repeatable", isRead: true };
    return parseAs(answer, await this.#call(call, collection, "LIST", uid), `${action} ${uid}`);
  }

  /**
   * Reads a part of an object with its own path, GET `{uid}/{part}`.
   *
   * @throws PlatformError `NOT_FOUND`; `WRONG_OBJECT` when the answer is about another object
   */
  async getPart<Part>(collection: Collection<WireObject>, uid: string, part: string, schema: z.ZodType<Part>): Promise<Part> {
    const path = `${objectPath(collection, uid)}/${part}`;
    const json = await this.#call({ method: "GET", path, repetition: "repeatable" }, collection, "LIST", uid);
    const about = { noun: `${part} of ${collection.noun}`, schema: z.looseObject({ uid: objectUid }) };
    sameObject(about, uid, json, "Get");
    return parseAs(schema, json, `Get ${about.noun} ${uid}`);
  }

  /**
   * Deletes an object.
   *
   * @param options.onSend called right before each attempt
   * @throws PlatformError `NOT_FOUND`; `FAILED_PRECONDITION` while it is not empty; `UNEXPECTED_ANSWER` for a success that is
   *   neither empty nor about this object
   */
  async delete(collection: Collection<WireObject>, uid: string, options: Pick<Call, "onSend"> = {}): Promise<void> {
    const path = objectPath(collection, uid);
    const json = await this.#call({ method: "DELETE", path, repetition: "repeatable", ...options }, collection, "DELETE", uid);
    const isEmpty = json === undefined || json === null || (typeof json === "object" && Object.keys(json).length === 0);
    if (!isEmpty) sameObject(collection, uid, json, "Delete");
  }

  /** @throws PlatformError `NOT_REHEARSED` for a call beyond the limits of this process, before it is sent */
  override async call(call: Call): Promise<unknown> {
    const mayGive = call.method !== "GET" && call.method !== "DELETE" && !call.isRead;
    const limits = mayGive ? bounds() : undefined;
    return limits === undefined ? super.call(call) : limits.within(this, call, () => super.call(call));
  }

  /** @throws PlatformError `CREDENTIALS`, `NOT_REHEARSED` */
  override async registryToken(request: RegistryTokenRequest): Promise<RegistryToken> {
    await bounds()?.permitRegistryToken(this, request);
    return super.registryToken(request);
  }

  /** The JSON of the answer. @throws PlatformError see {@link withCapability} */
  async #call(call: Call, of: Capable, verb: Verb, uid?: string): Promise<unknown> {
    try {
      return await this.call(call);
    } catch (error) {
      throw withCapability(error, of, verb, uid);
    }
  }
}

/** Throws the error of a List. */
function unlisted(of: Capable): (error: unknown) => never {
  return (error) => {
    throw withCapability(error, of, "LIST");
  };
}

function objectPath({ area, segment }: Pick<Collection<WireObject>, "area" | "segment">, uid: string): string {
  return `/${area}/{version}/${segment}/${uidPath(uid)}`;
}

function sameObject<Wire extends WireObject>(
  collection: Pick<Collection<Wire>, "noun" | "schema"> & { readonly segment?: string },
  uid: string,
  json: unknown,
  verb: string,
): Wire {
  const what = `${verb} ${collection.noun} ${uid}`;
  const object = parseAs(collection.schema, json, what);
  if (object.uid !== uid) {
    throw new PlatformError(
      "WRONG_OBJECT",
      `${what}: the platform returned ${object.uid}. Use that uid if it is the ${collection.noun} you mean.`,
    );
  }
  rememberGroups(collection, [object]);
  return object;
}
