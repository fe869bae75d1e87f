import { isAtOrBelow } from "../provider/client/uid";
import { ancestorsOf } from "../access/places";
import type { PlatformClient } from "../provider/client/client";
import type { WireObject } from "../provider/client/collection";
import type { Kind } from "../provider/schema/kind";
import { callerRights, listablePlaces, listCapability, type Rights } from "../provider/sight/rights";
import { controlPlace } from "../provider/sight/control";
import { groupOf, kindName, listedKinds } from "./kinds";
import type { WhyUnread } from "./objects";
import { whyUnread } from "./rows";

/** The rights of the caller at one time, or why they are unknown. */
export type OwnRights =
  { readonly rights: Rights } | { readonly unknown: string; readonly cause?: WhyUnread["cause"] | undefined };

/** Most objects that one look-up repeats. A List by uid takes forty in one request. */
const mostControls = 40;

/** The rights of these credentials by their role bindings. Never fails. */
export async function ownRights(client: Pick<PlatformClient, "caller" | "list">): Promise<OwnRights> {
  try {
    const rights = await callerRights(client);
    return rights === undefined ? { unknown: unknownCaller } : { rights };
  } catch (error) {
    const { reason, cause } = whyUnread(error);
    return { unknown: `the role bindings of these credentials cannot be read (${reason})`, cause };
  }
}

const unknownCaller =
  "it is unknown whose credentials these are; set the uid of their identity, `platform:identity` or PLATFORM_IDENTITY";

/**
 * The groups in which the List of each kind is proven to show every object, there and below. The proof are the two witnesses of
 * `provider/sight/`. Reading a List takes a while, and access can be lost or given in between. *Right*: before and after, a role of the
 * caller allowed listing the kind there. *Control*: the List showed an object there, and shows it again afterwards.
 */
// See docs/decisions/0020-gone-is-proven-afterwards.md.
export class Sight {
  readonly #proven = new Map<string, string[]>();
  readonly #reasons = new Map<string, WhyUnread>();

  private constructor() {}

  /**
   * @param roots uids of the groups that need proof
   * @param before the rights of the caller before the Lists were requested
   * @param rows the rows of the Lists
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
  doubt(kind: Kind, root: string): { readonly why: WhyUnread; readonly except: readonly string[] } | undefined {
    const proven = this.#provenFor(kind);
    if (proven.some((place) => isAtOrBelow(root, place))) return undefined;
    const except = [...new Set(proven)].filter((place) => isAtOrBelow(place, root));
    const isTop = (place: string) => !except.some((other) => other !== place && isAtOrBelow(place, other));
    return { why: this.#reasons.get(kindName(kind)) ?? { reason: "" }, except: except.filter(isTop).sort() };
  }

  #provenFor(kind: Kind): readonly string[] {
    return this.#proven.get(kindName(kind)) ?? [];
  }
}

/** The groups in which a role allows listing the kind. */
function allowedIn(kind: Kind, own: OwnRights): string[] {
  return "unknown" in own ? [] : listablePlaces(kind, own.rights);
}

/** The groups in which the List showed objects of the kind, and shows them again now. */
async function controlledIn(client: Pick<PlatformClient, "list">, kind: Kind, shown: readonly WireObject[]): Promise<string[]> {
  const byPlace = new Map(shown.map(({ uid }) => [controlPlace(kind, uid) ?? uid, uid]));
  const isTop = (place: string) => !ancestorsOf(place).some((above) => byPlace.has(above));
  const uids = [...byPlace].filter(([place]) => isTop(place)).map(([, uid]) => uid);
  if (uids.length === 0) return [];
  const again = await client.list(kind.collection, { uids: uids.slice(0, mostControls) }).catch(() => []);
  return again.map(({ uid }) => controlPlace(kind, uid) ?? uid);
}

function reasonFor(kind: Kind, before: OwnRights, now: OwnRights): WhyUnread {
  const { unknown, cause } = "unknown" in now ? now : "unknown" in before ? before : {};
  if (unknown !== undefined) return { reason: `no object in the List there proves that it hides none, and ${unknown}`, cause };
  const isLost = allowedIn(kind, before).length > 0 && allowedIn(kind, now).length === 0;
  if (isLost)
    return {
      reason: "the roles of these credentials changed while the organisation was read; run the command again",
      cause: "failed",
    };
  const { segment } = kind.collection;
  return {
    reason: `no role of these credentials allows listing ${segment} there (${listCapability(kind) ?? "no documented capability"})`,
  };
}
