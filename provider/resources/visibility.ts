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

/** Which places these credentials can see. Every answer is newer than the call that asks. */
export class Visibility {
  readonly #exists: SharedQuestions<string, boolean>;
  readonly #seenOrganizations = new Set<string>();

  constructor(private readonly client: Pick<PlatformClient, "get">) {
    this.#exists = new SharedQuestions(([uid = ""]) => this.#groupExists(uid));
  }

  /** Climbs from the place of the object `uid` to the first group that is not itself "not found". */
  async look(kind: Kind, uid: string): Promise<Look> {
    let top = uid;
    for (let place = kind.placeOf(uid); place !== undefined; place = parentOf(place)) {
      try {
        if (await this.#exists.about(place, place)) return { place, isSeen: true };
      } catch (cause) {
        return { place, isSeen: false, cause };
      }
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

  async #groupExists(uid: string): Promise<boolean> {
    try {
      await this.client.get(places, uid);
      return true;
    } catch (error) {
      if (isNotFound(error)) return false;
      throw error;
    }
  }
}

/** A failed look for messages. */
export function describeUnseen({ place, cause }: Look): string {
  return `cannot see ${place}: wrong address, token or organisation?${cause === undefined ? "" : ` (${messageOf(cause)})`}`;
}
