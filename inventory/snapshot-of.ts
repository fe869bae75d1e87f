import { placeOf } from "../access/places";
import type { Snapshot, SnapshotBinding, SnapshotIdentity, SnapshotMapping, SnapshotRole, Unreadable } from "../access/snapshot";
import type { Values } from "../provider/kinds/canonical";
import { identity } from "../provider/kinds/identity";
import { names } from "./kinds";
import type { InventoryObject, UnreadablePart } from "./objects";

/** The forms of an identity, which say how it logs in. */
const forms = Object.entries(identity.fields).flatMap(([name, { traits }]) => (traits.form ? [name] : []));

/** An object of an inventory, of a state or of a preview. */
export type SnapshotSource = Pick<InventoryObject, "kind" | "uid" | "place" | "value"> & { readonly name?: string };

/**
 * Who may do what where, by `objects`.
 *
 * @param unreadable what may be missing among them. Bound identities and roles that are missing are added
 */
export function snapshotOf(
  objects: Iterable<SnapshotSource>,
  unreadable: readonly (Unreadable | UnreadablePart)[] = [],
): Snapshot {
  const groups = new Map<string, { name: string }>();
  const identities = new Map<string, SnapshotIdentity>();
  const roles = new Map<string, SnapshotRole>();
  const bindings: SnapshotBinding[] = [];
  const mappings: SnapshotMapping[] = [];
  const missing: Unreadable[] = unreadable.map(({ what, reason }) => ({ what, reason }));
  const miss = (what: string, reason: string) => missing.push({ what, reason });
  for (const object of objects) {
    const { kind, uid, value } = object;
    const name = object.name ?? textOf(value, "name");
    if (kind === names.group) groups.set(uid, { name });
    else if (kind === names.identity) identities.set(uid, { name, ...loginOf(value) });
    else if (kind === names.role) roles.set(uid, { name, ...capabilitiesOf(value) });
    else if (kind === names.roleBinding) {
      const [identityUid, roleUid, place] = [textOf(value, "identityUid"), textOf(value, "roleUid"), object.place];
      if (identityUid !== "" && roleUid !== "" && place !== undefined) bindings.push({ uid, place, identityUid, roleUid });
      else miss(`role binding ${uid}`, "it does not say what it binds: the identity or the role may have been deleted");
    } else if (kind === names.externalGroupRoleMapping) {
      const [externalGroupId, roleUid, place] = ["externalGroupId", "roleUid", "scope"].map((field) => textOf(value, field));
      const identityProviderUid = textOf(value, "identityProviderUid") || (placeOf(uid) ?? "");
      mappings.push({
        uid,
        place: place ?? "",
        externalGroupId: externalGroupId ?? "",
        identityProviderUid,
        roleUid: roleUid ?? "",
      });
    }
  }
  for (const uid of new Set(bindings.map(({ identityUid }) => identityUid)))
    if (identities.get(uid)?.login === undefined) miss(`how identity ${uid} logs in`, notShown);
  for (const uid of new Set([...bindings, ...mappings].map(({ roleUid }) => roleUid)))
    if (roles.get(uid)?.capabilities === undefined) miss(`capabilities of role ${uid}`, notShown);
  return { groups, identities, roles, bindings, mappings, unreadable: missing };
}

const notShown = "it is not among what could be read";

function textOf(value: Values, field: string): string {
  return typeof value[field] === "string" ? value[field] : "";
}

function loginOf(value: Values): Pick<SnapshotIdentity, "login"> {
  const given = forms.flatMap((form): [string, unknown][] => (value[form] === undefined ? [] : [[form, value[form]]]));
  return given.length === 0 ? {} : { login: Object.fromEntries(given) };
}

function capabilitiesOf({ capabilities }: Values): Pick<SnapshotRole, "capabilities"> {
  return Array.isArray(capabilities) ? { capabilities: capabilities.map(String) } : {};
}
