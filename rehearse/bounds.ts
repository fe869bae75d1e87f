import { kindNamed, kindNames } from "../inventory/kinds";
import { objectKey } from "../inventory/objects";
import type { BoundClient, Bounds, ProposedCall } from "../provider/client/bounds";
import { isOutcomeUnknown } from "../provider/client/outcome";
import { SingleFlight } from "../provider/client/single-flight";
import type { RegistryTokenRequest } from "../provider/client/token-source";
import { lineageOf } from "../provider/client/uid";
import { valueAt } from "../provider/schema/values";
import { type Call, callsIn } from "./calls";
import { type Ledger, type LedgerObject, registryToken } from "./ledger";
import { effectOf, type GrantingCall, mayGrant, normalForm } from "./normal-form";
import { noSuchCall, notRehearsed } from "./refusal";
import { keptBy, type Named, needsOf, type Now, objectsOf, readNow, Seen } from "./seen";

/** Limits a process to the granting calls of a ledger, whose objects must be as they were rehearsed. */
// See docs/decisions/0065-a-bound-run-is-checked-on-the-wire.md.
export class RehearsedOnly implements Bounds {
  readonly #effects: ReadonlySet<string>;
  /** How many more calls of an effect may be sent, where that is limited. */
  readonly #left: Map<string, number>;
  readonly #known = new Map<string, LedgerObject[]>();
  /** Names of the objects that this process has made, or has changed as rehearsed, by uid. */
  readonly #own = new Map<string, string>();
  readonly #reads = new SingleFlight<Now>("nothing");

  /** @param origins see {@link Bounds.origins} */
  constructor(
    private readonly ledger: Ledger,
    readonly origins: readonly string[],
  ) {
    this.#effects = new Set(ledger.calls.map(effectOf));
    this.#left = new Map(ledger.calls.flatMap(({ times, ...call }) => (times === undefined ? [] : [[effectOf(call), times]])));
    for (const object of ledger.objects)
      if (object.uid !== undefined) this.#known.set(object.uid, [...(this.#known.get(object.uid) ?? []), object]);
  }

  async within(client: BoundClient, proposed: ProposedCall, send: () => Promise<unknown>): Promise<unknown> {
    const calls = changesIn(proposed);
    const reserved: (() => void)[] = [];
    try {
      for (const call of calls.filter(mayGrant)) {
        const seen = await this.#see(client, objectsOf(call), (now) => keptBy(call, now));
        const normal = normalForm(call, seen);
        this.#verify(normal, seen);
        reserved.push(this.#reserve(normal));
      }
      const answer = await send();
      this.#remember(calls, answer);
      return answer;
    } catch (error) {
      if (!isOutcomeUnknown(error)) for (const giveBack of reserved) giveBack();
      throw error;
    }
  }

  async permitRegistryToken(client: BoundClient, { registry, identity }: RegistryTokenRequest): Promise<void> {
    const uid = identity ?? (await client.caller())?.uid ?? "";
    const seen = await this.#see(client, [{ kind: kindNames.identity, uid }]);
    this.#verify(registryToken(registry, seen.reference(uid)), seen);
  }

  /**
   * These objects as they are now, with the new ones around them and those to which they refer, whose names make up their paths.
   *
   * @param andOf further objects of this sort, by one that was read
   */
  async #see(client: BoundClient, named: readonly Named[], andOf: (now: Now) => Named[] = () => []): Promise<Seen> {
    const shown: Now[] = [];
    const asked = new Set<string>();
    const needed = new Set(named.map(objectKey));
    let wanted = named;
    let next: readonly Named[];
    do {
      next = wanted.filter((each) => !this.#own.has(each.uid) && !asked.has(objectKey(each)));
      for (const each of next) asked.add(objectKey(each));
      const now = await Promise.all(next.map((each) => this.#reads.once(objectKey(each), () => readNow(client, each))));
      // An object around these that cannot be read has no path, which shows in the call.
      shown.push(...now.filter((each) => needed.has(objectKey(each)) || "value" in each));
      const more = now.flatMap(andOf);
      for (const each of more) needed.add(objectKey(each));
      wanted = [...more, ...[...wanted, ...now].flatMap(needsOf).filter(({ uid }) => this.#isUnknown(uid))];
    } while (next.length > 0);
    return new Seen(this.ledger, this.#known, this.#own, shown);
  }

  /** True for an object of a rehearsed organisation that an earlier run with the same file may have made. */
  #isUnknown(uid: string): boolean {
    return !this.#known.has(uid) && this.#known.has(lineageOf(uid).at(-1) ?? "");
  }

  /** @throws PlatformError `NOT_REHEARSED` for a call that is not in the ledger, or with an object that has changed since */
  #verify(call: GrantingCall, seen: Seen): void {
    if (!this.#effects.has(effectOf(call))) throw notRehearsed(call, noSuchCall(call, this.ledger));
    const changed = seen.change(call);
    if (changed !== undefined) throw notRehearsed(call, changed);
  }

  /** Takes a call of which only so many were rehearsed. @returns a function that gives it back */
  #reserve(call: GrantingCall): () => void {
    const effect = effectOf(call);
    const left = this.#left.get(effect);
    if (left === undefined) return () => undefined;
    if (left === 0)
      throw notRehearsed(call, "The rehearsal made fewer of them, or an earlier attempt of this run may have made it.");
    this.#left.set(effect, left - 1);
    return () => void this.#left.set(effect, (this.#left.get(effect) ?? 0) + 1);
  }

  /** Remembers the objects that a call has made, or has changed as it was rehearsed. */
  #remember(calls: readonly Call[], answer: unknown): void {
    const [first] = calls.filter((call) => call.verb === "create" || mayGrant(call));
    if (first === undefined || kindNamed(first.kind).sharesUid) return;
    const batch = valueAt(answer, [kindNamed(first.kind).collection.segment]);
    for (const object of Array.isArray(batch) ? (batch as unknown[]) : [answer]) {
      const [uid, name] = [valueAt(object, ["uid"]), valueAt(object, ["name"])];
      if (typeof uid === "string" && typeof name === "string") this.#own.set(uid, name);
    }
  }
}

/** @throws PlatformError `NOT_REHEARSED` for a call that this release does not know */
function changesIn({ method, path, body = {} }: ProposedCall): Call[] {
  const sent = { method, path: path.replace("{version}", "v2"), query: "", status: 200 };
  const calls = callsIn([{ ...sent, body: JSON.parse(JSON.stringify(body)) as unknown }]);
  if (calls.length === 0)
    throw notRehearsed(
      `${method} ${path.replace("/{version}", "")}`,
      "A bound run sends no change that this release does not know.",
    );
  return calls;
}
