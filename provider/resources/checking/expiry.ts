import type { Values } from "../../schema/values";
import type { Fields } from "../../schema/field";
import { describe, type Inputs, type Kind } from "../../schema/kind";
import type { Run } from "../run/run";

/** How long before an expiry a run announces it. */
const noticeDays = 30;
const dayMs = 86_400_000;

/**
 * Tells the user, once per run, that an object expires within 30 days or has expired. It is no error: a program whose time has come
 * must not fail in every run.
 *
 * @param uid undefined for a new object
 * @param olds the state, since the platform may have filled in the expiry; for a new object, its inputs
 * @param news what the program declares; an expiry here replaces the one in `olds`
 */
export function warnOfExpiry(
  kind: Kind,
  uid: string | undefined,
  olds: Inputs,
  news: Inputs,
  run: Pick<Run, "notifyOnce">,
): void {
  for (const [path, old] of expiriesOf(kind.fields, olds)) {
    const declared = expiriesOf(kind.fields, news).find(([name]) => name === path)?.[1];
    const expiry = declared ?? old;
    const days = (Date.parse(expiry) - Date.now()) / dayMs;
    if (!(days < noticeDays)) continue;
    const [what, remedy] =
      uid === undefined
        ? [describe(kind, news), "Declare a later time, or omit it."]
        : [
            `${describe(kind, news)} (${uid})`,
            "Declare a later time if the platform allows one; otherwise `pulumi up --replace <urn>` recreates it.",
          ];
    const when = days <= 0 ? "expired" : days < 1 ? "expires in less than a day" : `expires in ${Math.floor(days)} days`;
    run.notifyOnce(`warning: ${what} ${when}: ${path} is ${expiry}. ${remedy}`);
  }
}

/** The times at which the object expires, by the dotted path of their field. */
function expiriesOf(fields: Fields, values: Values, prefix = ""): [string, string][] {
  return Object.entries(fields).flatMap(([name, { shape, traits }]): [string, string][] => {
    const value = values[name];
    if (traits.expiry && typeof value === "string") return [[prefix + name, value]];
    if (shape.is !== "message" || typeof value !== "object" || value === null) return [];
    return expiriesOf(shape.members, value as Values, `${prefix}${name}.`);
  });
}
