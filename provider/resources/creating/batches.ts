import { setTimeout as sleep } from "node:timers/promises";
import type { PlatformClient } from "../../client/client";
import type { WireObject } from "../../client/collection";
import { hasCode, PlatformError } from "../../client/errors";
import { type Inputs, keyOf, type Kind, observedInputs } from "../../kinds/kind";
import { createBody } from "../../kinds/request-body";
import { isOutcomeUnknown } from "./outcome";

/** How long a create waits for others of its parent, in milliseconds: the engine makes several calls at once. */
const gatherMs = 5;

/** What a create passes besides its inputs. */
export interface SendOptions {
  /** Called right before each attempt is sent. */
  onSend: () => void;
  /** Ends a request of its own. A batch goes on: others share it. */
  signal?: AbortSignal;
}

/** A create that is not sent yet. */
interface Pending<Wire> {
  inputs: Inputs;
  options: SendOptions;
  resolve: (wire: Wire) => void;
  reject: (error: unknown) => void;
}

/** The platform made none of a batch: each of its objects is looked up, and then sent alone. */
export class BatchRefused extends Error {}

/**
 * Creates of one run, sent together where the platform takes batches of their kind: all are made or none
 * (docs/platform-api.md#batches). Where a batch fails, each of its creates goes on alone, so that each error is about its own object.
 */
export class BatchedCreates {
  readonly #gathering = new Map<string, Pending<WireObject>[]>();
  #isOffered = true;

  constructor(private readonly client: Pick<PlatformClient, "create" | "createBatch">) {}

  /**
   * Creates the object that `inputs` declare, together with others where that is possible.
   *
   * @throws PlatformError see {@link PlatformClient.create}
   * @throws BatchRefused
   */
  create<Wire extends WireObject>(kind: Kind<Wire>, inputs: Inputs, options: SendOptions): Promise<Wire> {
    const { batch, segment } = kind.collection;
    if (batch === undefined || !this.#isOffered) return this.single(kind, inputs, options);
    const parentUid = String(inputs[kind.parentInput]);
    const place = `${segment} ${parentUid}`;
    return new Promise<Wire>((resolve, reject) => {
      const pending = { inputs, options, resolve: resolve as (wire: WireObject) => void, reject };
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

  /**
   * Creates the object that `inputs` declare with a request of its own.
   *
   * @throws PlatformError see {@link PlatformClient.create}
   */
  single<Wire extends WireObject>(kind: Kind<Wire>, inputs: Inputs, options: SendOptions): Promise<Wire> {
    return this.client.create(kind.collection, String(inputs[kind.parentInput]), createBody(kind, inputs), options);
  }

  async #send(kind: Kind, parentUid: string, all: Pending<WireObject>[]): Promise<void> {
    const [only] = all;
    if (only !== undefined && all.length === 1) {
      this.single(kind, only.inputs, only.options).then(only.resolve, only.reject);
      return;
    }
    const onSend = () => {
      for (const { options } of all) options.onSend();
    };
    const bodies = all.map(({ inputs }) => createBody(kind, inputs));
    try {
      const rows = await this.client.createBatch(kind.collection, parentUid, bodies, { onSend });
      const made = assigned(kind, all, rows);
      if (made.includes(undefined)) this.#isOffered = false;
      for (const [index, { resolve, reject }] of all.entries()) {
        const row = made[index];
        if (row === undefined) reject(notInAnswer(kind));
        else resolve(row);
      }
    } catch (error) {
      const outcome = outcomeOf(error);
      if (outcome !== "refused") this.#isOffered = false;
      const reason = outcome === "unknown" ? unknown(kind, error) : new BatchRefused();
      for (const { reject } of all) reject(reason);
    }
  }
}

/** Each create's own row: by its natural key, else by position, for the platform keeps the order. */
function assigned(kind: Kind, all: Pending<WireObject>[], rows: WireObject[]): (WireObject | undefined)[] {
  const keys = rows.map((row) => keyOf(kind, observedInputs(kind, row)));
  const byKey = all.map(({ inputs }) => rows[keys.indexOf(keyOf(kind, inputs))]);
  const isLeft = (row: WireObject | undefined) => row !== undefined && !byKey.includes(row);
  return byKey.map((row, index) => row ?? (rows.length === all.length && isLeft(rows[index]) ? rows[index] : undefined));
}

/** `refused`: nothing was made. `not offered`: the platform has no such call. `unknown`: it may have been made, or still be. */
function outcomeOf(error: unknown): "refused" | "not offered" | "unknown" {
  const isUnknown: boolean = isOutcomeUnknown(error);
  if (isUnknown || !PlatformError.isInstance(error)) return "unknown";
  if (error.status === undefined) return "refused";
  if ([404, 405, 501].includes(error.status)) return "not offered";
  // Neither a proxy's rejection nor a failure of the server shows whether the platform applied the batch.
  const isRejection = error.fromPlatform && error.status < 500;
  return isRejection || hasCode(error, "RESOURCE_EXHAUSTED") ? "refused" : "unknown";
}

/** The error that makes each create look for its object. */
function unknown({ collection }: Kind, cause: unknown): PlatformError {
  if (isOutcomeUnknown(cause)) return cause;
  const why = cause instanceof Error ? cause.message : String(cause);
  return new PlatformError("UNEXPECTED_ANSWER", `Create of several ${collection.segment}: ${why}`, { cause });
}

/** The platform says that it made the batch: the object is looked up, and never sent again. */
function notInAnswer({ collection }: Kind): PlatformError {
  const message = `Create of several ${collection.segment}: the answer does not hold this one.`;
  return new PlatformError("UNEXPECTED_ANSWER", message, { status: 200, fromPlatform: true });
}
