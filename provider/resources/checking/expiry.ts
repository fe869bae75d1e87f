import { isValues, type Values } from "../../schema/values";
import type { Fields } from "../../schema/field";
import { describe, describeExisting, type Kind } from "../../schema/kind";
import type { Declaring } from "../../schema/operation";
import type { Run } from "../run/run";

/** Days before an expiry from which a run announces it. */
const noticeDays = 30;
const dayMs = 86_400_000;

/**
 * Tells the user, once per run, that an object expires within 30 days or has expired. An expiry is no error, because a program must not
 * fail in every run after it.
 *
 * The platform may have filled in the expiry; a declared one replaces it.
 */
export function warnOfExpiry({ kind, uid, olds, news }: Declaring, run: Pick<Run, "notify">): void {
  const expiries = new Map([...expiriesOf(kind.fields, olds), ...expiriesOf(kind.fields, news)]);
  for (const [path, expiry] of expiries) {
    const days = (Date.parse(expiry) - Date.now()) / dayMs;
    if (!(days < noticeDays)) continue;
    const [what, remedy] =
      uid === undefined
        ? [describe(kind, news), "Declare a later time, or omit it."]
        : [describeExisting(kind, uid, news), `Declare a later time if the platform allows one; otherwise ${recreating(kind)}.`];
    const when = days <= 0 ? "expired" : days < 1 ? "expires in less than a day" : `expires in ${Math.floor(days)} days`;
    run.notify(`warning: ${what} ${when}: ${path} is ${expiry}. ${remedy}`);
  }
}

/** How to recreate an object, as a part of a sentence. Two objects cannot have one natural key, so the old one goes first. */
export function recreating({ naturalKey }: Pick<Kind, "naturalKey">): string {
  const option = naturalKey.length === 0 ? "" : "set `deleteBeforeReplace: true` on the resource, and ";
  return `${option}run \`pulumi up --replace <urn>\` to recreate it`;
}

/** The same for a new object. The diff of any other one tells it. */
export function warnOfExpiryOfNew(declaring: Declaring, run: Pick<Run, "notify">): void {
  if (Object.keys(declaring.olds).length === 0) warnOfExpiry(declaring, run);
}

/** The times at which the object expires, by the dotted path of their field. */
function expiriesOf(fields: Fields, values: Values, prefix = ""): [string, string][] {
  return Object.entries(fields).flatMap(([name, { shape, traits }]): [string, string][] => {
    const value = values[name];
    if (traits.expiry && typeof value === "string") return [[prefix + name, value]];
    return shape.is === "message" && isValues(value) ? expiriesOf(shape.members, value, `${prefix}${name}.`) : [];
  });
}
