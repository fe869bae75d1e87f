import { createHmac } from "node:crypto";
import { isIP } from "node:net";
import { messageOf } from "../../provider/client/errors";
import { documentVersion } from "../documents/document";
import type { WebhookDocument } from "../documents/webhook";
import { UsageError } from "../exit-codes";
import type { Change } from "./changes";

/** Variable of the secret that deliveries are signed with. */
export const secretVariable = "PLATFORM_WEBHOOK_SECRET";

/** Longest wait for an answer in milliseconds. */
const timeout = 10_000;

/** Most changes that wait for an address that does not answer. */
const mostPending = 1_000;

/** The signature of a delivery: `v1=` and the HMAC-SHA256 of `<timestamp>.<body>` in hexadecimal digits. */
export function signature(secret: string, timestamp: string, body: string): string {
  return `v1=${createHmac("sha256", secret).update(`${timestamp}.${body}`).digest("hex")}`;
}

/** Sends changes to an address. What could not be delivered is sent with the next ones. */
export class Webhook {
  #pending: Change[] = [];

  /** @throws UsageError for an address that others could read along with, and without a secret */
  constructor(
    private readonly url: string,
    private readonly secret: string | undefined,
  ) {
    const { protocol, hostname } = parsed(url);
    const isLocal = hostname === "localhost" || hostname === "[::1]" || (isIP(hostname) === 4 && hostname.startsWith("127."));
    if (protocol !== "https:" && !(protocol === "http:" && isLocal))
      throw new UsageError("--webhook must be an https address; http is for this machine only.");
    if (!secret)
      throw new UsageError(`--webhook signs what it sends: set ${secretVariable} to a secret that the receiver knows.`);
  }

  /**
   * Delivers `changes`, and what is left from before.
   *
   * @returns why it failed, if it did
   */
  async deliver(changes: readonly Change[], time: number, signal: AbortSignal): Promise<string | undefined> {
    this.#pending = [...this.#pending, ...changes].slice(-mostPending);
    if (this.#pending.length === 0) return undefined;
    const document: WebhookDocument = { version: documentVersion, time: new Date(time).toISOString(), changes: this.#pending };
    const body = JSON.stringify(document);
    const timestamp = String(Math.floor(time / 1000));
    try {
      const { ok, status } = await fetch(this.url, {
        method: "POST",
        body,
        headers: {
          "content-type": "application/json",
          "x-platform-timestamp": timestamp,
          "x-platform-signature": signature(this.secret ?? "", timestamp, body),
        },
        redirect: "error",
        signal: AbortSignal.any([signal, AbortSignal.timeout(timeout)]),
      });
      if (!ok) return `the receiver returned ${status}`;
      this.#pending = [];
      return undefined;
    } catch (error) {
      const { cause } = error as Error;
      return cause instanceof Error ? messageOf(cause) : messageOf(error);
    }
  }
}

function parsed(url: string): URL {
  if (URL.canParse(url)) return new URL(url);
  throw new UsageError("--webhook must be an address, such as https://alerts.example/platform.");
}
