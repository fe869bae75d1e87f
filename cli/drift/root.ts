import type { StateObjects } from "../../inventory/state";
import type { PlatformClient } from "../../provider/client/client";
import { PlatformError } from "../../provider/client/errors";
import { list } from "../../provider/client/printable";
import { organizationOf } from "../../provider/client/uid";
import { groupNamed } from "../shell/lookup";

/**
 * The uid of the group to compare.
 *
 * @param given a uid or a path; undefined: the organisation of the configuration, or the only one of the states
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

/** The organisations of which the states manage objects. */
export function organizationsIn({ managed }: StateObjects): string[] {
  return [...new Set(managed.flatMap(({ uid }) => (uid === undefined ? [] : [organizationOf(uid)])))].sort();
}
