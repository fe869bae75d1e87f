import { accessFrom, accessIn, accessOf, resultOf } from "../../access/effective";
import { holder, located } from "../../access/holders";
import { readIdentityAccess } from "../../inventory/identity-access";
import { accessKinds, readInventory } from "../../inventory/platform";
import { platformSnapshot } from "../../inventory/platform-snapshot";
import type { PlatformClient } from "../../provider/client/client";
import { literal } from "../../provider/client/printable";
import { groupNamed, identityAt } from "../shell/lookup";
import type { Connection } from "../shell/settings";

/** The objects of a group and below, and who may do what there. */
export async function readTree(client: PlatformClient, root: string) {
  const { objects, snapshot } = await read(client, root, accessKinds);
  return { objects, snapshot, access: resultOf(accessFrom(snapshot, root), snapshot) };
}

/** The access of an identity, or of everybody in a group. */
export async function readAccess(connection: Connection, identity?: string, group?: string) {
  const { client } = connection;
  if (identity !== undefined) {
    const uid = await identityAt(connection, "--identity", identity);
    const snapshot = await readIdentityAccess(client, uid, identity === uid ? uid : `${literal(identity)} (${uid})`);
    return { head: holder(snapshot, uid), shown: "places" as const, access: resultOf(accessOf(snapshot, uid), snapshot) };
  }
  const uid = await groupNamed(client, "--group", group ?? "");
  const { snapshot } = await read(client, uid, []);
  return { head: located(snapshot, uid), shown: "holders" as const, access: resultOf(accessIn(snapshot, uid), snapshot) };
}

async function read(client: PlatformClient, root: string, below: readonly string[]) {
  const inventory = await readInventory(client, root, { below });
  return { objects: inventory.objects, snapshot: platformSnapshot(inventory, client.now()) };
}
