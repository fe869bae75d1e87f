import type { PlatformClient } from "../../client/client";
import type { WireObject } from "../../client/collection";
import { hasCode, PlatformError } from "../../client/errors";
import { forOthersToo } from "../../client/interruption";
import { type Inputs, naturalKeyOf, type Kind } from "../../schema/kind";
import { createBody } from "../../schema/request-body";
import { isOutcomeUnknown } from "../../client/outcome";

/** How long a create waits for others with the same parent, in milliseconds: the engine makes several calls at once. */
const gatherMs = 5;

/** Options of a create. */
export interface SendOptions {
  /** Called right before each attempt is sent. */
  onSend: () => void;
  /** Called with the error of each attempt that was sent and failed. */
  onFailed: (error: unknown) => void;
  /** Aborts a single request. A batch continues, because others share it. */
  signal?: AbortSignal;
}

/** A create that was not sent yet. */
interface Pending<Wire> {
  inputs: Inputs;
  options: SendOptions;
  resolve: (wire: Wire) => void;
  reject: (error: unknown) => void;
}

/** The platform created no object of a batch. Each is looked up, then sent individually. */
export class BatchRejected extends Error {}

/**
 * The creates of one run, in batches if the platform accepts them for the kind. A batch creates all or nothing
 * (docs/platform-api.md#batches). After a failed batch each create continues alone, so each error is about its own object.
 */
export class BatchedCreates {
  readonly #gathering = new Map<string, Pending<WireObject>[]>();
  #isOffered = true;

  constructor(private readonly client: Pick<PlatformClient, "clock" | "create" | "createBatch">) {}

  /**
   * Creates the object that `inputs` declare, in a batch if possible.
   *
   * @throws PlatformError see {@link PlatformClient.create}
   * @throws BatchRejected
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
      void forOthersToo(() =>
        this.client.clock.sleep(gatherMs).then(() => {
          if (this.#gathering.get(place) === first) this.#gathering.delete(place);
          return this.#send(kind, parentUid, first);
        }),
      );
    });
  }

  /**
   * Creates the object that `inputs` declare with a single request.
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
    const onFailed = (error: unknown) => {
      for (const { options } of all) options.onFailed(error);
    };
    const bodies = all.map(({ inputs }) => createBody(kind, inputs));
    try {
      const rows = await this.client.createBatch(kind.collection, parentUid, bodies, { onSend, onFailed });
      const made = assigned(kind, all, rows);
      if (made.includes(undefined)) this.#isOffered = false;
      for (const [index, { resolve, reject }] of all.entries()) {
        const row = made[index];
        if (row === undefined) reject(notInAnswer(kind));
        else resolve(row);
      }
    } catch (error) {
      const outcome = outcomeOf(error);
      if (outcome !== "rejected") this.#isOffered = false;
      const reason = outcome === "unknown" ? unknown(kind, error) : new BatchRejected();
      for (const { reject } of all) reject(reason);
    }
  }
}

/** The row of each create: by natural key, else by position, since the platform keeps the order. */
function assigned(kind: Kind, all: Pending<WireObject>[], rows: WireObject[]): (WireObject | undefined)[] {
  const keys = rows.map((row) => naturalKeyOf(kind, kind.observe(row).inputs));
  const byKey = all.map(({ inputs }) => rows[keys.indexOf(naturalKeyOf(kind, inputs))]);
  const isLeft = (row: WireObject | undefined) => row !== undefined && !byKey.includes(row);
  return byKey.map((row, index) => row ?? (rows.length === all.length && isLeft(rows[index]) ? rows[index] : undefined));
}

/** `rejected`: nothing was created. `not offered`: the platform has no such call. `unknown`: it may have been applied, or may still be. */
function outcomeOf(error: unknown): "rejected" | "not offered" | "unknown" {
  const isUnknown: boolean = isOutcomeUnknown(error);
  if (isUnknown || !PlatformError.isInstance(error)) return "unknown";
  if (error.status === undefined) return "rejected";
  if ([404, 405, 501].includes(error.status)) return "not offered";
  // Neither a proxy's rejection nor a failure of the server shows whether the platform applied the batch.
  const isRejection = error.fromPlatform && error.status < 500;
  return isRejection || hasCode(error, "RESOURCE_EXHAUSTED") ? "rejected" : "unknown";
}

/** The error after which each create looks up its object. */
function unknown({ collection }: Kind, cause: unknown): PlatformError {
  if (isOutcomeUnknown(cause)) return cause;
  const why = cause instanceof Error ? cause.message : String(cause);
  return new PlatformError("UNEXPECTED_ANSWER", `Create several ${collection.segment}: ${why}`, { cause });
}

/** The platform reported success, so the object is looked up and never sent again. */
function notInAnswer({ collection }: Kind): PlatformError {
  const message = `Create several ${collection.segment}: the answer does not contain this one.`;
  return new PlatformError("UNEXPECTED_ANSWER", message, { status: 200, fromPlatform: true });
}
