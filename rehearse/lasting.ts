import { decidesAccess, kindNamed } from "../inventory/kinds";
import { objectKey } from "../inventory/objects";
import { declaredInputs, shownDifferences } from "../provider/schema/kind";
import type { Path, Values } from "../provider/schema/values";
import type { Call } from "./calls";
import { isSetBy, placeOf } from "./normal-form";

/** An object after a rehearsal. */
interface Result {
  readonly kind: string;
  readonly uid: string;
  readonly value: Values;
}

/** The end of a rehearsal. */
interface End {
  readonly isOlder: (kind: string, uid: string) => boolean;
  readonly after: readonly Result[];
}

/**
 * The calls whose effect is still there after the rehearsal. A program could give access for a moment, which no comparison shows. Of creates
 * without a natural key, each needs an object of its own.
 */
export function lasting(calls: readonly Call[], { isOlder, after }: End): Call[] {
  const creates = Map.groupBy(
    calls.filter(({ verb }) => verb === "create"),
    ({ kind, uid, body }) => keyOf(kind, uid, body),
  );
  const inPlace = Map.groupBy(after, ({ kind, uid, value }) => keyOf(kind, placeOf({ verb: "update", kind, uid }), value));
  const byUid = Map.groupBy(after, objectKey);
  /** The objects that a call may have made or changed. */
  const resultsOf = (call: Call): readonly Result[] => {
    const { verb, kind, uid, body } = call;
    if (verb !== "create") return byUid.get(objectKey(call)) ?? [];
    const { calls: sent, sharesUid } = kindNamed(kind);
    // A group has one association, so a create that was done came after the older one was deleted.
    const overwrites = sent.update === "post" || sharesUid;
    return (inPlace.get(keyOf(kind, uid, body)) ?? []).filter((object) => overwrites || !isOlder(kind, object.uid));
  };
  const taken = new Set<Result>();
  return calls.filter((call) => {
    const shown = resultsOf(call).filter((each) => isShownIn(call, each.value));
    const object = shown.find((each) => !taken.has(each));
    const { naturalKey, sharesUid } = kindNamed(call.kind);
    if (object !== undefined && call.verb === "create" && naturalKey.length === 0 && !sharesUid) taken.add(object);
    const others = call.verb === "create" ? creates.get(keyOf(call.kind, call.uid, call.body)) : undefined;
    return object !== undefined && !isUnclear(call, others ?? [], shown);
  });
}

/**
 * Equal for creates of one object, and for that object. It has the name that its create sent: if the rehearsal renames it, later calls of
 * the real update mean another object by that name.
 */
function keyOf(kind: string, place: string, values: Values): string {
  const { naturalKey, parentInput } = kindNamed(kind);
  return JSON.stringify([kind, place, ...naturalKey.map((field) => (field === parentInput ? place : values[field]))]);
}

/**
 * True if more creates than objects are alike, and differ in what their objects do not tell: the `ttl` of invites, or the time at which keys
 * expire, which the platform sets where a create does not.
 */
function isUnclear(call: Call, others: readonly Call[], shown: readonly Result[]): boolean {
  if (others.length <= shown.length) return false;
  const alike = others.filter((each) => shown.some(({ value }) => isShownIn(each, value)));
  const isDifferent = alike.some(({ body }) => JSON.stringify(body) !== JSON.stringify(call.body));
  return alike.length > shown.length && isDifferent;
}

/**
 * True if an object is as a call has sent it, in the fields that decide who has access. An object that shows more is limited by a later call,
 * which the real update may leave out.
 */
function isShownIn(call: Call, value: Values): boolean {
  const { verb, kind: name, body } = call;
  const kind = kindNamed(name);
  const isMeant = (path: Path) => (verb === "create" ? path[0] !== kind.parentInput : isSetBy(call, path));
  return shownDifferences(kind, value, declaredInputs(kind, body)).every(
    ({ path }) => !isMeant(path) || !decidesAccess(call, path),
  );
}
