import { PlatformError } from "../../client/errors";
import type { Values } from "../../schema/values";
import { textsOf } from "../../kinds/group-access";
import { type Inputs, isKind, type Kind } from "../../schema/kind";
import { roleBinding } from "../../kinds/role-binding";
import type { Marks } from "./claims";

const [keeps, manages] = ["keeps", "manages"];

/** A `GroupAccess` whose roles are known by uid. */
export interface ManagedAccess {
  readonly groupUid: string;
  readonly inputs: Inputs;
  /** The roles that it manages, by uid. */
  readonly roles: ReadonlySet<string> | "all";
  /** The roles that it exempts, by uid. */
  readonly exemptRoles: ReadonlySet<string>;
  readonly members: readonly { readonly roleUid: string; readonly identityUid: string }[];
}

/**
 * Records, for all processes of the run, which role bindings a `GroupAccess` would remove: it may be updated, and remove a binding,
 * before the engine asks anything about the `RoleBinding` that declares it.
 */
export function markManaged({ groupUid, inputs, roles, exemptRoles, members }: ManagedAccess, run: Marks): void {
  const { identityUids, bindingUids } = (inputs["exempt"] ?? {}) as Values;
  const kept = [
    ...members.map(({ roleUid, identityUid }) => ["member", roleUid, identityUid]),
    ...textsOf(identityUids).map((uid) => ["identity", uid]),
    ...[...exemptRoles].map((uid) => ["role", uid]),
    // Before its create the uid of a binding is unknown, so it may be this one.
    ...(textsOf(bindingUids).length > 0 ? [["bindings"]] : []),
  ];
  // First what it keeps: a reader in between must find no conflict where there is none.
  for (const each of kept) run.mark(keeps, groupUid, ...each);
  for (const role of roles === "all" ? ["all"] : roles) run.mark(manages, groupUid, role);
}

/**
 * Rejects a `RoleBinding` that a `GroupAccess` of this program would remove, of this provider or another one.
 *
 * @param inputs with the uids of its references
 * @throws PlatformError `KEY_TAKEN`
 */
export function rejectManaged(kind: Kind, inputs: Inputs, run: Marks): void {
  if (!isKind(kind, roleBinding)) return;
  const [groupUid, roleUid, identityUid] = ["parentUid", "roleUid", "identityUid"].map((name) => String(inputs[name]));
  if (!run.isMarked(manages, groupUid, "all") && !run.isMarked(manages, groupUid, roleUid)) return;
  const reasons = [["member", roleUid, identityUid], ["identity", identityUid], ["role", roleUid], ["bindings"]];
  if (reasons.some((each) => run.isMarked(keeps, groupUid, ...each))) return;
  throw new PlatformError(
    "KEY_TAKEN",
    `a RoleBinding of this program gives identity ${identityUid} the role ${roleUid} in ${groupUid}, but a GroupAccess of this program ` +
      "manages that group and does not list it, so it would be removed. List it in `access`, name the identity in `exempt`, or remove " +
      "the RoleBinding. Nothing was sent.",
  );
}
