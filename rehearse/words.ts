import { kindNamed, listedKinds } from "../inventory/kinds";
import { literal } from "../provider/client/printable";
import { parentOf } from "../provider/client/uid";
import type { LedgerObject } from "./ledger";
import type { GrantingCall } from "./normal-form";

/** A call without its members: `Create role binding in acme/engineering`. */
export function titleOf({ verb, kind, place }: GrantingCall): string {
  return `${verb === "create" ? "Create" : "Update"} ${nounOf(kind)} in ${place}`;
}

/** A call with its members: `create role binding in acme/engineering: identityUid "acme/engineering/ci", roleUid viewer`. */
export function callText(call: GrantingCall & { readonly times?: number | undefined }, objects: readonly LedgerObject[]): string {
  const title = titleOf(call);
  const members = Object.entries({ ...call.key, ...call.body }).map(([name, value]) => `${name} ${valueText(value, objects)}`);
  const times = call.times === undefined || call.times === 1 ? "" : `, ${call.times} times`;
  return `${title.charAt(0).toLowerCase()}${title.slice(1)}${members.length === 0 ? "" : `: ${members.join(", ")}`}${times}`;
}

/** A value of a call. A built-in role has its name instead of its uid. */
export function valueText(value: unknown, objects: readonly LedgerObject[]): string {
  const named = objects.find(({ path, uid }) => path === value && uid === value && parentOf(uid) === undefined)?.name;
  return named ?? (value === undefined ? "not set" : literal(value));
}

/** How people call a kind. */
export function nounOf(kind: string): string {
  return listedKinds.has(kind) ? kindNamed(kind).collection.noun : "registry credentials";
}
