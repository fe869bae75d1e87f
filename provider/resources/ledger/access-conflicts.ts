import { PlatformError } from "../../client/errors";
import { list, literal } from "../../client/printable";
import { isUid } from "../../client/uid";
import {
  accessKey,
  groupAccess,
  keepsOthers,
  type Member,
  membersIn,
  roleUidsIn,
  textsOf,
  writtenGroup,
} from "../../kinds/group-access";
import { roleBinding } from "../../kinds/role-binding";
import type { Problem } from "../../schema/declaration";
import { unknownValue } from "../../schema/inputs";
import { type Inputs, isKind, type Kind, naturalKeyOf } from "../../schema/kind";
import { logicalNameIn } from "../../schema/path";
import type { Values } from "../../schema/values";

/** A `GroupAccess`, with the uids of its roles. */
type DeclaredAccess = Declared & { readonly roleUids: RoleUids };

/** A resource that gives access in one group. */
interface Declared {
  readonly inputs: Inputs;
  /** Path of the resource; undefined where the host does not tell it. */
  readonly path: string | undefined;
}

/** The resource that declares something now, and how it is known. */
type Declaring = Declared & { readonly kind: Kind };

/** The uids of roles by the texts that a program writes for them, as far as they are known. */
type RoleUids = ReadonlyMap<string, string>;

/**
 * Finds resources of one process that contradict each other about the access to a group: a `GroupAccess` would remove a `RoleBinding` of
 * the program, and two of them would remove each other's members. Whichever comes second is told, with the names of both.
 */
export class AccessConflicts {
  /** By path, or by natural key where the path is not known. A later declaration, with uids, replaces that of the check. */
  readonly #access = new Map<string, DeclaredAccess>();
  readonly #bindings = new Map<string, Declared>();

  /**
   * Records what a resource declares, in a check with what the program writes, later with uids.
   *
   * @param roleUids of the roles that a `GroupAccess` names. Default: as its check has found them
   * @returns the contradictions to what others have declared
   */
  problems({ kind, inputs, path }: Declaring, roleUids = roleUidsIn(inputs)): Problem[] {
    if (isKind(kind, groupAccess)) return this.#accessProblems({ inputs, path, roleUids });
    return isKind(kind, roleBinding) ? this.#bindingProblems({ inputs, path }) : [];
  }

  /** The same, as an error. @throws PlatformError `KEY_TAKEN` */
  require(declaring: Declaring, roleUids = roleUidsIn(declaring.inputs)): void {
    const [first] = this.problems(declaring, roleUids);
    if (first !== undefined) throw new PlatformError("KEY_TAKEN", `${first.reason} Nothing was sent.`);
  }

