import { PlatformError } from "../../client/errors";
import { literal } from "../../client/printable";
import { isUid } from "../../client/uid";
import type { Problem } from "../../schema/declaration";
import type { Values } from "../../schema/values";
import { accessKey, groupAccess, membersIn, textsOf, writtenGroup } from "../../kinds/group-access";
import { unknownValue } from "../../schema/inputs";
import { type Inputs, isKind, type Kind } from "../../schema/kind";
import { roleBinding } from "../../kinds/role-binding";
import type { Facts } from "./facts";

/** The roles that one `GroupAccess` manages in its group, by uid. */
type ManagedRoles = ReadonlySet<string> | "all";

/** A `GroupAccess` whose roles are known by uid. */
interface ManagedAccess {
  readonly groupUid: string;
  readonly inputs: Inputs;
  /** Its roles by uid: those that it manages, and those that it exempts. */
  readonly scope: { readonly roles: ManagedRoles; readonly exemptRoles: ReadonlySet<string> };
  readonly members: readonly { readonly roleUid: string; readonly identityUid: string }[];
}

/**
 * Who decides about the access to a group. A `GroupAccess` would remove a role binding that the same program declares separately, and
 * two of them would remove each other's members. Checks compare what is written; later calls compare uids, with other processes too.
 */
export class AccessAuthority {
  readonly #access = new Map<string, Inputs>();
  readonly #bindings = new Map<string, Inputs>();
  readonly #scopes = new Map<string, { key: string; scope: ManagedRoles }[]>();

  constructor(private readonly facts: Facts) {}

  /** Records the checked `inputs`, and returns what contradicts an earlier declaration of this run. */
  failures(kind: Kind, inputs: Inputs): Problem[] {
    if (isKind(kind, groupAccess)) return this.#accessFailures(inputs);
    return isKind(kind, roleBinding) ? this.#bindingFailures(inputs) : [];
  }

