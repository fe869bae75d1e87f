import { capabilitiesOf, type Access } from "../auth/authorization";
import { permissionDenied, type FieldViolation } from "../wire/errors";
import type { Store } from "../storage/store";

/** Violations of the rule that a role exists. The code is 3, because code 5 would mean a missing object or parent in the path. */
export function checkRole(field: string, roleUid: string, store: Store): FieldViolation[] {
  return store.get("roles", roleUid) === undefined ? [{ field, description: `role "${roleUid}" does not exist` }] : [];
}

/**
 * Requires a caller to hold, at a group, all capabilities of a role.
 * @throws {ApiError} code 7.
 */
export function requireHeld(roleUid: string, group: string, store: Store, access: Access): void {
  const lacking = capabilitiesOf(store, roleUid).filter((capability) => !access.can(capability, group));
  if (lacking.length === 0) return;
  const [first = "", ...more] = lacking;
  throw permissionDenied(
    `role ${roleUid} grants capabilities that identity ${access.identity} lacks at group ${group}: ${first}${more.length > 0 ? ` and ${more.length} more` : ""}`,
  );
}
