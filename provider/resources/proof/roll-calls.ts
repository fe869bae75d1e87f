import type { PlatformClient } from "../../client/client";
import type { WireObject } from "../../client/collection";
import { platformErrorAs } from "../../client/errors";
import { maxPageSize } from "../../client/list-page";
import { SingleFlight } from "../../client/single-flight";
import { isAtOrBelow, lineageOf, organizationOf } from "../../client/uid";
import { group } from "../../kinds/group";
import { isKind, type Kind } from "../../schema/kind";
import { grantsOf, rolesAt } from "../guards/own-access";
import { SharedQuestions } from "../sharing/shared-questions";
import { Seen } from "./seen";

/** How many other objects are requested and remembered as controls, which show that a List works. */
const controlCount = 10;

/**
 * What the List of its kind shows of an object that may be gone:
 *
 * - `shown`: the object itself.
 * - `absent`: not the object, but a control, an object in the same place or in a group above. The List would show both.
 * - `alike`: not the object. It shows controls elsewhere in the organisation, and these credentials have the same roles here as there.
 * - `unknown`: not the object, and nothing that the List would show only together with it.
 */
export type Sighting = "shown" | "absent" | "alike" | "unknown";

/** An object that may be gone. */
export interface Missing {
  readonly kind: Kind;
  readonly uid: string;
  /** The nearest group around it that these credentials can read; undefined if none was requested. */
  readonly place?: string | undefined;
}

/** Asks the Lists about objects that may be gone. Every answer is newer than the call, and shared by the calls that wait for it. */
export class RollCalls {
  readonly #questions: SharedQuestions<Missing, ReadonlyMap<string, Sighting>>;
  /** Uids in the last answer of a List, by kind and organisation. */
  readonly #controls = new Map<string, readonly string[]>();
  /** By kind and organisation. */
  readonly #seen = new SingleFlight<Seen>();
  /** How many DELETEs of this run have no answer yet, by List: if they succeed, questions about their objects follow. */
  readonly #deleting = new Map<string, number>();

  constructor(private readonly client: Pick<PlatformClient, "list" | "listSome" | "listUpTo" | "caller" | "clock">) {
    this.#questions = new SharedQuestions(
      client.clock,
      (missing) => this.#call(missing),
      (list) => (this.#deleting.get(list) ?? 0) > 0,
    );
  }

  /** What the List shows before this run deletes objects of the kind in the organisation of `uid`: one request for all of them. */
  before(kind: Kind, uid: string): Promise<Seen> {
    const look = async () => {
      const scope = { descendantsOf: organizationOf(uid) };
      const listed = await this.client.listUpTo(kind.collection, scope, maxPageSize).catch(platformErrorAs(() => undefined));
      return new Seen(listed?.rows);
    };
    return this.#seen.once(listOf({ kind, uid }), look);
  }

  /** What {@link before} has returned for such objects; undefined if it was not called. */
  async seen(missing: Missing): Promise<Seen | undefined> {
    return this.#seen.known(listOf(missing));
  }

  /** @throws PlatformError if the List fails */
  async sighting(missing: Missing): Promise<Sighting> {
    const sightings = await this.#questions.about(listOf(missing), missing);
    return sightings.get(missing.uid) ?? "unknown";
  }

  /** Runs `send`, a DELETE of the object. Questions about others of its kind wait for it a moment, so that one List answers all. */
  async deleting<Result>(kind: Kind, uid: string, send: () => Promise<Result>): Promise<Result> {
    const list = listOf({ kind, uid });
    const count = (change: number) => this.#deleting.set(list, (this.#deleting.get(list) ?? 0) + change);
    count(1);
    try {
      return await send();
    } finally {
      count(-1);
    }
  }

  /** Whether the List now shows another object in the same place as `uid` or in a group above. False if it fails. */
  async showsAnother(kind: Kind, uid: string): Promise<boolean> {
    for (const childrenOf of lineageOf(kind.placeOf(uid))) {
      const rows = await this.client.listSome(kind.collection, { childrenOf }, controlCount).catch(platformErrorAs(() => []));
      if (rows.some((row) => row.uid !== uid)) return true;
    }
    return false;
  }

