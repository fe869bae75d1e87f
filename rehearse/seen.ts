import { kindNamed, kindNames, listedKinds } from "../inventory/kinds";
import { objectKey } from "../inventory/objects";
import { referencesInValue } from "../inventory/references";
import type { BoundClient } from "../provider/client/bounds";
import { messageOf } from "../provider/client/errors";
import { lineageOf, parentOf } from "../provider/client/uid";
import { isValues, type Values } from "../provider/schema/values";
import type { Call } from "./calls";
import type { Ledger, LedgerObject } from "./ledger";
import { childPath, decidingFields, type GrantingCall, isSetBy, type Objects, placeOf } from "./normal-form";

/** An object that a call names. */
export interface Named {
  /** Published name of its kind. */
  readonly kind: string;
  readonly uid: string;
}

/** An object as the platform shows it now, or why it cannot be read. */
export type Now = Named &
  ({ readonly name: string | undefined; readonly value: Values; readonly createTime: unknown } | { readonly failure: string });

const kindsBySegment = new Map([...listedKinds].map(([name, { collection }]) => [collection.segment, name]));

/** The objects that a call names: its place, the object that it changes, and those to which it refers. A person never changes. */
export function objectsOf(call: Call): Named[] {
  const kind = kindNamed(call.kind);
  const place = { kind: kindsBySegment.get(kind.parents.segment) ?? kindNames.group, uid: placeOf(call) };
  const own = call.verb === "create" ? [] : [{ kind: call.kind, uid: call.uid }];
  return [place, ...own, ...referredBy(call.kind, call.body)].filter(isChangeable);
}

/** The objects to which an update leaves the references: the identity that gets another role, or the role that another identity gets. */
export function keptBy(call: Call, now: Now): Named[] {
  if (call.verb !== "update" || objectKey(call) !== objectKey(now) || !("value" in now)) return [];
  const kept = Object.entries(now.value).filter(([field]) => !isSetBy(call, [field]));
  return referredBy(call.kind, Object.fromEntries(kept)).filter(isChangeable);
}

function referredBy(kind: string, values: Values): Named[] {
  return referencesInValue(kindNamed(kind), values).map(({ kind: of, uid }) => ({ kind: of, uid }));
}

/** False for a person. */
function isChangeable({ kind, uid }: Named): boolean {
  return kind !== kindNames.identity || parentOf(uid) !== undefined;
}

/** The objects whose names make up the path of an object, and those of its references. */
export function needsOf(object: Named | Now): Named[] {
  const around = lineageOf(parentOf(object.uid)).map((uid) => ({ kind: kindNames.group, uid }));
  return [...around, ...("value" in object ? referredBy(object.kind, object.value) : [])];
}

/** Reads an object. */
export async function readNow(client: BoundClient, { kind: of, uid }: Named): Promise<Now> {
  const kind = kindNamed(of);
  try {
    const row = await client.get(kind.collection, uid);
    const { inputs: value, outputs } = kind.observe(row);
    const name = "name" in kind.fields && !kind.sharesUid ? String(value["name"]) : undefined;
    return { kind: of, uid, name, value, createTime: outputs["createTime"] };
  } catch (error) {
    return { kind: of, uid, failure: messageOf(error) };
  }
}

/** The objects of a call as they are now, beside the ledger's. */
export class Seen implements Objects {
  /**
   * @param ledger of the rehearsal
   * @param known those that are older than the rehearsal, by uid
   * @param own names of the objects of this process, by uid
   */
  constructor(
    private readonly ledger: Pick<Ledger, "objects" | "since">,
    private readonly known: ReadonlyMap<string, readonly LedgerObject[]>,
    private readonly own: ReadonlyMap<string, string>,
    private readonly shown: readonly Now[],
  ) {}

  /** The path in the ledger for an object that is older than the rehearsal, and else the one of now. */
  reference(uid: string): string {
    const known = this.known.get(uid)?.find(({ name }) => name !== undefined);
    if (known !== undefined) return known.path;
    const shown = this.shown.flatMap((each) =>
      each.uid === uid && "name" in each && each.name !== undefined ? [each.name] : [],
    );
    const [parent, name] = [parentOf(uid), this.own.get(uid) ?? shown[0]];
    return parent === undefined || name === undefined ? uid : childPath(this.reference(parent), name);
  }

