import type { Unreadable } from "../access/snapshot";
import { entriesOf } from "../provider/kinds/group-access";
import { unknownValue } from "../provider/schema/inputs";
import { bindingInputs, type Bound, boundIn, pairOf, roleUidsIn } from "../provider/resources/group-access/members";
import { ManagedScope } from "../provider/resources/group-access/scope";
import { kindNames } from "./kinds";
import type { InventoryObject } from "./objects";
import type { PreviewResource } from "./preview-resources";
import type { PreviewedRoles } from "./previewed-roles";
import { nameOf, type PreviewedUids } from "./previewed-uids";
import { isUidOpen, openReason, takenReason } from "./references-in-previews";

const reason = "the preview does not say";

/** Who has access by a `GroupAccess`, as role bindings, and what a preview does not say of them. */
export interface PreviewedAccess {
  readonly bindings: readonly InventoryObject[];
  /** Uids that stand for members of a role which may be any of the candidates. */
  readonly open: readonly { readonly uids: readonly string[]; readonly candidates: readonly PreviewResource[] }[];
  /** Members that are taken for the resources that the access depends on. */
  readonly assumed: readonly Unreadable[];
  /** What the preview does not say: it may be any change. */
  readonly hidden: readonly Unreadable[];
}

/** Nobody has access. */
export const noAccess: PreviewedAccess = { bindings: [], open: [], assumed: [], hidden: [] };

/** The members in the state before the update. They are what the platform has, also after an update that failed half-way. */
export function accessBefore({ before }: PreviewResource): InventoryObject[] {
  const outputs = before?.outputs ?? {};
  const place = typeof outputs["parentUid"] === "string" ? outputs["parentUid"] : (before?.id ?? "");
  return boundIn(outputs).map((member) => bindingOf(place, member));
}

/** The members after the update: those that the program declares, and those that it exempts from removal. */
export function accessAfter(resource: PreviewResource, uids: PreviewedUids, roles: PreviewedRoles): PreviewedAccess {
  const { fate, before, after } = resource;
  if (fate === "same" || fate === "kept") return { ...noAccess, bindings: accessBefore(resource) };
  const place = uids.after(resource);
  const inputs = after?.inputs ?? {};
  const had = fate === "changed" ? boundIn(before?.outputs ?? {}) : [];
  const known = roleUidsIn(before?.outputs ?? {});
  const roleUid = (text: string) => known.get(text) ?? roles.uid(text, place);
  const bindingsHad = new Map(had.map((member) => [pairOf(member), member.binding]));
  const [open, assumed, hidden]: [PreviewedAccess["open"][number][], Unreadable[], Unreadable[]] = [[], [], []];
  const candidates = uids.references.candidates(after, "access", kindNames.identity);
  const isComputed = uids.references.hasOthers(after, "access", kindNames.identity);
  const declared = entriesOf(inputs["access"]).flatMap(([role, members]): Bound[] => {
    const what = `who is ${role} by ${nameOf(resource.urn)}`;
    if (isHidden(members)) {
      hidden.push({ what, reason });
      return had.filter((member) => member.role === role);
    }
    const uid = roleUid(role);
    const shown = entriesOf(members).map(([label, value]) => ({ label, identityUid: String(value) }));
    const pending = shown.filter(({ identityUid }) => identityUid === unknownValue);
    const rest = candidatesFor(shown, candidates, uids);
    // Nobody can have a role twice in one access: as many members as there are identities are all of them.
    const isAll = pending.length === rest.length && rest.every(isUidOpen) && !isComputed;
    const taken = isAll ? new Map(pending.map(({ label }, index) => [label, rest[index]])) : undefined;
    const standIn = (label: string) => `${label} (${role} of ${uids.logicalLabel(resource)}, not known yet)`;
    if (pending.length > 0) {
      if (isAll) assumed.push({ what, reason: takenReason(rest) });
      else {
        hidden.push({ what, reason: openReason(rest) });
        open.push({ uids: pending.map(({ label }) => standIn(label)), candidates: rest });
      }
    }
    return shown.map(({ label, identityUid: value }): Bound => {
      const identity = taken?.get(label);
      const identityUid = value !== unknownValue ? value : identity === undefined ? standIn(label) : uids.after(identity);
      const same = bindingsHad.get(pairOf({ roleUid: uid, identityUid }));
      const binding = same ?? `${place}/(new member ${uids.logicalLabel(resource)} ${role} ${label})`;
      if (same === undefined) uids.made.add(binding);
      return { role, label, identityUid, roleUid: uid, binding };
    });
  });
  if (isHidden(inputs["access"])) {
    hidden.push({ what: `the access of ${nameOf(resource.urn)}`, reason });
    declared.push(...had);
  }
  const stay = new Set(declared.map(({ binding }) => binding));
  const scope = new ManagedScope(inputs, new Map([...known, ...textsWithUids(inputs, roleUid)]));
  const kept = had.filter((member) => !stay.has(member.binding) && scope.isExempt(member));
  return { bindings: [...declared, ...kept].map((member) => bindingOf(place, member)), open, assumed, hidden };
}

/**
 * The identities that the members of a role may be whose uids are not known yet: those that the access depends on, but for those that
 * the role shows already. Labels prove nothing: they are what the program calls its members.
 */
function candidatesFor(
  shown: readonly { readonly identityUid: string }[],
  candidates: readonly PreviewResource[],
  uids: PreviewedUids,
): PreviewResource[] {
  const members = new Set(shown.map(({ identityUid }) => identityUid));
  return candidates.filter((candidate) => !members.has(uids.after(candidate)));
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
