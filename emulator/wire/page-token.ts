import { createHmac, createHash, timingSafeEqual } from "node:crypto";
import { invalidArgument, type ApiError } from "./errors";

const lifetimeMs = 3 * 24 * 3600 * 1000;

/** The end of a page, as the sort value and uid of its last row. */
export interface Cursor {
  readonly value: string;
  readonly uid: string;
}

/**
 * Issues and reads page tokens, which are opaque, signed, bound to one query, and valid for three days (docs/platform-api.md#list-pages).
 */
export class PageTokens {
  constructor(
    private readonly secret: string,
    private readonly now: () => number,
  ) {}

  /** The token for the page after `cursor`. `query` is any text that identifies filters and order. */
  issue(query: string, { value, uid }: Cursor): string {
    const payload = Buffer.from(JSON.stringify([this.now(), digest(query), value, uid]));
    return Buffer.concat([this.#sign(payload), payload]).toString("base64url");
  }

  /**
   * The cursor in a token; undefined if it has expired, which restarts the query.
   * @throws {ApiError} code 3 for a forged token or a token of another query.
   */
  read(query: string, token: string): Cursor | undefined {
    const bytes = Buffer.from(token, "base64url");
    const [signature, payload] = [bytes.subarray(0, 16), bytes.subarray(16)];
    const isOurs = signature.length === 16 && timingSafeEqual(signature, this.#sign(payload));
    if (!isOurs || bytes.toString("base64url") !== token) throw refused("is not a token that this service issued");
    const [issued, digestOfQuery, value, uid] = JSON.parse(payload.toString()) as [number, string, string, string];
    if (digestOfQuery !== digest(query)) throw refused("belongs to a query with other filters or another order");
    return this.now() - issued > lifetimeMs ? undefined : { value, uid };
  }

  #sign(payload: Buffer): Buffer {
    return createHmac("sha256", this.secret).update(payload).digest().subarray(0, 16);
  }
}

function digest(query: string): string {
  return createHash("sha256").update(query).digest("base64url").slice(0, 22);
}

function refused(why: string): ApiError {
  return invalidArgument({ field: "page_token", description: `the page token ${why}` });
}
