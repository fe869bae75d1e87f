import { groupInvites } from "../objects/group-invites";
import type { Services } from "./services";

/** Removes invites that have expired, where the settings say that the platform does (`expiredInvites`). */
export function removeExpiredInvites({ store, settings }: Services): void {
  if (settings.values.expiredInvites === "kept") return;
  const expired = { sql: "fields ->> 'expirationTime' <= ?", values: [settings.timestamp()] };
  for (const { uid } of store.select(groupInvites.collection, [expired])) store.remove(uid);
}
