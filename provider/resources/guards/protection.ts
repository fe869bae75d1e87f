import { PlatformError } from "../../client/errors";
import { options } from "../../client/printable";
import { describeExisting, type Inputs, type Kind } from "../../schema/kind";
import type { Ledger } from "../ledger/ledger";

/** Names of the guards of a kind that has them. */
export const guards = { deletionProtection: "deletionProtection", forceDestroy: "forceDestroy" } as const;

/**
 * True if the state protects the object against deletion. What the program says is not enough: the protection is lifted by an update
 * before the deletion, so that no single run both lifts it and deletes. Without `deletionProtection`, a root alone is protected.
 */
function isProtected(kind: Kind, uid: string, state: Inputs): boolean {
  if (!(guards.deletionProtection in kind.fields)) return false;
  return (state[guards.deletionProtection] ?? kind.placeOf(uid) === undefined) !== false;
}

/** Records that the object is protected, if its state says so. */
export function noteProtection(kind: Kind, uid: string, state: Inputs, run: { readonly ledger: Ledger }): void {
  if (isProtected(kind, uid, state)) run.ledger.protected.add(kind.collection, uid);
}

/** @throws PlatformError `PROTECTED`: nothing was sent */
export function requireUnprotected(verb: "delete" | "replace", kind: Kind, uid: string, state: Inputs): void {
  if (!isProtected(kind, uid, state)) return;
  const isDefault = state[guards.deletionProtection] === undefined;
  const why = isDefault ? "it is the root of an organisation, which is protected by default" : "its deletionProtection is true";
  throw new PlatformError(
    "PROTECTED",
    `${verb} ${describeExisting(kind, uid, state)}: ${why}. Nothing was sent.` +
      options([
        `To ${verb} it, first run \`pulumi up\` with \`deletionProtection: false\` on it.`,
        "To keep it on the platform and drop it from the stack, set `retainOnDelete` on it and run `pulumi up` before it leaves the " +
          "program, or run `pulumi state delete <urn>`.",
      ]),
  );
}
