import type { Values } from "../../schema/values";
import { keepsOthers, textsOf } from "../../kinds/group-access";
import type { ShownBinding } from "../../kinds/shown-binding";
import type { Bound, RoleUids } from "./members";

/** Which role bindings of its group a `GroupAccess` manages. */
export class ManagedScope {
  /** The roles that it manages, by uid. */
  readonly roles: ReadonlySet<string> | "all";
  readonly #keepsOthers: boolean;
  /** The roles of which every binding is kept, by uid. */
  readonly exemptRoles: ReadonlySet<string>;
  readonly #exemptIdentities: ReadonlySet<string>;
  readonly #exemptBindings: ReadonlySet<string>;

  constructor(inputs: Values, roleUids: RoleUids) {
    const { identityUids, bindingUids, roles } = (inputs["exempt"] ?? {}) as Values;
    const uidsOf = (written: unknown) => new Set(textsOf(written).map((role) => roleUids.get(role) ?? role));
    this.#keepsOthers = keepsOthers(inputs);
    this.roles = Array.isArray(inputs["roles"]) ? uidsOf(inputs["roles"]) : "all";
    this.exemptRoles = uidsOf(roles);
    this.#exemptIdentities = new Set(textsOf(identityUids));
    this.#exemptBindings = new Set(textsOf(bindingUids));
  }

  /** True for a role binding that is never removed. */
  isExempt({ binding, identityUid, roleUid }: Pick<ShownBinding, "binding" | "identityUid" | "roleUid">): boolean {
    return this.#exemptIdentities.has(identityUid) || this.#exemptBindings.has(binding) || this.exemptRoles.has(roleUid);
  }

  /** True for a role binding that is removed unless `access` lists it. */
  covers(shown: Pick<ShownBinding, "binding" | "identityUid" | "roleUid">): boolean {
    const isManaged = this.roles === "all" || this.roles.has(shown.roleUid);
    return isManaged && !this.#keepsOthers && !this.isExempt(shown);
  }
}

/**
 * The role bindings among `shown` that a `GroupAccess` may touch. Beside others, it owns only the bindings of its `members` in state:
 * others own a new binding for the same identity and role.
 */
export function withinReach(
  inputs: Values,
  members: readonly Pick<Bound, "binding">[],
  shown: readonly ShownBinding[],
): readonly ShownBinding[] {
  if (!keepsOthers(inputs)) return shown;
  const own = new Set(members.map(({ binding }) => binding));
  return shown.filter(({ binding }) => own.has(binding));
}
