import type { PlatformClient } from "../../client/client";
import { hasCode, isNotFound, messageOf } from "../../client/errors";
import { lineageOf, organizationOf } from "../../client/uid";
import { group, places } from "../../kinds/group";
import { isKind, type Kind } from "../../schema/kind";
import { SharedQuestions } from "../sharing/shared-questions";

/** The result of climbing from an object to a visible group. */
export interface Look {
  /** The last group requested. */
  place: string;
  /** True if these credentials can read it. Everything below is visible too, because roles are inherited. */
  isSeen: boolean;
  /** Why it cannot be read; undefined for "not found". */
  cause?: unknown;
}

/** Whether a group can be read. `cause` says why not, except for "not found". */
interface Existence {
  exists: boolean;
  cause?: unknown;
}

/** Which places these credentials can see. Every answer is newer than the call. */
export class Visibility {
  readonly #exist: SharedQuestions<string, ReadonlyMap<string, Existence>>;
  readonly #seenOrganizations = new Set<string>();

  constructor(private readonly client: Pick<PlatformClient, "get" | "list" | "clock">) {
    this.#exist = new SharedQuestions(client.clock, (uids) => this.#groupsExist(new Set(uids)));
  }

  /** Climbs from the place of the object `uid` to the first group that is not itself "not found". */
  async look(kind: Kind, uid: string): Promise<Look> {
    let top = uid;
    for (const place of lineageOf(kind.placeOf(uid))) {
      const { exists, cause } = (await this.#exist.about(organizationOf(place), place)).get(place) ?? {};
      if (exists) return { place, isSeen: true };
      if (cause !== undefined) return { place, isSeen: false, cause };
      top = place;
    }
    return { place: top, isSeen: false };
  }

  /**
   * Checks that these credentials see the organisation of the object `uid`, until that succeeds once in a run: at a wrong address, a
   * server may answer success to every DELETE. A 403 passes, because the place exists; the DELETE decides.
   *
   * @returns the failed look; undefined if it succeeded
   */
  async unseenOrganization(kind: Kind, uid: string): Promise<Look | undefined> {
    const organization = organizationOf(uid);
    if (this.#seenOrganizations.has(organization)) return undefined;
    const isRoot = kind.placeOf(uid) === undefined && isKind(kind, group);
    const look = isRoot ? await this.#lookAtRoot(uid) : await this.look(kind, uid);
    if (!look.isSeen && !hasCode(look.cause, "PERMISSION_DENIED")) return look;
    this.#seenOrganizations.add(organization);
    return undefined;
  }

  /** A root has no place but itself: to delete it, it must be seen. */
  async #lookAtRoot(uid: string): Promise<Look> {
    const { exists = false, cause } = (await this.#exist.about(uid, uid)).get(uid) ?? {};
    return { place: uid, isSeen: exists, cause };
  }

  /** Requests several groups in one List, and reads those that it does not show, to distinguish "not found" from "forbidden". */
  async #groupsExist(uids: ReadonlySet<string>): Promise<ReadonlyMap<string, Existence>> {
    const rows = uids.size > 1 ? await this.client.list(places, { uids: [...uids] }).catch(() => []) : [];
    const known = new Map<string, Existence>(rows.map(({ uid }) => [uid, { exists: true }]));
    const others = [...uids].filter((uid) => !known.has(uid));
    await Promise.all(others.map(async (uid) => known.set(uid, await this.#groupExists(uid))));
    return known;
  }

  async #groupExists(uid: string): Promise<Existence> {
    try {
      await this.client.get(places, uid);
      return { exists: true };
    } catch (cause) {
      return isNotFound(cause) ? { exists: false } : { exists: false, cause };
    }
  }
}

/** A failed look, for messages. */
export function describeUnseen({ place, cause }: Look): string {
  return `cannot see ${place}: wrong address, token or organisation?${cause === undefined ? "" : ` (${messageOf(cause)})`}`;
}
