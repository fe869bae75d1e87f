import { createHmac, randomUUID } from "node:crypto";
import { isIP } from "node:net";
import { bySeverity } from "../../access/severity";
import { messageOf } from "../../provider/client/errors";
import { documentVersion } from "../documents/document";
import type { WebhookDocument } from "../documents/webhook";
import { UsageError } from "../shell/exit-codes";
import type { Change } from "./changes";

/** Variable of the secret that deliveries are signed with. */
export const secretVariable = "PLATFORM_WEBHOOK_SECRET";

/** Longest wait for an answer in milliseconds. */
const timeout = 10_000;

/** Maximum number of changes in one delivery, and of changes pending for an address that does not answer. */
const most = 1_000;

/**
 * The headers that authenticate a delivery, by Standard Webhooks and in the earlier form of this command. Source:
 * https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md
 *
 * @param secret the key as base64 after `whsec_`, or any other text, which is the key itself
 * @param id the same whenever the same changes are sent again
 * @param timestamp seconds since 1970
 */
function proofOf(secret: string, id: string, timestamp: string, body: string): Record<string, string> {
  const key = secret.startsWith("whsec_") ? Buffer.from(secret.slice("whsec_".length), "base64") : secret;
  return {
    "webhook-id": id,
    "webhook-timestamp": timestamp,
    "webhook-signature": `v1,${createHmac("sha256", key).update(`${id}.${timestamp}.${body}`).digest("base64")}`,
    "x-platform-timestamp": timestamp,
    "x-platform-signature": `v1=${createHmac("sha256", secret).update(`${timestamp}.${body}`).digest("hex")}`,
  };
}

/** Sends changes to an address. Undelivered changes are sent with the next ones. */
export class Webhook {
  #pending: readonly Change[] = [];
  /** Number of changes given up since the last success. */
  #dropped = 0;
  /** The last refused delivery. If unchanged, it is sent again under the same id, so that receivers recognise it. */
  #refused: { readonly id: string; readonly content: string } | undefined;

  /** @throws UsageError for an address that others could read along with or with a password in it, and without a secret */
  constructor(
    private readonly url: string,
    private readonly secret: string | undefined,
  ) {
    const { protocol, hostname, username, password } = parsed(url);
    // The message does not quote the address, because the address contains a secret.
    if (username || password)
      throw new UsageError(
        "--webhook must be an address without user name and password: they would appear in logs of addresses.",
      );
    const isLocal = hostname === "localhost" || hostname === "[::1]" || (isIP(hostname) === 4 && hostname.startsWith("127."));
    if (protocol !== "https:" && !(protocol === "http:" && isLocal))
      throw new UsageError("--webhook must be an https address; http is for this machine only.");
    if (!secret)
      throw new UsageError(`--webhook signs what it sends: set ${secretVariable} to a secret that the receiver knows.`);
  }

  /**
   * Delivers the pending changes and `changes`.
   *
   * @returns the reason of a failure, and how many changes are given up
   */
  async deliver(changes: readonly Change[], time: number, signal: AbortSignal): Promise<string | undefined> {
    this.#pending = [...this.#pending, ...changes];
    while (this.#pending.length > 0) {
      const failure = await this.#send(this.#pending.slice(0, most), time, signal);
      if (failure !== undefined) return `${failure}${this.#dropLeast()}`;
      this.#pending = this.#pending.slice(most);
    }
    this.#dropped = 0;
    return undefined;
  }

  /** Keeps the most severe pending changes, in their order. Returns a text on the number of dropped changes, if there are any. */
  #dropLeast(): string {
    const worst = [...this.#pending]
      .sort((one, other) => bySeverity(one.finding.severity, other.finding.severity))
      .slice(0, most);
    const kept = new Set(worst);
    this.#dropped += this.#pending.length - worst.length;
    this.#pending = this.#pending.filter((change) => kept.has(change));
    return this.#dropped === 0
      ? ""
      : ` (${this.#dropped} changes were dropped: only the worst ${most.toLocaleString("en")} are kept)`;
  }

  /** @returns the reason of a failure, if it failed */
  async #send(changes: Change[], time: number, signal: AbortSignal): Promise<string | undefined> {
    const document: WebhookDocument = { version: documentVersion, time: new Date(time).toISOString(), changes };
    const body = JSON.stringify(document);
    const timestamp = String(Math.floor(time / 1000));
    const content = JSON.stringify(changes);
    const id = this.#refused?.content === content ? this.#refused.id : `msg_${randomUUID()}`;
    this.#refused = { id, content };
    try {
      const answer = await fetch(this.url, {
        method: "POST",
        body,
        headers: { "content-type": "application/json", ...proofOf(this.secret ?? "", id, timestamp, body) },
        redirect: "error",
        signal: AbortSignal.any([signal, AbortSignal.timeout(timeout)]),
      });
      // An unread answer keeps its connection.
      await answer.body?.cancel();
      if (!answer.ok) return `the receiver returned ${answer.status}`;
      this.#refused = undefined;
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
