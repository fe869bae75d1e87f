import { decidesAccess, kindNamed } from "../inventory/kinds";
import type { Values } from "../provider/schema/values";
import type { Call } from "./calls";
import { withoutSecrets } from "./normal-form";

/** True if an object shows every field that a call has sent, of those that decide who has access. */
export function isShownIn({ kind, body }: Call, value: Values): boolean {
  const { fields } = kindNamed(kind);
  return Object.entries(withoutSecrets(body, kind))
    .filter(([field]) => decidesAccess({ kind }, [field]) && fields[field]?.traits.writeOnly !== true)
    .every(([field, sent]) => contains(value[field], sent));
}

/** True if every member of `sent` is in `shown`. The platform may fill others, and order lists. */
function contains(shown: unknown, sent: unknown): boolean {
  if (isEmpty(sent)) return isEmpty(shown);
  if (Array.isArray(sent)) return Array.isArray(shown) && textOf(shown) === textOf(sent);
  if (typeof sent !== "object" || sent === null) return shown === sent || isSameTime(shown, sent);
  if (typeof shown !== "object" || shown === null) return false;
  return Object.entries(sent).every(([name, member]) => contains((shown as Values)[name], member));
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
