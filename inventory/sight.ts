import { isAtOrBelow } from "../provider/client/uid";
import { ancestorsOf } from "../access/places";
import type { PlatformClient } from "../provider/client/client";
import type { WireObject } from "../provider/client/collection";
import { causeOf } from "../provider/client/errors";
import type { Kind } from "../provider/schema/kind";
import { kinds } from "../provider/kinds/kinds";
import { grantsOf } from "../provider/sight/rights";
import { groupOf, kindName, listedKinds, kindNames } from "./kinds";

/** What one identity may list where: capabilities by group, each with everything below. */
type Rights = ReadonlyMap<string, ReadonlySet<string>>;

/** The rights of the caller at one time, or why they are unknown. */
export type OwnRights = { readonly rights: Rights } | { readonly unknown: string };

/** Objects are looked up again at most so many at once: a List by uid is one request for forty. */
const mostControls = 40;

/** What the role bindings of these credentials allow. Never fails. */
export async function ownRights(client: Pick<PlatformClient, "caller" | "list">): Promise<OwnRights> {
  try {
    const caller = await client.caller();
    if (caller === undefined) return { unknown: unknownCaller };
    const grants = await grantsOf(client, caller.uid);
    const uids = [...new Set(grants.map(({ role }) => role))].filter((uid) => uid !== "");
    const roles = uids.length === 0 ? [] : await client.list(kinds.role.collection, { uids });
    const capabilities = new Map(roles.map((role) => [role.uid, role.capabilities]));
    const rights = new Map<string, Set<string>>();
    for (const { place, role } of grants) {
      const here = rights.get(place) ?? new Set<string>();
      for (const capability of capabilities.get(role) ?? []) here.add(capability);
      rights.set(place, here);
    }
    return { rights };
  } catch (error) {
    return { unknown: `the role bindings of these credentials cannot be read (${causeOf(error)})` };
  }
}

const unknownCaller =
  "it is unknown whose credentials these are; set the uid of their identity, `platform:identity` or PLATFORM_IDENTITY";

/**
 * In which groups the List of each kind is proven to show every object, there and below. A platform hides what a caller may not
 * see, so a List proves nothing by itself, and access can be lost while Lists are read. Two things prove it: the caller had a role
 * that allows listing the kind there, before and after; or the List showed an object there, and shows it again afterwards, since
 * whoever may see it may see all others there and below.
 */
// See docs/decisions/0020-gone-is-proven-afterwards.md.
export class Sight {
  readonly #proven = new Map<string, string[]>();
  readonly #reasons = new Map<string, string>();

  private constructor() {}

  /**
   * @param roots uids of the groups in which proof is needed
   * @param before the rights of the caller before the Lists were requested
   * @param rows what the Lists showed
   */
  static async after(
    client: Pick<PlatformClient, "caller" | "list">,
    roots: readonly string[],
    before: OwnRights,
    rows: readonly (readonly [string, readonly WireObject[]])[],
  ): Promise<Sight> {
    const sight = new Sight();
    const now = await ownRights(client);
    await Promise.all(
      rows.map(async ([name, shown]) => {
        const kind = listedKinds.get(name);
        if (kind === undefined) return;
        const allowed = allowedIn(kind, before).filter((place) => allowedIn(kind, now).includes(place));
        const covers = roots.every((root) => allowed.some((place) => isAtOrBelow(root, place)));
        const controlled = covers ? [] : await controlledIn(client, kind, shown);
        sight.#proven.set(name, [...allowed, ...controlled]);
        sight.#reasons.set(name, reasonFor(kind, before, now));
      }),
    );
    return sight;
  }

  /** True if a List would have shown the object. */
  shows(kind: Kind, uid: string): boolean {
    const place = groupOf(kind, uid) ?? uid;
    return this.#provenFor(kind).some((proven) => isAtOrBelow(place, proven));
  }

  /** Why the Lists of the kind may hide objects in `root` and below; undefined if they hide none. */
  doubt(kind: Kind, root: string): { readonly reason: string; readonly except: readonly string[] } | undefined {
    const proven = this.#provenFor(kind);
    if (proven.some((place) => isAtOrBelow(root, place))) return undefined;
    const except = [...new Set(proven)].filter((place) => isAtOrBelow(place, root));
    const isTop = (place: string) => !except.some((other) => other !== place && isAtOrBelow(place, other));
    return { reason: this.#reasons.get(kindName(kind)) ?? "", except: except.filter(isTop).sort() };
  }

  #provenFor(kind: Kind): readonly string[] {
    return this.#proven.get(kindName(kind)) ?? [];
  }
}

/** The groups in which a role allows listing the kind. */
function allowedIn({ collection }: Kind, own: OwnRights): string[] {
  if ("unknown" in own || collection.capabilities === undefined) return [];
  const needed = `CAP_${collection.capabilities}_LIST`;
  return [...own.rights].flatMap(([place, capabilities]) => (capabilities.has(needed) ? [place] : []));
}

/** The groups in which objects of the kind were shown, and are shown again now. */
async function controlledIn(client: Pick<PlatformClient, "list">, kind: Kind, shown: readonly WireObject[]): Promise<string[]> {
  const byPlace = new Map(shown.map(({ uid }) => [controlPlace(kind, uid), uid]));
  const isTop = (place: string) => !ancestorsOf(place).some((above) => byPlace.has(above));
  const uids = [...byPlace].filter(([place]) => isTop(place)).map(([, uid]) => uid);
  if (uids.length === 0) return [];
  const again = await client.list(kind.collection, { uids: uids.slice(0, mostControls) }).catch(() => []);
  return again.map(({ uid }) => controlPlace(kind, uid));
}

/** The group whose readers may read `uid`. A visible group shows those in it. */
function controlPlace(kind: Kind, uid: string): string {
  return kindName(kind) === kindNames.group ? uid : (groupOf(kind, uid) ?? uid);
}

function reasonFor({ collection }: Kind, before: OwnRights, now: OwnRights): string {
  const lost = "the roles of these credentials changed while the organisation was read; run the command again";
  const unknown = "unknown" in now ? now.unknown : "unknown" in before ? before.unknown : undefined;
  if (unknown !== undefined) return `no object in the List there proves that it hides none, and ${unknown}`;
  const needed = `CAP_${collection.capabilities ?? ""}_LIST`;
  const had = "rights" in before && [...before.rights.values()].some((capabilities) => capabilities.has(needed));
  const has = "rights" in now && [...now.rights.values()].some((capabilities) => capabilities.has(needed));
  return had && !has ? lost : `no role of these credentials allows listing ${collection.segment} there (${needed})`;
}
