import type { Unreadable } from "../access/snapshot";
import { literal } from "../provider/client/printable";
import { entriesOf } from "../provider/kinds/group-access";
import { unknownValue } from "../provider/kinds/inputs";
import { bindingInputs, type Bound, boundIn, roleUidsIn } from "../provider/resources/group-access/members";
import { Scope } from "../provider/resources/group-access/scope";
import { kindNames } from "./kinds";
import type { InventoryObject } from "./objects";
import type { PreviewResource } from "./preview-resources";
import type { PreviewedRoles } from "./previewed-roles";
import { nameOf, type PreviewedUids } from "./previewed-uids";

const reason = "the preview does not say";

/** Who has access by a `GroupAccess`, as role bindings, and what a preview does not say of them. */
export interface PreviewedAccess {
  readonly bindings: InventoryObject[];
  /** Members that are not certain. They count as changes. */
  readonly unknown: readonly Unreadable[];
  /** Members that the preview hides: whatever changes there is no change of the bindings above. */
  readonly hidden: readonly Unreadable[];
}

/** The members in the state before the update. They are what the platform has, also after an update that failed half-way. */
export function accessBefore({ before }: PreviewResource): InventoryObject[] {
  const outputs = before?.outputs ?? {};
  const place = typeof outputs["parentUid"] === "string" ? outputs["parentUid"] : (before?.id ?? "");
  return boundIn(outputs).map((member) => bindingOf(place, member));
}

/** The members after the update: those that the program declares, and those that it exempts from removal. */
export function accessAfter(resource: PreviewResource, uids: PreviewedUids, roles: PreviewedRoles): PreviewedAccess {
  const { fate, before, after } = resource;
  if (fate === "same" || fate === "kept") return { bindings: accessBefore(resource), unknown: [], hidden: [] };
  const place = uids.after(resource);
  const inputs = after?.inputs ?? {};
  const had = fate === "changed" ? boundIn(before?.outputs ?? {}) : [];
  const known = roleUidsIn(before?.outputs ?? {});
  const roleUid = (text: string) => known.get(text) ?? roles.uid(text, place);
  const unknown: Unreadable[] = [];
  const hidden: Unreadable[] = [];
  const declared = entriesOf(inputs["access"]).flatMap(([role, members]): Bound[] => {
    if (isHidden(members)) {
      hidden.push({ what: `who is ${role} by ${nameOf(resource.urn)}`, reason });
      return had.filter((member) => member.role === role);
    }
    return entriesOf(members).map(([label, value]): Bound => {
      const identityUid = value === unknownValue ? unknownMember(resource, uids, role, label, unknown) : String(value);
      const same = had.find((member) => member.roleUid === roleUid(role) && member.identityUid === identityUid);
      const binding = same?.binding ?? `${place}/(new member ${uids.logicalLabel(resource)} ${role} ${label})`;
      if (same === undefined) uids.made.add(binding);
      return { role, label, identityUid, roleUid: roleUid(role), binding };
    });
  });
  if (isHidden(inputs["access"])) {
    hidden.push({ what: `the access of ${nameOf(resource.urn)}`, reason });
    declared.push(...had);
  }
  const scope = new Scope(inputs, new Map([...known, ...textsWithUids(inputs, roleUid)]));
  const kept = had.filter((member) => !declared.some(({ binding }) => binding === member.binding) && scope.isExempt(member));
  return { bindings: [...declared, ...kept].map((member) => bindingOf(place, member)), unknown, hidden };
}

/**
 * The identity of a member whose uid is not known yet: the only one that the access depends on, or the one that the label names.
 */
function unknownMember(
  resource: PreviewResource,
  uids: PreviewedUids,
  role: string,
  label: string,
  unknown: Unreadable[],
): string {
  const candidates = uids.references.candidates(resource.after, "access", kindNames.identity);
  const access = entriesOf(resource.after?.inputs?.["access"]);
  const open = access.flatMap(([each, members]) =>
    entriesOf(members).flatMap(([name, value]) => (value === unknownValue ? [{ role: each, label: name }] : [])),
  );
  const namedBy = (text: string) =>
    candidates.filter(({ urn, after }) => nameOf(urn) === text || after?.inputs?.["name"] === text);
  // Labels are unique within a role: as many as there are candidates stand for all of them.
  const isAll = open.length === candidates.length && open.every((each) => each.role === role);
  const rest = candidates.filter((candidate) => !open.some((each) => namedBy(each.label).includes(candidate)));
  const unnamed = open.filter((each) => namedBy(each.label).length === 0).findIndex((each) => each.label === label);
  const named =
    namedBy(label).length > 0
      ? namedBy(label)
      : isAll
        ? rest.slice(unnamed, unnamed + 1)
        : candidates.length === 1
          ? candidates
          : [];
  const [guess] = named;
  const what = `${literal(label)} in ${nameOf(resource.urn)}`;
  if (guess !== undefined && named.length === 1) {
    if (!isAll && candidates.length > 1) unknown.push({ what: `${what} is taken for ${nameOf(guess.urn)} by its label`, reason });
    return uids.after(guess);
  }
  unknown.push({ what: `which identity ${what} is`, reason });
  const uid = `${label} (${role} of ${uids.logicalLabel(resource)}, not known yet)`;
  uids.made.add(uid);
  return uid;
}

/** Roles that are exempt, with their uids. */
function textsWithUids(inputs: Readonly<Record<string, unknown>>, uidOf: (text: string) => string): [string, string][] {
  const exempt = inputs["exempt"];
  const roles: unknown = typeof exempt === "object" && exempt !== null ? Reflect.get(exempt, "roles") : [];
  return (Array.isArray(roles) ? roles : []).filter((role) => typeof role === "string").map((role) => [role, uidOf(role)]);
}

function isHidden(value: unknown): boolean {
  return typeof value === "string";
}

function bindingOf(place: string, member: Bound): InventoryObject {
  return { kind: kindNames.roleBinding, uid: member.binding, place, value: bindingInputs(place, member) };
}
