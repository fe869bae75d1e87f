import { decidesAccess, kindNamed } from "../inventory/kinds";
import { type Field, own } from "../provider/schema/field";
import { isValues, type Values } from "../provider/schema/values";
import type { Call } from "./calls";
import { placeOf, withoutSecrets } from "./normal-form";

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
    const object = resultsOf(call, end).find((each) => !taken.has(each) && isShownIn(call, each.value));
    const { naturalKey, sharesUid } = kindNamed(call.kind);
    if (object !== undefined && call.verb === "create" && naturalKey.length === 0 && !sharesUid) taken.add(object);
    return object !== undefined;
  });
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
 * True if an object shows what a call has sent, of the fields that decide who has access. An object that shows more is limited by a later
 * call, which the real update may leave out.
 */
function isShownIn({ verb, kind, body }: Call, value: Values): boolean {
  const { fields, parentInput } = kindNamed(kind);
  const [sent, shown] = [withoutSecrets(body, kind), withoutSecrets(value, kind)];
  const names = Object.keys(verb === "create" ? { ...shown, ...sent } : sent).filter(
    (name) => name !== parentInput && decidesAccess({ kind }, [name]) && fields[name]?.traits.writeOnly !== true,
  );
  return names.every((name) => agrees(shown[name], sent[name], own(fields, name)));
}

/** True for equal values. The platform may fill a field that was not sent, and order lists. */
function agrees(shown: unknown, sent: unknown, field: Field | undefined): boolean {
  if (isEmpty(sent)) return isEmpty(shown) || field?.by === "filled";
  if (Array.isArray(sent)) return Array.isArray(shown) && textOf(shown) === textOf(sent);
  if (!isValues(sent)) return shown === sent || isSameTime(shown, sent);
  if (!isValues(shown)) return false;
  const members = field?.shape.is === "message" ? field.shape.members : {};
  return Object.keys({ ...shown, ...sent }).every((name) => agrees(shown[name], sent[name], own(members, name)));
}

/** True for a value that the platform does not store. */
function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null || value === "" || value === false || value === 0) return true;
  return typeof value === "object" && Object.values(value).every(isEmpty);
}

function isSameTime(one: unknown, other: unknown): boolean {
  const [first, second] = [one, other].map((value) =>
    /^\d{4}-\d\d-\d\dT/.test(String(value)) ? Date.parse(String(value)) : NaN,
  );
  return first === second;
}

function textOf(list: readonly unknown[]): string {
  return JSON.stringify(list.map((each) => JSON.stringify(each)).sort());
}
