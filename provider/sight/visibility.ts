import type { PlatformClient } from "../client/client";
import { hasCode, isNotFound, causeOf, platformErrorAs } from "../client/errors";
import { groupText } from "../client/known-paths";
import { lineageOf, organizationOf } from "../client/uid";
import { group, places } from "../kinds/group";
import { isKind, type Kind } from "../schema/kind";
import { SharedQuestions } from "../resources/sharing/shared-questions";

/** The result of reading a group, or of climbing from an object to a visible one. */
export interface Look {
  /** The last group requested. */
  readonly place: string;
  /** True if these credentials can read it. Everything below is visible too, because roles are inherited. */
  readonly isSeen: boolean;
  /** Why it cannot be read; undefined for "not found". */
  readonly cause?: unknown;
}

/** The gap between an object and the nearest group around it that answers. */
export interface Gap {
  /** The group that answers; undefined if none does, or if the object is in no group. */
  readonly seen: Look | undefined;
  /** The highest group below it without an answer; undefined if the group of the object answers itself. */
  readonly missing: Look | undefined;
}

/** The places that these credentials can see. Every answer is newer than the call. */
export class Visibility {
  readonly #looks: SharedQuestions<string, ReadonlyMap<string, Look>>;
  readonly #seenOrganizations = new Set<string>();

  constructor(private readonly client: Pick<PlatformClient, "get" | "list" | "clock">) {
    this.#looks = new SharedQuestions(client.clock, (uids) => this.#read(new Set(uids)));
  }

  /** Climbs from the place of the object `uid` to the first group with another answer than "not found". */
  async look(kind: Kind, uid: string): Promise<Look> {
    return this.#climb(uid, lineageOf(kind.placeOf(uid)));
  }

  /** Climbs from the group of the object `uid` to the first one that answers, past refused ones. */
  async gap({ collection }: Kind, uid: string): Promise<Gap> {
    let missing: Look | undefined;
    for (const place of lineageOf(lineageOf(uid)[collection.depth ?? 1])) {
      const look = await this.#climb(uid, [place]);
      if (look.isSeen) return { seen: look, missing };
      missing = look;
    }
    return { seen: undefined, missing };
  }

  /**
   * Checks that these credentials see the organisation of the object `uid`, until the check succeeds once in a run. A server at a wrong
   * address may answer success to every DELETE. A 403 passes, because the place exists; the DELETE decides.
   *
   * @returns the failed look; undefined if it succeeded
   */
  async unseenOrganization(kind: Kind, uid: string): Promise<Look | undefined> {
    const organization = organizationOf(uid);
    if (this.#seenOrganizations.has(organization)) return undefined;
    // A root has no place but itself, so a root to delete must be visible.
    const isRoot = kind.placeOf(uid) === undefined && isKind(kind, group);
    const look = await this.#climb(uid, isRoot ? [uid] : lineageOf(kind.placeOf(uid)));
    if (!look.isSeen && !hasCode(look.cause, "PERMISSION_DENIED")) return look;
    this.#seenOrganizations.add(organization);
    return undefined;
  }

  async #climb(uid: string, lineage: readonly string[]): Promise<Look> {
    let look: Look = { place: uid, isSeen: false };
    for (const place of lineage) {
      look = (await this.#looks.about(organizationOf(place), place)).get(place) ?? look;
      if (look.isSeen || look.cause !== undefined) break;
    }
    return look;
  }

  /** Requests several groups in one List, and reads each hidden one to distinguish "not found" from "forbidden". */
  async #read(uids: ReadonlySet<string>): Promise<ReadonlyMap<string, Look>> {
    const rows = uids.size > 1 ? await this.client.list(places, { uids: [...uids] }).catch(platformErrorAs(() => [])) : [];
    const seen = new Set(rows.map(({ uid }) => uid));
    const read = async (place: string): Promise<[string, Look]> => {
      if (!seen.has(place)) await this.client.get(places, place);
      return [place, { place, isSeen: true }];
    };
    const failed = (place: string) =>
      platformErrorAs((cause): [string, Look] => [place, { place, isSeen: false, ...(!isNotFound(cause) && { cause }) }]);
    return new Map(await Promise.all([...uids].map((place) => read(place).catch(failed(place)))));
  }
}

/** A failed look, for messages. */
export function describeUnseen({ place, cause }: Look): string {
  return `cannot see ${groupText(place)}: wrong address, token or organisation?${cause === undefined ? "" : ` (${causeOf(cause)})`}`;
}
