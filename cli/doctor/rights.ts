import { areInOneLine, isAtOrBelow } from "../../provider/client/uid";
import { isChanging, type Level, levelOf } from "../../access/capabilities";
import { capabilitiesFor, groupOf, kindNamed } from "../../inventory/kinds";
import type { DeclaredObject } from "../../inventory/objects";
import type { OwnRights } from "../../inventory/sight";
import type { Verb } from "../../provider/client/capability";
import { list } from "../../provider/client/printable";
import type { Finding } from "../documents/doctor";

/** An object whose kind and place decide the rights that a program needs. */
type Placed = Pick<DeclaredObject, "kind" | "uid" | "place">;

/** Maximum number of names, beyond which nobody reads the text. */
const mostNamed = 12;

const powers: Readonly<Record<Level, string>> = {
  control: "decide who has access",
  unknown: "do unknown things",
  grant: "give and take access",
  write: "change things other than access",
  read: "only read",
  none: "do nothing",
};

/** The rights that role bindings in `organization` and above give these credentials. */
export function rightsFinding(own: OwnRights, organization: string): Finding {
  const check = "rights";
  if ("unknown" in own) return { check, status: "warning", message: `What these credentials may do is unknown: ${own.unknown}.` };
  const held = [...capabilitiesIn(own.rights, organization)].sort();
  if (held.length > 0) {
    const shown = held.length > mostNamed ? "--json lists them" : held.join(", ");
    const message = `These credentials can ${powers[levelOf(held)]} in the organisation, by ${held.length} capabilities: ${shown}.`;
    return { check, status: "ok", message, capabilities: held };
  }
  const below = [...own.rights].filter(([place, held]) => isAtOrBelow(place, organization) && held.size > 0).length;
  return {
    check,
    status: "warning",
    message: `No role is bound to this identity at the organisation's root or above${below > 0 ? `, but in ${below} groups below` : ""}.`,
    fix: "Bind a role to this identity, in the group that the program manages or above.",
  };
}

/**
 * The capabilities that the objects of the stack's state need and these credentials lack in their groups.
 *
 * @param readOnly whether this run may only read
 */
export function needsFindings(own: OwnRights, managed: readonly Placed[], readOnly: boolean): Finding[] {
  const check = "stack";
  if ("unknown" in own)
    return [{ check, status: "warning", message: `What the program needs cannot be compared: ${own.unknown}.` }];
  const lacking = new Map<string, Map<string, number>>();
  for (const { kind: name, uid, place } of managed) {
    const kind = kindNamed(name);
    const where = place ?? (uid === undefined ? undefined : (groupOf(kind, uid) ?? uid));
    if (where === undefined) continue;
    const changing: readonly Verb[] = kind.calls.update === "patch" ? ["CREATE", "UPDATE", "DELETE"] : ["CREATE", "DELETE"];
    const verbs: readonly Verb[] = readOnly ? ["LIST"] : ["LIST", ...changing];
    const held = capabilitiesIn(own.rights, where);
    for (const needed of new Set(verbs.flatMap((verb) => capabilitiesFor(kind, verb)))) {
      if (held.has(needed)) continue;
      const places = lacking.get(needed) ?? new Map<string, number>();
      lacking.set(needed, places.set(where, (places.get(where) ?? 0) + 1));
    }
  }
  if (lacking.size === 0)
    return [{ check, status: "ok", message: `The roles allow all calls for the ${managed.length} objects of the stack.` }];
  return [...lacking]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([capability, places]) => lackingFinding(check, capability, places));
}

/** Maximum number of named places; the others are counted. */
const mostPlaces = 3;

function lackingFinding(check: string, capability: string, places: ReadonlyMap<string, number>): Finding {
  const objects = [...places.values()].reduce((sum, count) => sum + count, 0);
  const shown = [...places.keys()].slice(0, mostPlaces);
  const more = places.size - shown.length;
  return {
    check,
    status: "problem",
    message: `${capability} is missing for ${objects} objects, in ${list(shown)}${more > 0 ? ` (and ${more} more)` : ""}.`,
    fix: `Bind a role with ${capability} to this identity there or above.`,
  };
}

function capabilitiesIn(rights: ReadonlyMap<string, ReadonlySet<string>>, where: string): Set<string> {
  return new Set([...rights].flatMap(([place, held]) => (isAtOrBelow(where, place) ? [...held] : [])));
}

/** Whether the identity of read-only runs has only read capabilities in the organisation. */
export function readOnlyFinding(own: OwnRights, organization: string): Finding {
  const check = "read-only identity";
  if ("unknown" in own) return { check, status: "warning", message: `What it may do is unknown: ${own.unknown}.` };
  const inside = [...own.rights].filter(([place]) => areInOneLine(organization, place));
  const held = new Set(inside.flatMap(([, capabilities]) => [...capabilities]));
  const writing = [...held].filter(isChanging).sort();
  if (held.size === 0)
    return { check, status: "problem", message: "It has no role here.", fix: "Bind the role viewer to it at the root." };
  if (writing.length === 0) return { check, status: "ok", message: "Its credentials work, and its roles only read." };
  return {
    check,
    status: "warning",
    message: `Its roles also allow ${list(writing.slice(0, mostPlaces))}${writing.length > mostPlaces ? " and more" : ""}.`,
    fix: "Bind only reading roles to it, such as viewer, so that a run under it cannot write even if it tries.",
  };
}
