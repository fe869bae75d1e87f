import type { PlatformClient } from "../../client/client";
import { platformErrorAs } from "../../client/errors";
import { SingleFlight } from "../../client/single-flight";
import { type Grant, grantsOf } from "../../sight/rights";

/** The role bindings of the caller, as a run saw them before it deleted or changed any: one List for the whole run. */
export class FirstGrants {
  /** Uids of those that this run takes away itself. */
  readonly leaving = new Set<string>();
  readonly #listed = new SingleFlight<readonly Grant[]>();

  constructor(private readonly client: Pick<PlatformClient, "caller" | "list">) {}

  /**
   * Call before a change that may take access from the caller.
   *
   * @returns nothing if the caller is unknown
   * @throws PlatformError if they cannot be listed; the next call asks again
   */
  listed(): Promise<readonly Grant[]> {
    return this.#listed.once("", async () => {
      const caller = await this.client.caller();
      return caller === undefined ? [] : grantsOf(this.client, caller.uid);
    });
  }

  /** True if the caller had a role binding then that this run leaves alone, and sees none now, or cannot list them. */
  async areLost(): Promise<boolean> {
    const first = (await this.#listed.known("")?.catch(platformErrorAs(() => []))) ?? [];
    const caller = await this.client.caller();
    if (caller === undefined || first.every(({ binding }) => this.leaving.has(binding))) return false;
    return (await grantsOf(this.client, caller.uid).catch(platformErrorAs(() => []))).length === 0;
  }
}
