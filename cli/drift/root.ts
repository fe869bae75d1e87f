import { ancestorsOf, pathOf } from "../../access/places";
import type { Reader } from "../../inventory/platform";
import type { StateObjects } from "../../inventory/state";
import { PlatformError } from "../../provider/client/errors";
import { list, literal } from "../../provider/client/printable";
import { hasPlatformForm, organizationOf } from "../../provider/client/uid";
import { group } from "../../provider/kinds/group";

/**
 * The uid of the group to compare.
 *
 * @param given a uid or a path; undefined: the organisation of the configuration, or the only one of the states
 * @throws PlatformError
 */
export async function rootUid(
  client: Reader,
  given: string | undefined,
  configured: string | undefined,
  states: StateObjects,
): Promise<string> {
  const wanted = given ?? configured;
  if (wanted !== undefined) return given === undefined || hasPlatformForm(wanted) ? wanted : uidAt(client, wanted);
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

async function uidAt(client: Reader, path: string): Promise<string> {
  const names = path.split("/");
  const found = await client.list(group.collection, { name: names.at(-1) ?? "" });
  const above = [...new Set(found.flatMap(({ uid }) => ancestorsOf(uid)))];
  const rows = above.length === 0 ? [] : await client.list(group.collection, { uids: above });
  const nameOf = new Map([...found, ...rows].map(({ uid, name }) => [uid, name]));
  const matching = found.filter(({ uid }) => pathOf(uid, (each) => nameOf.get(each)) === path);
  const [only, ...others] = matching;
  if (only !== undefined && others.length === 0) return only.uid;
  const why =
    only === undefined
      ? "no such group is visible to these credentials"
      : `the groups ${list(matching.map(({ uid }) => uid))} have it`;
  throw new PlatformError("INVALID_INPUT", `--root ${literal(path)}: ${why}. Pass the uid of the group.`);
}
