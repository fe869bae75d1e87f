import type { Json } from "../wire/json";

const limit = 100_000;

/** A request to the platform, without its headers and so without tokens. */
export interface LoggedRequest {
  /** RFC 3339, by the emulator's clock. */
  readonly time: string;
  readonly method: string;
  readonly path: string;
  /** Raw, without the question mark. */
  readonly query: string;
  /** The JSON body, null when there is none. */
  readonly body: Json;
  readonly requestId: string;
  /** Null until the request is answered. */
  status: number | null;
}

/** The last 100,000 requests, oldest first. */
export class RequestLog {
  #entries: LoggedRequest[] = [];

  /** Adds a request. */
  add(entry: LoggedRequest): void {
    this.#entries.push(entry);
    // Trimmed in batches, because each trim copies the whole log.
    if (this.#entries.length > limit * 1.1) this.#entries = this.list();
  }

  /** All of them. */
  list(): LoggedRequest[] {
    return this.#entries.slice(-limit);
  }

  /** Clears the log. */
  clear(): void {
    this.#entries = [];
  }
}