  /** The sightings of `missing`, all of one kind and organisation. */
  async #call(missing: readonly Missing[]): Promise<ReadonlyMap<string, Sighting>> {
    const [first] = missing as [Missing, ...Missing[]];
    const { kind } = first;
    const wanted = new Set(missing.map(({ uid }) => uid));
    const shown = new Set<string>();
    let controls: readonly string[] = [];
    // Objects and controls come from the same answer: access may change between two.
    const list = async (candidates: readonly string[]) => {
      const rows = await this.client.list(kind.collection, { uids: [...wanted, ...candidates] });
      for (const { uid } of rows) if (wanted.has(uid)) shown.add(uid);
      controls = rows.map(({ uid }) => uid).filter((uid) => !wanted.has(uid));
    };
    const uncovered = () => [...wanted].filter((uid) => !controls.some((control) => covers(kind, control, uid)));
    // A readable group covers the groups in it.
    await list(isKind(kind, group) ? missing.flatMap(({ place }) => place ?? []) : (this.#controls.get(listOf(first)) ?? []));
    // An empty List of another kind is normal, so controls would prove nothing.
    if (kind.calls.list === "shows") {
      const candidates = uncovered().length === 0 ? [] : await this.#candidates(first, wanted);
      if (candidates.length > 0) await list(candidates);
      this.#controls.set(listOf(first), controls.slice(0, controlCount));
    }
    const open = uncovered();
    const alike = await this.#alike(controls, open);
    const sightingOf = (uid: string): Sighting => {
      if (shown.has(uid)) return "shown";
      if (!open.includes(uid)) return "absent";
      return alike.has(uid) ? "alike" : "unknown";
    };
    return new Map([...wanted].map((uid) => [uid, sightingOf(uid)]));
  }

  /** Objects that the List shows in the organisation. Those directly below its root cover all of it. */
  async #candidates(missing: Missing, unwanted: ReadonlySet<string>): Promise<string[]> {
    const { collection } = missing.kind;
    const organization = organizationOf(missing.uid);
    const wanted = ({ uid }: WireObject) => !unwanted.has(uid);
    const children = await this.client.listSome(collection, { childrenOf: organization }, controlCount);
    if (children.some(wanted)) return children.filter(wanted).map(({ uid }) => uid);
    const query = { descendantsOf: organization };
    const { rows: all } = await this.client.listUpTo(collection, query, maxPageSize);
    const rows = all ?? (await this.client.listSome(collection, query, controlCount));
    // An empty answer may only mean that the caller sees nothing.
    if (rows.some(wanted)) (await this.seen(missing))?.note(all);
    return rows
      .filter(wanted)
      .slice(0, controlCount)
      .map(({ uid }) => uid);
  }

  /**
   * Those of `uids` in whose place these credentials have each role that they have where one of `controls` is. If the caller is
   * unknown, nothing can be compared and all count as alike.
   */
  async #alike(controls: readonly string[], uids: readonly string[]): Promise<ReadonlySet<string>> {
    if (controls.length === 0 || uids.length === 0) return none;
    const caller = await this.client.caller();
    if (caller === undefined) return new Set(uids);
    // A caller that sees no binding of its own may have lost them, or the right to list them: nothing is alike.
    const grants = await grantsOf(this.client, caller.uid).catch(platformErrorAs(() => []));
    if (grants.length === 0) return none;
    const there = controls.map((control) => rolesAt(grants, control)).filter((roles) => roles.length > 0);
    const isAlike = (here: readonly string[]) => there.some((roles) => roles.every((role) => here.includes(role)));
    return new Set(uids.filter((uid) => isAlike(rolesAt(grants, uid))));
  }
}

const none: ReadonlySet<string> = new Set();

/** The List that shows the object, as a key. */
function listOf({ kind, uid }: Missing): string {
  return `${kind.collection.segment} ${organizationOf(uid)}`;
}

/** True if whoever sees `control` also sees `uid`: roles are inherited downwards. */
function covers(kind: Kind, control: string, uid: string): boolean {
  const place = isKind(kind, group) ? control : kind.placeOf(control);
  return place !== undefined && isAtOrBelow(kind.placeOf(uid) ?? "", place);
}
