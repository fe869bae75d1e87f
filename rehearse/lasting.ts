import { decidesAccess, kindNamed } from "../inventory/kinds";
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
export function lasting(calls: readonly Call[], end: End): Call[] {
  const taken = new Set<Result>();
  return calls.filter((call) => {
    const shown = resultsOf(call, end).filter((each) => isShownIn(call, each.value));
    const object = shown.find((each) => !taken.has(each));
    const { naturalKey, sharesUid } = kindNamed(call.kind);
    if (object !== undefined && call.verb === "create" && naturalKey.length === 0 && !sharesUid) taken.add(object);
    return object !== undefined && !isUnclear(call, calls, shown);
  });
}

/**
 * True if more creates than objects are alike, and differ in what their objects do not tell: the `ttl` of invites, or the time at which keys
 * expire, which the platform sets where a create does not.
 */
function isUnclear(call: Call, calls: readonly Call[], shown: readonly Result[]): boolean {
  const alike = calls.filter(
    (each) => each.verb === "create" && keyOf(each) === keyOf(call) && shown.some(({ value }) => isShownIn(each, value)),
  );
  const isDifferent = alike.some(({ body }) => JSON.stringify(body) !== JSON.stringify(call.body));
  return call.verb === "create" && alike.length > shown.length && isDifferent;
}

function keyOf({ kind, uid }: Call): string {
  return `${kind} ${uid}`;
}

/** The objects that a call may have made or changed. */
function resultsOf({ verb, kind, uid }: Call, { after, isOlder }: End): Result[] {
  const all = after.filter((object) => object.kind === kind);
  if (verb !== "create") return all.filter((object) => object.uid === uid);
  const { calls, sharesUid } = kindNamed(kind);
  // A group has one association, so a create that was done came after the older one was deleted.
  const overwrites = calls.update === "post" || sharesUid;
  const inPlace = all.filter((object) => placeOf({ verb: "update", kind, uid: object.uid }) === uid);
  return inPlace.filter((object) => overwrites || !isOlder(kind, object.uid));
}

/**
 * True if an object is as a call has sent it, in the fields that decide who has access. An object that shows more is limited by a later call,
 * which the real update may leave out. A new object also has the name that its create sent: by that name, later calls of the real update
 * mean another object.
 */
function isShownIn(call: Call, value: Values): boolean {
  const { verb, kind: name, body } = call;
  const kind = kindNamed(name);
  const decides = ([field = "", ...members]: Path) =>
    verb === "create"
      ? field !== kind.parentInput && (kind.naturalKey.includes(field) || decidesAccess(call, [field]))
      : decidesAccess(call, [field]) && isSetBy(call, [field, ...members]);
  return !shownDifferences(kind, value, declaredInputs(kind, body)).some(({ path }) => decides(path));
}
