import type { Values } from "../../kinds/canonical";
import type { Fields } from "../../kinds/field";
import { describe, type Inputs, type Kind } from "../../kinds/kind";
import type { Run } from "../run";

/** How long before an expiry a run announces it. */
const noticeDays = 30;
const dayMs = 86_400_000;

/**
 * Tells the user, once per run, that an object expires within 30 days or has expired.
 *
 * @param olds the object's state: the platform may have filled in the expiry
 * @param news what the program declares; an expiry here replaces the one in `olds`
 */
export function warnOfExpiry(kind: Kind, uid: string, olds: Inputs, news: Inputs, run: Pick<Run, "notify" | "expiring">): void {
  for (const [path, old] of expiriesOf(kind.fields, olds)) {
    const declared = expiriesOf(kind.fields, news).find(([name]) => name === path)?.[1];
    const expiry = declared ?? old;
    const days = (Date.parse(expiry) - Date.now()) / dayMs;
    if (!(days < noticeDays) || run.expiring.has(kind.collection, uid)) continue;
    run.expiring.add(kind.collection, uid);
    const when = days <= 0 ? "expired" : days < 1 ? "expires in less than a day" : `expires in ${Math.floor(days)} days`;
    run.notify(
      `warning: ${describe(kind, news)} (${uid}) ${when}: ${path} is ${expiry}. ` +
        "Declare a later time if the platform allows one; otherwise `pulumi up --replace <urn>` recreates it.",
    );
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
