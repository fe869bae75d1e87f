import type { PlatformClient } from "../client/client";
import { hasCode, messageOf, PlatformError } from "../client/errors";
import { places } from "../kinds/group";
import { organizationOf, parentOf } from "../client/uid";
import { SharedQuestions } from "./shared-questions";

/** True when `error` is the platform's own "not found", not some other server's 404. */
export function isNotFound(error: unknown): error is PlatformError {
  return hasCode(error, "NOT_FOUND") && error.fromPlatform && error.status === 404;
}

/** A place that these credentials cannot see, and the error where it is not just "not found". */
export interface Unseen {
  place: string;
  cause?: unknown;
}

/** Which places these credentials can see. Every answer is newer than the call that asks. */
export class Visibility {
  readonly #exists: SharedQuestions<string, boolean>;
  readonly #seenOrganizations = new Set<string>();

  constructor(private readonly client: Pick<PlatformClient, "get">) {
    this.#exists = new SharedQuestions(([uid = ""]) => this.#groupExists(uid));
  }

  /**
   * Climbs from the place of `uid` to the first group that is not itself "not found".
   *
   * @returns undefined when that group can be read; a group below one that can be read is visible too, for roles are inherited
   */
  async unseenPlace(uid: string): Promise<Unseen | undefined> {
    let top = uid;
    for (let place = parentOf(uid); place !== undefined; place = parentOf(place)) {
      try {
        if (await this.#exists.about(place, place)) return undefined;
      } catch (cause) {
        return { place, cause };
      }
      top = place;
    }
    return { place: top };
  }

  /**
   * Looks, until it succeeds once in a run, whether these credentials see anything of the organisation of `uid`: at a wrong address, a server may answer success to
   * every DELETE. A 403 means that it exists; the DELETE decides.
   */
  async unseenOrganization(uid: string): Promise<Unseen | undefined> {
    const organization = organizationOf(uid);
    if (this.#seenOrganizations.has(organization)) return undefined;
    const unseen = await this.unseenPlace(uid);
    if (unseen !== undefined && !hasCode(unseen.cause, "PERMISSION_DENIED")) return unseen;
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

/** `unseen` for messages. */
export function describeUnseen({ place, cause }: Unseen): string {
  return `cannot see ${place}: wrong address, token or organisation?${cause === undefined ? "" : ` (${messageOf(cause)})`}`;
}
