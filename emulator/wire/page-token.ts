import { createHmac, createHash, timingSafeEqual } from "node:crypto";
import { invalidArgument, type ApiError } from "./errors";

const lifetimeMs = 3 * 24 * 3600 * 1000;

/** Where a page ended: the last row's sort value and uid. */
export interface Cursor {
  readonly value: string;
  readonly uid: string;
}

/** Makes and reads page tokens: opaque, signed, and bound to the query that they continue. They live three days (SPEC §8). */
export class PageTokens {
  constructor(
    private readonly secret: string,
    private readonly now: () => number,
  ) {}

  /** The token that continues `query`, any text that identifies filters and order, after `cursor`. */
  issue(query: string, { value, uid }: Cursor): string {
    const payload = Buffer.from(JSON.stringify([this.now(), digest(query), value, uid]));
    return Buffer.concat([this.sign(payload), payload]).toString("base64url");
  }

  /**
   * The cursor in a token, or undefined when the token has expired, which restarts the query (SPEC §7).
   * @throws {ApiError} code 3 for a token that is not ours or belongs to another query.
   */
  read(query: string, token: string): Cursor | undefined {
    const bytes = Buffer.from(token, "base64url");
    const [signature, payload] = [bytes.subarray(0, 16), bytes.subarray(16)];
    const isOurs = signature.length === 16 && timingSafeEqual(signature, this.sign(payload));
    if (!isOurs || bytes.toString("base64url") !== token) throw refused("is not a token that this service issued");
    const [issued, digestOfQuery, value, uid] = JSON.parse(payload.toString()) as [number, string, string, string];
    if (digestOfQuery !== digest(query)) throw refused("belongs to a query with other filters or another order");
    return this.now() - issued > lifetimeMs ? undefined : { value, uid };
  }

  private sign(payload: Buffer): Buffer {
    return createHmac("sha256", this.secret).update(payload).digest().subarray(0, 16);
  }
}

function digest(query: string): string {
  return createHash("sha256").update(query).digest("base64url").slice(0, 22);
}

function refused(why: string): ApiError {
  return invalidArgument({ field: "page_token", description: `the page token ${why}` });
}
