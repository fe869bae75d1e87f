import { setTimeout as sleep } from "node:timers/promises";
import type { PlatformClient } from "../client/client";
import type { WireObject } from "../client/collection";
import { PlatformError } from "../client/errors";
import { isNotFound } from "./gone";
import { type Inputs, keyOf, type Kind, observedInputs } from "./kind";
import { isOutcomeUnknown } from "./unknown-outcome";

/** How long a create waits for others of its parent, in milliseconds: the engine asks for several at a time. */
const gatherMs = 5;

/** A create on its way out. */
interface Pending<Wire> {
  inputs: Inputs;
  onSend: () => void;
  resolve: (wire: Wire) => void;
  reject: (error: unknown) => void;
}

/**
 * Creates of one run, sent together where the platform takes batches of their kind. A batch is made as a whole or not at all
 * (API-FACTS §9), so one that is refused is sent again singly, and each error is about its own object.
 */
export class BatchedCreates {
  readonly #gathering = new Map<string, Pending<WireObject>[]>();
  #isOffered = true;

  constructor(private readonly client: Pick<PlatformClient, "create" | "createBatch">) {}

  /**
   * Creates the object that `inputs` declare.
   *
   * @param onSend told right before each attempt goes out
   * @throws PlatformError see {@link PlatformClient.create}
   */
  create<Wire extends WireObject>(kind: Kind<Wire>, inputs: Inputs, onSend: () => void): Promise<Wire> {
    const { batch, segment } = kind.collection;
    if (batch === undefined || !this.#isOffered) return this.#single(kind, inputs, onSend);
    const parentUid = String(inputs["parentUid"]);
    const place = `${segment} ${parentUid}`;
    return new Promise<Wire>((resolve, reject) => {
      const pending = { inputs, onSend, resolve: resolve as (wire: WireObject) => void, reject };
      const gathering = this.#gathering.get(place);
      if (gathering !== undefined) {
        gathering.push(pending);
        if (gathering.length === batch.limit) this.#gathering.delete(place);
        return;
      }
      const first = [pending];
      this.#gathering.set(place, first);
      void sleep(gatherMs).then(() => {
        if (this.#gathering.get(place) === first) this.#gathering.delete(place);
        return this.#send(kind, parentUid, first);
      });
    });
  }

  #single<Wire extends WireObject>(kind: Kind<Wire>, { parentUid, ...body }: Inputs, onSend: () => void): Promise<Wire> {
    return this.client.create(kind.collection, String(parentUid), body, { onSend });
  }

  async #send(kind: Kind, parentUid: string, all: Pending<WireObject>[]): Promise<void> {
    const singly = () => {
      for (const { inputs, onSend, resolve, reject } of all) this.#single(kind, inputs, onSend).then(resolve, reject);
    };
    if (all.length === 1) {
      singly();
      return;
    }
    const onSend = () => {
      for (const pending of all) pending.onSend();
    };
    const bodies = all.map(({ inputs: { parentUid: _, ...body } }) => body);
    try {
      const rows = await this.client.createBatch(kind.collection, parentUid, bodies, { onSend });
      const made = new Map(rows.map((row) => [keyOf(kind, observedInputs(kind, row)), row]));
      for (const { inputs, resolve, reject } of all) {
        const row = made.get(keyOf(kind, inputs));
        if (row === undefined) reject(notInAnswer(kind));
        else resolve(row);
      }
    } catch (error) {
      if (isOutcomeUnknown(error) || isNotFound(error)) this.#isOffered = false;
      if (!isOutcomeUnknown(error)) singly();
      else for (const { reject } of all) reject(error);
    }
  }
}

/** An answer that has no outcome: the object is looked for. */
function notInAnswer({ collection }: Kind): PlatformError {
  return new PlatformError("UNEXPECTED_ANSWER", `Create of several ${collection.segment}: the answer does not hold this one.`);
}
