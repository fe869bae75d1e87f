import type { PlatformClient } from "../client/client";
import { hasCode, messageOf, PlatformError } from "../client/errors";
import { organizationOf, parentOf } from "../client/uid";
import { places } from "../kinds/group";
import type { Kind } from "../kinds/kind";
import { SharedQuestions } from "./shared-questions";

/** True when `error` is the platform's own "not found", not some other server's 404. */
export function isNotFound(error: unknown): error is PlatformError {
  return hasCode(error, "NOT_FOUND") && error.fromPlatform && error.status === 404;
}

/** How a climb from an object ended. */
export interface Look {
  /** The last group that was asked for. */
  place: string;
  /** True when these credentials can read it. What is below it is visible too, for roles are inherited. */
  isSeen: boolean;
  /** Why it cannot be read, where it is not just "not found". */
  cause?: unknown;
}

/** Whether a group can be read; `cause` where it cannot, and that is not just "not found". */
interface Existence {
  exists: boolean;
  cause?: unknown;
}

/** Which places these credentials can see. Every answer is newer than the call that asks. */
export class Visibility {
  readonly #exist: SharedQuestions<string, ReadonlyMap<string, Existence>>;
  readonly #seenOrganizations = new Set<string>();

  constructor(private readonly client: Pick<PlatformClient, "get" | "list">) {
    this.#exist = new SharedQuestions((uids) => this.#groupsExist(new Set(uids)));
  }

  /** Climbs from the place of the object `uid` to the first group that is not itself "not found". */
  async look(kind: Kind, uid: string): Promise<Look> {
    let top = uid;
    for (let place = kind.placeOf(uid); place !== undefined; place = parentOf(place)) {
      const { exists, cause } = (await this.#exist.about(organizationOf(place), place)).get(place) ?? {};
      if (exists) return { place, isSeen: true };
      if (cause !== undefined) return { place, isSeen: false, cause };
      top = place;
    }
    return { place: top, isSeen: false };
  }

  /**
   * Looks whether these credentials see anything of the organisation of the object `uid`, until it succeeds once in a run: at a wrong
   * address, a server may answer success to every DELETE. A 403 means that the place exists; the DELETE decides.
   *
   * @returns the look that failed
   */
  async unseenOrganization(kind: Kind, uid: string): Promise<Look | undefined> {
    const organization = organizationOf(uid);
    if (this.#seenOrganizations.has(organization)) return undefined;
    const look = await this.look(kind, uid);
    if (!look.isSeen && !hasCode(look.cause, "PERMISSION_DENIED")) return look;
    this.#seenOrganizations.add(organization);
    return undefined;
  }

  /** Several groups are asked for by one List; each that it does not show is read, which tells "not found" from "forbidden". */
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

/** A failed look for messages. */
export function describeUnseen({ place, cause }: Look): string {
  return `cannot see ${place}: wrong address, token or organisation?${cause === undefined ? "" : ` (${messageOf(cause)})`}`;
}
