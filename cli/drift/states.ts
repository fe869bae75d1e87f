import type { Guarded } from "../../access/guarded";
import { organizationsIn } from "../../drift/scope";
import type { PlatformClient } from "../../provider/client/client";
import { readStates, type StateObjects } from "../../inventory/state";
import { PlatformError } from "../../provider/client/errors";
import { list } from "../../provider/client/printable";
import type { Configuration } from "../../provider/credentials";
import { groupNamed } from "../shell/lookup";
import { settingsOf } from "../shell/settings";
import { type Sources, stateTexts } from "../shell/states";

/** The states together, and the configuration. @throws PlatformError */
export async function readSources(sources: Sources): Promise<{ states: StateObjects; configuration: Configuration }> {
  const [{ configuration }, texts] = await Promise.all([settingsOf(sources.settings), stateTexts(sources)]);
  return { states: readStates(texts), configuration };
}

/**
 * The identities that must not lose access. They are the identity of these credentials, the one configured for runs, and the ones marked as
 * break-glass.
 */
export async function guardedBy(
  client: Pick<PlatformClient, "caller">,
  { breakGlass, identity }: Pick<Configuration, "breakGlass" | "identity">,
): Promise<Guarded> {
  const caller = await client.caller().catch(() => undefined);
  return { breakGlass: new Set(breakGlass), own: new Set([caller?.uid, identity].flatMap((uid) => uid ?? [])) };
}

/**
 * The uid of the group to compare.
 *
 * @param given a uid or a path. If undefined, the organisation of the configuration or the only organisation of the states
 * @throws PlatformError
 */
export async function rootUid(
  client: PlatformClient,
  given: string | undefined,
  configured: string | undefined,
  states: StateObjects,
): Promise<string> {
  if (given !== undefined) return groupNamed(client, "--root", given);
  if (configured !== undefined) return configured;
  const organizations = organizationsIn(states);
  const [only, ...others] = organizations;
  if (only !== undefined && others.length === 0) return only;
  throw new PlatformError(
    "INVALID_INPUT",
    `Which organisation? The states have objects of ${list(organizations)}. Pass --root UID.`,
  );
}
