import { accessIn, accessOf, type EffectiveAccess, resultOf } from "../access/effective";
import { uid } from "../provider/schema/inputs";
import type { ClientSource } from "../provider/sources/source";
import { readIdentityAccess } from "./identity-access";
import { readInventory } from "./platform";
import { platformSnapshot } from "./platform-snapshot";

/**
 * `getEffectiveAccess`, of an identity or in a group. Calls of one program share no Lists. Completeness is proven by the caller's rights
 * right before and after its Lists (see `Sight`), and such a proof does not cover a List from an earlier call.
 */
export const effectiveAccess: ClientSource<EffectiveAccess> = {
  call: "getEffectiveAccess",
  area: "iam",
  rules: () => ({ group: uid.optional(), identity: uid.optional() }),
  excludes: { group: ["identity"] },
  usage: "whose access? Pass { group } or { identity }.",
  async read(asked, client) {
    if ("group" in asked) {
      const at = uid.parse(asked["group"]);
      const snapshot = platformSnapshot(await readInventory(client, at, { below: [] }), client.now());
      return resultOf(accessIn(snapshot, at), snapshot);
    }
    const identity = uid.parse(asked["identity"]);
    const snapshot = await readIdentityAccess(client, identity);
    return resultOf(accessOf(snapshot, identity), snapshot);
  },
};
