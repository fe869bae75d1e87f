import type { Values } from "../../schema/values";
import { textsOf } from "../../kinds/group-access";
import type { RoleUids, ShownBinding } from "./members";

/** Which role bindings of the group an access manages. */
export class ManagedScope {
  readonly #roles: ReadonlySet<string> | "all";
  readonly #identities: ReadonlySet<string>;
  readonly #bindings: ReadonlySet<string>;
  readonly #exemptRoles: ReadonlySet<string>;

  constructor(inputs: Values, roleUids: RoleUids) {
    const { identityUids, bindingUids, roles } = (inputs["exempt"] ?? {}) as Values;
    const uidsOf = (written: unknown) => new Set(textsOf(written).map((role) => roleUids.get(role) ?? role));
    this.#roles = Array.isArray(inputs["roles"]) ? uidsOf(inputs["roles"]) : "all";
    this.#identities = new Set(textsOf(identityUids));
    this.#bindings = new Set(textsOf(bindingUids));
    this.#exemptRoles = uidsOf(roles);
  }

  /** The roles that it manages, by uid. */
  get roles(): ReadonlySet<string> | "all" {
    return this.#roles;
  }

  /** The roles of which every binding is kept, by uid. */
  get exemptRoles(): ReadonlySet<string> {
    return this.#exemptRoles;
  }

  /** True for a role binding that is never removed. */
  isExempt({ binding, identityUid, roleUid }: Pick<ShownBinding, "binding" | "identityUid" | "roleUid">): boolean {
    return this.#identities.has(identityUid) || this.#bindings.has(binding) || this.#exemptRoles.has(roleUid);
  }

  /** True for a role binding that must not be there unless it is declared. */
  covers(shown: Pick<ShownBinding, "binding" | "identityUid" | "roleUid">): boolean {
    return (this.#roles === "all" || this.#roles.has(shown.roleUid)) && !this.isExempt(shown);
  }
}
