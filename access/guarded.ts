import { organizationOf, parentOf } from "../provider/client/uid";
import type { Snapshot } from "./snapshot";

/** Identities whose access must not be lost unseen, by uid. */
export interface Guarded {
  /** Marked as break-glass (docs/configuration.md#break-glass-identities). Default: none. */
  readonly breakGlass?: ReadonlySet<string>;
  /** The identity of the run, and that of the runs of the stack. Default: unknown. */
  readonly own?: ReadonlySet<string>;
}

/**
 * Why a loss is critical:
 * - `ownAccess`: this run logs in as the holder, or the runs of the stack do.
 * - `breakGlass`: the holder is marked as break-glass.
 * - `lastControl`: no one is left who is known to have control there.
 * - `rootControl`: the holder had control of the whole organisation.
 */
export const alarms = ["ownAccess", "breakGlass", "lastControl", "rootControl"] as const;

/** One of {@link alarms}. */
export type Alarm = (typeof alarms)[number];

/** Why losing an identity is critical whatever it may do; empty if it is not. */
export function alarmsOf(uid: string | undefined, { breakGlass, own }: Guarded): Alarm[] {
  if (uid === undefined) return [];
  return [...(own?.has(uid) ? ["ownAccess" as const] : []), ...(breakGlass?.has(uid) ? ["breakGlass" as const] : [])];
}

/**
 * Uids that are marked as break-glass and that no identity has, where the whole organisation is visible: the marks guard nobody. People
 * belong to no organisation, so their marks are not checked.
 */
export function idleMarks({ breakGlass = new Set() }: Guarded, { groups, identities, unreadable }: Snapshot): string[] {
  if (unreadable.length > 0) return [];
  const isIdle = (uid: string) => parentOf(uid) !== undefined && groups.has(organizationOf(uid)) && !identities.has(uid);
  return [...breakGlass].filter(isIdle);
}
