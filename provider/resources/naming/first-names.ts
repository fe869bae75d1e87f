import { platformErrorAs } from "../../client/errors";
import type { Names } from "../sharing/names";
import { Unresolved } from "./problem";

/** The look-ups of checks, and the first answer to each. */
export class FirstNames {
  readonly #answers = new Map<string, string>();
  /** True once the platform did not answer: no other check waits for it. */
  #isAway = false;

  /**
   * @param names sends each request once, with a deadline: a preview waits for no platform. Undefined: previews look nothing up
   * @param grants lists what these credentials hold: roles by uid, in groups by uid
   */
  constructor(
    readonly names: Names | undefined,
    readonly grants: () => Promise<readonly { readonly place: string; readonly role: string }[]>,
  ) {}

  /** The result of `lookUp`; undefined if the platform does not answer, or not to these credentials. */
  async answer<Found>(lookUp: (names: Names) => Promise<Found>): Promise<Found | Unresolved | undefined> {
    const { names } = this;
    if (names === undefined || this.#isAway) return undefined;
    return lookUp(names).catch(
      platformErrorAs((error) => {
        if (error instanceof Unresolved) return error;
        this.#isAway = true;
        return undefined;
      }),
    );
  }

  /** The uid that `text` meant first to the resource `owner` in this run. */
  known(owner: string, text: unknown): string | undefined {
    return this.#answers.get(keyOf(owner, text));
  }

  /** Keeps the first `uid` of `text`: the second check of a replacement has no state to keep it from. */
  keep(owner: string, text: unknown, uid: string): void {
    const key = keyOf(owner, text);
    if (!this.#answers.has(key)) this.#answers.set(key, uid);
  }
}

function keyOf(owner: string, text: unknown): string {
  return JSON.stringify([owner, text]);
}
