import type { Json } from "../wire/json";

const limit = 100_000;

/** A request that the platform got. Its headers are not kept, and with them no token. */
export interface LoggedRequest {
  /** RFC 3339, by the emulator's clock. */
  readonly time: string;
  readonly method: string;
  readonly path: string;
  /** As it was sent, without the question mark. */
  readonly query: string;
  /** The JSON body, null when there is none. */
  readonly body: Json;
  readonly requestId: string;
  /** Null until it has been answered, for ever when it never is. */
  status: number | null;
}

/** The requests in the order in which they came, the newest 100,000 of them. */
export class RequestLog {
  private entries: LoggedRequest[] = [];

  /** Adds a request. */
  add(entry: LoggedRequest): void {
    this.entries.push(entry);
    // Trimmed only now and then: each trim copies the whole log.
    if (this.entries.length > limit * 1.1) this.entries = this.list();
  }

  /** All of them. */
  list(): LoggedRequest[] {
    return this.entries.slice(-limit);
  }

  /** Forgets all of them. */
  clear(): void {
    this.entries = [];
  }
}
