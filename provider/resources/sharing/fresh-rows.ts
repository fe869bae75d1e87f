import type { PlatformClient } from "../../client/client";
import { platformErrorAs } from "../../client/errors";
import { organizationOf } from "../../client/uid";
import type { Kind, Observed } from "../../schema/kind";
import { SharedQuestions } from "./shared-questions";

interface Asked {
  readonly kind: Kind;
  readonly uid: string;
}

/**
 * Rows of objects that are about to be changed, none of them older than the call. Calls at the same time share one List. As for other
 * reads, a row can only confirm. An object that differs or is not listed is read individually.
 */
// See docs/decisions/0014-reads-are-shared-through-lists.md.
export class FreshRows {
  readonly #questions: SharedQuestions<Asked, ReadonlyMap<string, Observed>>;
  /** Kinds whose List has failed. Another attempt would cost each update a request. */
  readonly #unlisted = new Set<string>();

  /** Earlier runs of this stack wrote before it. */
  readonly #startedAt: number;

  constructor(private readonly client: Pick<PlatformClient, "list" | "clock" | "timing">) {
    this.#startedAt = client.clock.now();
    this.#questions = new SharedQuestions(client.clock, (asked) => this.#rows(asked));
  }

  /** The row of the object `uid`; undefined if no List shows it, or if nothing else is being changed. */
  async of(kind: Kind, uid: string): Promise<Observed | undefined> {
    const { segment } = kind.collection;
    if (kind.calls.list === "unreliable" || this.#unlisted.has(segment)) return undefined;
    const rows = await this.#questions.about(`${segment} in ${organizationOf(uid)}`, { kind, uid });
    return rows.get(uid);
  }

  /** Milliseconds until every read shows what earlier runs of this stack wrote. */
  get staleForMs(): number {
    const { clock, timing } = this.client;
    return timing.propagationMs - (clock.now() - this.#startedAt);
  }

  async #rows(asked: readonly Asked[]): Promise<ReadonlyMap<string, Observed>> {
    const [first, ...others] = asked;
    if (first === undefined || others.length === 0) return new Map();
    const { kind } = first;
    const { collection } = kind;
    const rows = await this.client
      .list(collection, { uids: asked.map(({ uid }) => uid) })
      .catch(platformErrorAs(() => undefined));
    if (rows === undefined) this.#unlisted.add(collection.segment);
    return new Map(rows?.map((row) => [row.uid, kind.observe(row)]));
  }
}
