import { PlatformError } from "../../client/errors";
import { options } from "../../client/printable";
import type { Inputs, Kind } from "../../schema/kind";
import type { Ledger } from "../ledger/ledger";
import { type Change, go, textOf, type Verdict } from "./change";
import type { Guard } from "./guard";

/** Names of the arguments that guard an object, where its kind has them. */
export const guardArguments = { deletionProtection: "deletionProtection", forceDestroy: "forceDestroy" } as const;

/**
 * True if the state protects the object against deletion. The program's value does not decide, because an update lifts the protection before the
 * deletion, so that no single run both lifts it and deletes. Without `deletionProtection`, a root alone is protected.
 */
function isProtected(kind: Kind, uid: string, state: Inputs): boolean {
  if (!(guardArguments.deletionProtection in kind.fields)) return false;
  return (state[guardArguments.deletionProtection] ?? kind.placeOf(uid) === undefined) !== false;
}

/** Records that the object is protected, if its state says so. */
export function noteProtection(kind: Kind, uid: string, state: Inputs, run: { readonly ledger: Ledger }): void {
  if (isProtected(kind, uid, state)) run.ledger.protected.add(kind.collection, uid);
}

/** The verdict on a change of an object that its state may protect. */
export function protectionAgainst(change: Change): Verdict {
  if (change.is === "create" || change.is === "update" || !isProtected(change.kind, change.uid, change.state)) return go;
  const isDefault = change.state[guardArguments.deletionProtection] === undefined;
  const why = isDefault ? "it is the root of an organisation, which is protected by default" : "its deletionProtection is true";
  const ways = options([
    `To ${change.is} it, first run \`pulumi up\` with \`deletionProtection: false\` on it.`,
    "To keep it on the platform and drop it from the stack, set `retainOnDelete` on it and run `pulumi up` before it leaves the " +
      "program, or run `pulumi state delete <urn>`.",
  ]);
  return { is: "stop", error: new PlatformError("PROTECTED", `${textOf(change)}: ${why}. Nothing was sent.${ways}`) };
}

/** Deletes no object that its state protects. The diff asks before a replacement, because the engine deletes the old object last. */
export const protectionGuard: Guard = {
  inPreviews: false,
  before(change, { run }) {
    if (change.is === "delete") noteProtection(change.kind, change.uid, change.state, run);
    return Promise.resolve(protectionAgainst(change));
  },
};
