import { PlatformError } from "../../client/errors";
import { list, literal } from "../../client/printable";
import { isUid } from "../../client/uid";
import { accessKey, groupAccess, membersIn, roleUidsIn, textsOf, writtenGroup } from "../../kinds/group-access";
import { roleBinding } from "../../kinds/role-binding";
import type { Problem } from "../../schema/declaration";
import { unknownValue } from "../../schema/inputs";
import { type Inputs, isKind, type Kind, naturalKeyOf } from "../../schema/kind";
import { logicalNameIn } from "../../schema/path";
import type { Values } from "../../schema/values";

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
  readonly #access = new Map<string, Declared & { readonly roleUids: RoleUids }>();
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

  #accessProblems(declared: Declared & { readonly roleUids: RoleUids }): Problem[] {
    const { inputs, path } = declared;
    const [key, group] = [path ?? accessKey(inputs), groupOf(inputs)];
    if (key === undefined || group === undefined) return [];
    const others = [...this.#access].filter(([other, access]) => other !== key && groupOf(access.inputs) === group);
    this.#access.set(key, declared);
    const twin = others.find(([, other]) => overlap(managedBy(declared), managedBy(other)))?.[1];
    const outside = [...this.#bindings.values()].filter((binding) => isLeftOut(binding.inputs, declared));
    return [
      ...(twin === undefined ? [] : [problem("parentUid", managedTwice(twin, declared))]),
      ...outside.map((binding) => problem("access", leftOut(binding, declared))),
    ];
  }

  #bindingProblems(binding: Declared): Problem[] {
    const { inputs } = binding;
    const key = naturalKeyOf(roleBinding, inputs);
    if (key === undefined) return [];
    this.#bindings.set(binding.path ?? key, binding);
    const access = [...this.#access.values()].find((each) => isLeftOut(inputs, each));
    return access === undefined ? [] : [problem("identityUid", leftOut(binding, access))];
  }
}

function problem(property: string, reason: string): Problem {
  return { property, reason, code: "KEY_TAKEN" };
}

/** The roles that a `GroupAccess` manages, by uid if it is known. */
function managedBy({ inputs: { roles }, roleUids }: { inputs: Inputs; roleUids: RoleUids }): ReadonlySet<string> | "all" {
  return Array.isArray(roles) ? new Set(textsOf(roles).map((role) => roleUids.get(role) ?? role)) : "all";
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
  if (Array.isArray(roles) && !managesSurely(textsOf(roles), roleUid, roleUids)) return false;
  if (mayExempt((exempt ?? {}) as Values, binding, roleUids)) return false;
  return membersIn(access).every(
    (member) =>
      (member.identityUid !== identityUid && member.identityUid !== unknownValue) || !mayBe(member.role, roleUid, roleUids),
  );
}

function managesSurely(roles: readonly string[], roleUid: unknown, roleUids: RoleUids): boolean {
  return typeof roleUid === "string" && roles.some((role) => (roleUids.get(role) ?? role) === roleUid);
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