  /** True if a resource of the program declares this role binding, as far as this process has checked them. */
  declares(binding: Inputs): boolean {
    const lists = ({ inputs, roleUids }: { inputs: Inputs; roleUids: RoleUids }) =>
      groupOf(inputs) === groupOf(binding) &&
      membersIn(inputs["access"]).some(
        ({ role, identityUid }) => identityUid === binding["identityUid"] && mayBe(role, binding["roleUid"], roleUids),
      );
    const key = naturalKeyOf(roleBinding, binding);
    return (
      [...this.#access.values()].some(lists) ||
      [...this.#bindings.values()].some(({ inputs }) => naturalKeyOf(roleBinding, inputs) === key)
    );
  }

  #accessProblems(declared: DeclaredAccess): Problem[] {
    const { inputs, path } = declared;
    const [key, group] = [path ?? accessKey(inputs), groupOf(inputs)];
    if (key === undefined || group === undefined) return [];
    const others = [...this.#access].filter(([other, access]) => other !== key && groupOf(access.inputs) === group);
    this.#access.set(key, declared);
    const problems = others.flatMap(([, other]) => twinProblems(other, declared));
    const bindings = [...this.#bindings.values()].flatMap((binding) => bindingProblems(binding, declared, "access"));
    return [...problems.slice(0, 1), ...bindings];
  }

  #bindingProblems(binding: Declared): Problem[] {
    const { inputs } = binding;
    const key = naturalKeyOf(roleBinding, inputs);
    if (key === undefined) return [];
    this.#bindings.set(binding.path ?? key, binding);
    return [...this.#access.values()].flatMap((access) => bindingProblems(binding, access, "identityUid")).slice(0, 1);
  }
}

/** The contradiction between a `RoleBinding` and a `GroupAccess`. @param property of the problem */
function bindingProblems(binding: Declared, access: DeclaredAccess, property: string): Problem[] {
  if (isLeftOut(binding.inputs, access)) return [problem(property, leftOut(binding, access))];
  return keepsOthers(access.inputs) && lists(access, binding.inputs) ? [problem(property, givenTwice(binding, access))] : [];
}

/** The contradiction between two `GroupAccess` of one group. */
function twinProblems(one: DeclaredAccess, other: DeclaredAccess): Problem[] {
  if ([one, other].some(({ inputs }) => inputs["others"] === unknownValue)) return [];
  if (!keepsOthers(one.inputs) || !keepsOthers(other.inputs))
    return overlap(managedBy(one), managedBy(other)) ? [problem("parentUid", managedTwice(one, other))] : [];
  const both = membersIn(other.inputs["access"]).find(({ role, identityUid }) =>
    lists(one, { ...one.inputs, identityUid, roleUid: meant(role, other.roleUids) }),
  );
  return both === undefined ? [] : [problem(`access.${both.role}.${both.label}`, memberTwice(both, one, other))];
}

/** True if the `GroupAccess` certainly lists the identity and the role of the binding. */
function lists({ inputs, roleUids }: DeclaredAccess, binding: Inputs): boolean {
  const { identityUid, roleUid } = binding;
  if (groupOf(inputs) !== groupOf(binding) || identityUid === unknownValue) return false;
  return membersIn(inputs["access"]).some(
    (member) => member.identityUid === identityUid && meant(member.role, roleUids) === roleUid,
  );
}

/** The uid of the role that a program writes as `written`, or that text while the uid is not known. */
function meant(written: string, roleUids: RoleUids): string {
  return roleUids.get(written) ?? written;
}

function problem(property: string, reason: string): Problem {
  return { property, reason, code: "KEY_TAKEN" };
}

/** The roles that a `GroupAccess` manages, by uid if it is known. With `keep`, those are the roles of its members. */
function managedBy({ inputs, roleUids }: DeclaredAccess): ReadonlySet<string> | "all" {
  const { access, roles } = inputs;
  const written = keepsOthers(inputs)
    ? membersIn(access).map(({ role }) => role)
    : Array.isArray(roles)
      ? textsOf(roles)
      : undefined;
  return written === undefined ? "all" : new Set(written.map((role) => meant(role, roleUids)));
}

function overlap(one: ReadonlySet<string> | "all", other: ReadonlySet<string> | "all"): boolean {
  if (one === "all" || other === "all") return true;
  return [...one].some((role) => role !== unknownValue && other.has(role));
}

/**
 * True if the `GroupAccess` would certainly remove the role binding. A role that is written as a name may be any role. A conflict that
 * this leaves open is found with the uids, before anything is removed.
 */
function isLeftOut(binding: Inputs, { inputs, roleUids }: { inputs: Inputs; roleUids: RoleUids }): boolean {
  const { access, roles, exempt } = inputs;
  const { identityUid, roleUid } = binding;
  if (groupOf(inputs) !== groupOf(binding) || access === unknownValue || exempt === unknownValue) return false;
  if (keepsOthers(inputs) || inputs["others"] === unknownValue) return false;
  if (Array.isArray(roles) && !managesSurely(textsOf(roles), roleUid, roleUids)) return false;
  if (mayExempt((exempt ?? {}) as Values, binding, roleUids)) return false;
  return membersIn(access).every(
    (member) =>
      (member.identityUid !== identityUid && member.identityUid !== unknownValue) || !mayBe(member.role, roleUid, roleUids),
  );
}

function managesSurely(roles: readonly string[], roleUid: unknown, roleUids: RoleUids): boolean {
  return typeof roleUid === "string" && roles.some((role) => meant(role, roleUids) === roleUid);
}

/** True if `exempt` may name the binding. A binding that is not created yet has no uid, so any uid may be its own. */
function mayExempt({ identityUids, bindingUids, roles }: Values, { identityUid, roleUid }: Inputs, roleUids: RoleUids): boolean {
  if (textsOf(identityUids).some((uid) => uid === identityUid || uid === unknownValue)) return true;
  return textsOf(bindingUids).length > 0 || textsOf(roles).some((role) => mayBe(role, roleUid, roleUids));
}

/** True if the role that a program writes as `written` may be `roleUid`. */
function mayBe(written: string, roleUid: unknown, roleUids: RoleUids): boolean {
  if (typeof roleUid !== "string") return true;
  const known = roleUids.get(written);
  return known === undefined ? written === roleUid || !isCertainlyUid(written) : known === roleUid;
}

/** True for the uid of a custom role, and for one of a built-in role that the platform assigned. False for other texts, uid or name. */
function isCertainlyUid(written: string): boolean {
  return isUid(written) && (written.includes("/") || /^[0-9a-f]{40}$/.test(written));
}

function leftOut({ inputs, path }: Declared, access: Declared): string {
  const { identityUid, roleUid, roleName } = inputs;
  const gives = `gives identity ${String(identityUid)} the role ${String(roleUid ?? roleName)} in ${placeOf(inputs)}`;
  const [binding, removes] = [named("RoleBinding", path), named("GroupAccess", access.path)];
  return (
    `${binding} ${gives}, and ${removes} of that group does not list it and would remove it. ` +
    "List it in `access`, name the identity in `exempt`, or remove the RoleBinding."
  );
}

function givenTwice({ path }: Declared, access: Declared): string {
  const [binding, lists] = [named("RoleBinding", path), named("GroupAccess", access.path)];
  return `${binding} gives what ${lists} lists for the same group. Remove one of the two.`;
}

function memberTwice({ role, label }: Member, one: Declared, other: Declared): string {
  const both = list([one, other].map(({ path }) => named("GroupAccess", path)));
  return `${both} give ${literal(label)} the role ${role} in ${literal(placeOf(other.inputs))}. List the member in one of the two.`;
}

function managedTwice(one: Declared, other: Declared): string {
  const both = list([one, other].map(({ path }) => named("GroupAccess", path)));
  return `${both} manage the same roles of ${literal(placeOf(other.inputs))}. Give each its own \`roles\`, or merge them.`;
}

/** The resource for messages: by its logical name, if it is known. */
function named(type: string, path: string | undefined): string {
  return path === undefined ? `a ${type} of this program` : `${type} ${literal(logicalNameIn(path))}`;
}

/** The group by its uid, else as the program writes it. Undefined while it is unknown. */
function groupOf(inputs: Inputs): string | undefined {
  const { parentUid } = inputs;
  return typeof parentUid === "string" && parentUid !== unknownValue ? `parentUid ${parentUid}` : writtenGroup(inputs);
}

/** The group for messages. */
function placeOf({ parentUid, parentPath }: Inputs): string {
  return String(parentPath ?? parentUid);
}
