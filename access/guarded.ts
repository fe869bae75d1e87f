import { organizationOf, parentOf } from "../provider/client/uid";
import type { Snapshot } from "./snapshot";

/** Identities that must not lose access unnoticed, by uid. */
export interface Guarded {
  /** Identities marked as break-glass (docs/configuration.md#break-glass-identities). Default: none. */
  readonly breakGlass?: ReadonlySet<string>;
  /** The identity of this run and the identity that runs the stack. Default: unknown. */
  readonly own?: ReadonlySet<string>;
}

/**
 * Why a loss is critical, or high for `lastOwner`:
 * - `ownAccess`: this run, or the runs of the stack, log in as the holder.
 * - `breakGlass`: the holder is marked as break-glass.
 * - `lastControl`: no known holder of control is left there.
 * - `rootControl`: the holder had control of the whole organisation.
 * - `lastOwner`: control of the group is now only inherited from groups above.
 */
export const alarms = ["ownAccess", "breakGlass", "lastControl", "rootControl", "lastOwner"] as const;

/** One of {@link alarms}. */
export type Alarm = (typeof alarms)[number];

/** Why losing an identity is critical regardless of its roles; empty if it is not. */
export function alarmsOf(uid: string | undefined, { breakGlass, own }: Guarded): Alarm[] {
  if (uid === undefined) return [];
  return [...(own?.has(uid) ? ["ownAccess" as const] : []), ...(breakGlass?.has(uid) ? ["breakGlass" as const] : [])];
}

/**
 * Uids marked as break-glass to which no identity belongs, if the whole organisation is visible. A mark without an identity guards nobody.
 * People belong to no organisation, so their marks are not checked.
 */
export function idleMarks({ breakGlass = new Set() }: Guarded, { groups, identities, unreadable }: Snapshot): string[] {
  if (unreadable.length > 0) return [];
  const isIdle = (uid: string) => parentOf(uid) !== undefined && groups.has(organizationOf(uid)) && !identities.has(uid);
  return [...breakGlass].filter(isIdle);
}