  /**
   * Records which roles a `GroupAccess` manages, now that they are known.
   *
   * @throws PlatformError `KEY_TAKEN` if another `GroupAccess` manages one of them too
   */
  manage(inputs: Inputs, scope: ManagedRoles): void {
    const { parentUid } = inputs;
    const [key, group] = [accessKey(inputs) ?? "", String(parentUid)];
    const others = (this.#scopes.get(group) ?? []).filter((other) => other.key !== key);
    if (others.some((other) => overlap(scope, other.scope)))
      throw new PlatformError("KEY_TAKEN", `${managedTwice(group)} Nothing was sent.`);
    this.#scopes.set(group, [...others, { key, scope }]);
  }

  /**
   * Tells all processes of the run which role bindings a `GroupAccess` would remove: it may be updated before the engine checks the
   * `RoleBinding` that declares one of them.
   */
  tell({ groupUid, inputs, scope: { roles, exemptRoles }, members }: ManagedAccess): void {
    const { identityUids, bindingUids } = (inputs["exempt"] ?? {}) as Values;
    // What it keeps comes first, so that a process that reads in between finds no false conflict.
    for (const { roleUid, identityUid } of members) this.facts.tell(["keeps", groupUid, "member", roleUid, identityUid]);
    for (const uid of textsOf(identityUids)) this.facts.tell(["keeps", groupUid, "identity", uid]);
    for (const uid of exemptRoles) this.facts.tell(["keeps", groupUid, "role", uid]);
    // A RoleBinding that is not created yet has no uid to compare, so any of them may be exempt.
    if (textsOf(bindingUids).length > 0) this.facts.tell(["keeps", groupUid, "any"]);
    for (const role of roles === "all" ? ["all"] : roles) this.facts.tell(["manages", groupUid, role]);
  }

  /**
   * Rejects a `RoleBinding` that a `GroupAccess` of this program would remove, whichever provider serves it.
   *
   * @param inputs its inputs, with the uids of references
   * @throws PlatformError `KEY_TAKEN`
   */
  rejectLeftOut(inputs: Inputs): void {
    const { facts } = this;
    const [groupUid = "", roleUid = "", identityUid = ""] = ["parentUid", "roleUid", "identityUid"].map((name) =>
      String(inputs[name]),
    );
    if (!facts.isKnown(["manages", groupUid, "all"]) && !facts.isKnown(["manages", groupUid, roleUid])) return;
    const isKept =
      facts.isKnown(["keeps", groupUid, "member", roleUid, identityUid]) ||
      facts.isKnown(["keeps", groupUid, "identity", identityUid]) ||
      facts.isKnown(["keeps", groupUid, "role", roleUid]) ||
      facts.isKnown(["keeps", groupUid, "any"]);
    if (isKept) return;
    throw new PlatformError("KEY_TAKEN", `${leftOut({ parentUid: groupUid, roleUid, identityUid })}. Nothing was sent.`);
  }

  #accessFailures(inputs: Inputs): Problem[] {
    const [key, group] = [accessKey(inputs), writtenGroup(inputs)];
    if (key === undefined || group === undefined) return [];
    const others = [...this.#access].filter(([other, access]) => other !== key && writtenGroup(access) === group);
    this.#access.set(key, inputs);
    const isTwice = others.some(([, other]) => overlap(writtenRoles(inputs), writtenRoles(other)));
    const outside = [...this.#bindings.values()].filter((binding) => isLeftOut(binding, inputs));
    return [
      ...(isTwice ? [{ property: "parentUid", reason: managedTwice(placeOf(inputs)), code: "KEY_TAKEN" as const }] : []),
      ...outside.map((binding) => ({ property: "access", reason: leftOut(binding), code: "KEY_TAKEN" as const })),
    ];
  }

  #bindingFailures(inputs: Inputs): Problem[] {
    const { identityUid, roleUid, roleName } = inputs;
    const known = [writtenGroup(inputs), identityUid, roleUid ?? roleName];
    if (known.some((part) => typeof part !== "string" || part === unknownValue)) return [];
    this.#bindings.set(JSON.stringify(known), inputs);
    const isOutside = [...this.#access.values()].some((access) => isLeftOut(inputs, access));
    return isOutside ? [{ property: "identityUid", reason: leftOut(inputs), code: "KEY_TAKEN" }] : [];
  }
}

function writtenRoles({ roles }: Inputs): ManagedRoles {
  return Array.isArray(roles) ? new Set(textsOf(roles)) : "all";
}

function overlap(one: ManagedRoles, other: ManagedRoles): boolean {
  if (one === "all" || other === "all") return true;
  return [...one].some((role) => role !== unknownValue && other.has(role));
}

/**
 * True if the `GroupAccess` that declares `declared` would certainly remove the role binding. A role that is written as a name may be
 * any role, so it proves nothing here; conflicts that stay undetected are found before anything is removed.
 */
function isLeftOut(binding: Inputs, declared: Inputs): boolean {
  const { access, roles, exempt } = declared;
  const identityUid = String(binding["identityUid"]);
  const roleUid = typeof binding["roleUid"] === "string" ? binding["roleUid"] : undefined;
  if (writtenGroup(declared) !== writtenGroup(binding) || access === unknownValue || exempt === unknownValue) return false;
  const { identityUids, bindingUids, roles: exemptRoles } = (exempt ?? {}) as Values;
  const mayBe = (written: string) => roleUid === undefined || written === roleUid || !isCertainlyUid(written);
  if (textsOf(identityUids).some((uid) => uid === identityUid || uid === unknownValue)) return false;
  if (bindingUids !== undefined || textsOf(exemptRoles).some(mayBe)) return false;
  if (Array.isArray(roles) && (roleUid === undefined || !textsOf(roles).includes(roleUid))) return false;
  return membersIn(access).every(
    (member) => (member.identityUid !== identityUid && member.identityUid !== unknownValue) || !mayBe(member.role),
  );
}

/** True for the uid of a custom role, and for one of a built-in role that the platform assigned. False for other texts, uid or name. */
function isCertainlyUid(written: string): boolean {
  return isUid(written) && (written.includes("/") || /^[0-9a-f]{40}$/.test(written));
}

function leftOut(binding: Inputs): string {
  const { identityUid, roleUid, roleName } = binding;
  const role = String(roleUid ?? roleName);
  const what = `a RoleBinding of this program gives identity ${String(identityUid)} the role ${role} in ${placeOf(binding)}`;
  const ways = "list it in `access`, name the identity in `exempt`, or remove the RoleBinding";
  return `${what}, but a GroupAccess manages that group and does not list it, so it would be removed; ${ways}`;
}

/** The group for messages. */
function placeOf({ parentUid, parentPath }: Inputs): string {
  return String(parentPath ?? parentUid);
}

function managedTwice(group: string): string {
  const what = `two GroupAccess resources of this program manage the same roles of ${literal(group)}`;
  return `${what}. Give each of them \`roles\` that no other has, or merge them.`;
}