  isOlder(kind: string, uid: string): boolean {
    return this.known.get(uid)?.some((each) => each.kind === kind) === true;
  }

  valueOf(kind: string, uid: string): Values {
    const now = this.shown.find((each) => each.kind === kind && each.uid === uid);
    return now !== undefined && "value" in now ? now.value : {};
  }

  /** The first object that is not as it was rehearsed for a call, in a sentence; undefined if all are. */
  change(call: GrantingCall): string | undefined {
    return this.shown.map((now) => this.#changeOf(now, call)).find((change) => change !== undefined);
  }

  #changeOf(now: Now, call: GrantingCall): string | undefined {
    const path = this.reference(now.uid);
    const what = `The ${kindNamed(now.kind).collection.noun} ${path}`;
    if ("failure" in now) return `${what} cannot be read again: ${now.failure}`;
    const sameUid = this.known.get(now.uid)?.filter(({ kind }) => kind === now.kind) ?? [];
    const isMade = ({ kind, uid, path: made }: LedgerObject) => kind === now.kind && uid === undefined && made === path;
    const candidates =
      sameUid.length > 0 ? sameUid : this.#isOld(now.kind, now.createTime) ? [] : this.ledger.objects.filter(isMade);
    const decides = decidingFields(now.kind, now.value, this, sameUid.length === 0);
    const same = candidates.find((each) => each.name === now.name && isSame(each.decides, decides));
    if (same !== undefined) {
      const isChangedByCall = call.verb === "update" && call.uid === now.uid && call.kind === now.kind;
      return same.former === true ? stillFormer(what, same, candidates, isChangedByCall ? call : undefined) : undefined;
    }
    if (candidates.length === 0) return `${what} is another object than the one that was rehearsed.`;
    if (candidates.every(({ name }) => name !== now.name)) return `${what} is now called ${String(now.name)}.`;
    const changed = differing(decides, candidates);
    return `${what} has changed since it was rehearsed: ${changed.join(", ")}.`;
  }

  /** True for a group that the rehearsal cannot have made. It may have got the name since, and no field of it decides who has access. */
  #isOld(kind: string, createTime: unknown): boolean {
    return kind === kindNames.group && !(Date.parse(String(createTime)) >= Date.parse(this.ledger.since));
  }
}

/**
 * Why an object that is as before the rehearsal could give more than afterwards, in a sentence; undefined if it cannot. The program may not make the
 * rehearsed change at all.
 *
 * @param change the call, if it changes the object itself
 */
function stillFormer(
  what: string,
  former: LedgerObject,
  states: readonly LedgerObject[],
  change: GrantingCall | undefined,
): string | undefined {
  const last = states.filter((each) => each.former !== true).map((each) => ({ ...each, decides: leftBy(change, each.decides) }));
  if (last.length === 0) return `${what} is deleted by the rehearsed update.`;
  const decides = leftBy(change, former.decides);
  const broader = differing(decides, last).filter((field) => !last.some((each) => isWithin(decides[field], each.decides[field])));
  if (broader.length === 0) return undefined;
  return `${what} is still as before the rehearsed update: ${broader.join(", ")}. A second run may find it changed.`;
}

/** The fields and members that a change leaves as they are. */
function leftBy(change: GrantingCall | undefined, decides: LedgerObject["decides"]): LedgerObject["decides"] {
  if (change === undefined) return decides;
  return Object.fromEntries(
    Object.entries(decides).flatMap(([field, value]) => {
      if (!isSetBy(change, [field])) return [[field, value]];
      const left = Object.entries(isValues(value) ? value : {}).filter(([member]) => !isSetBy(change, [field, member]));
      return left.length === 0 ? [] : [[field, Object.fromEntries(left)]];
    }),
  );
}

/** The fields in which an object differs from each of its states. */
function differing(decides: LedgerObject["decides"], states: readonly LedgerObject[]): string[] {
  const fields = [...new Set(states.flatMap((each) => Object.keys({ ...each.decides, ...decides })))];
  return fields.filter((field) => states.every((each) => !isSame(each.decides[field], decides[field])));
}

/** True for a list, such as capabilities, of which another list has all. */
function isWithin(one: unknown, other: unknown): boolean {
  return Array.isArray(one) && Array.isArray(other) && one.every((each) => other.includes(each));
}

/** True for equal values in canonical form, whose members are sorted. */
function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
