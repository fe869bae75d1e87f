import { PlatformError, platformErrorAs } from "../provider/client/errors";
import { isAtOrBelow, organizationOf } from "../provider/client/uid";
import { uid } from "../provider/schema/inputs";
import { callerRights } from "../provider/sight/rights";
import type { ClientSource } from "../provider/sources/source";
import { readPath } from "./path";

/** The identity of the credentials in use. */
export interface Caller {
  readonly uid: string;
  /** Names from the root organisation down; absent if these credentials cannot read all of them. */
  readonly path?: string;
  /** Sorted. It may hold more, by role bindings and roles that these credentials cannot read. */
  readonly capabilities: readonly string[];
}

/** The identity as which the program calls the platform, with the capabilities of its role bindings in one place. */
export const caller: ClientSource<Caller> = {
  call: "getCaller",
  area: "iam",
  rules: () => ({ group: uid.optional() }),
  async read(asked, client, { organization } = {}) {
    const found = await client.caller();
    if (found === undefined)
      throw new PlatformError(
        "CREDENTIALS",
        "the API token does not say whose it is. Set platform:identity or PLATFORM_IDENTITY to the uid of its identity.",
      );
    const place = "group" in asked ? uid.parse(asked["group"]) : (organization ?? organizationOf(found.uid));
    const [path, rights] = await Promise.all([
      readPath(client, found.uid).catch(platformErrorAs(() => undefined)),
      callerRights(client),
    ]);
    const held = [...(rights ?? [])].filter(([at]) => isAtOrBelow(place, at)).flatMap(([, capabilities]) => [...capabilities]);
    return { uid: found.uid, ...(path !== undefined && { path }), capabilities: [...new Set(held)].sort() };
  },
};
