import { accessFrom, accessIn, accessOf, resultOf } from "../../access/effective";
import { holder, located } from "../../access/holders";
import { readIdentityAccess } from "../../inventory/identity-access";
import { accessKinds, readInventory } from "../../inventory/platform";
import { platformSnapshot } from "../../inventory/platform-snapshot";
import type { Reader } from "../../inventory/rows";
import type { PlatformClient } from "../../provider/client/client";
import { hasCode } from "../../provider/client/errors";
import { literal } from "../../provider/client/printable";
import { groupNamed, identityAt } from "../shell/lookup";
import type { Connection } from "../shell/settings";

/** The objects of a group and below, and who may do what there. */
export async function readTree(client: PlatformClient, root: string) {
  const watched = new WatchedReader(client);
  const { objects, snapshot } = await read(watched, root, accessKinds);
  return { objects, snapshot, access: resultOf(accessFrom(snapshot, root), snapshot), hasFailed: watched.hasFailed };
}

/** The access of an identity, or of everybody in a group. */
export async function readAccess(connection: Connection, identity?: string, group?: string) {
  const client = new WatchedReader(connection.client);
  if (identity !== undefined) {
    const uid = await identityAt(connection, "--identity", identity);
    const snapshot = await readIdentityAccess(client, uid, identity === uid ? uid : `${literal(identity)} (${uid})`);
    const access = resultOf(accessOf(snapshot, uid), snapshot);
    return { head: holder(snapshot, uid), shown: "places" as const, access, hasFailed: client.hasFailed };
  }
  const uid = await groupNamed(connection.client, "--group", group ?? "");
  const { snapshot } = await read(client, uid, []);
  const access = resultOf(accessIn(snapshot, uid), snapshot);
  return { head: located(snapshot, uid), shown: "holders" as const, access, hasFailed: client.hasFailed };
}

/** A client that remembers whether a List failed for another reason than a missing right. */
class WatchedReader implements Reader {
  hasFailed = false;

  constructor(private readonly client: PlatformClient) {}

  get requests(): number {
    return this.client.requests;
  }

  now(): number {
    return this.client.now();
  }

  readonly caller: Reader["caller"] = () => this.client.caller();

  readonly list: Reader["list"] = (...args) => this.#watch(this.client.list(...args));

  readonly listReadable: Reader["listReadable"] = async (...args) => {
    const found = await this.#watch(this.client.listReadable(...args));
    this.hasFailed ||= found.unread.length > 0;
    return found;
  };

  async #watch<Answer>(answer: Promise<Answer>): Promise<Answer> {
    try {
      return await answer;
    } catch (error) {
      this.hasFailed ||= !hasCode(error, "PERMISSION_DENIED");
      throw error;
    }
  }
}

async function read(client: WatchedReader, root: string, below: readonly string[]) {
  const inventory = await readInventory(client, root, { below });
  return { objects: inventory.objects, snapshot: platformSnapshot(inventory, client.now()) };
}
