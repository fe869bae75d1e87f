import { PlatformError } from "../client/errors";
import { options } from "../client/printable";

/** The errors of one run for objects that are not visible and may exist. */
export class NotGone {
  /** True once an error has listed the options of the user. */
  #hasAdvised = false;

  /**
   * Only the first error lists the options. A later error about a forgettable object still names the command that removes it from the
   * state.
   *
   * @param why a sentence
   */
  error(uid: string, why: string, isForgettable = false, cause?: unknown): PlatformError {
    const way = isForgettable ? forgetting(uid) : `With such an identity, ${forgetting(uid)}`;
    const first = this.#hasAdvised ? [] : [seer, way, wholeStack];
    const ways = this.#hasAdvised && isForgettable ? [forgetting(uid)] : first;
    const text = ways.length > 0 ? options(ways) : "\nThe first error of this sort lists the options.";
    this.#hasAdvised = true;
    return new PlatformError("NOT_GONE", `${why} It stays in state.${text}`, { cause });
  }
}

const seer = "Use an identity that can see it.";
const wholeStack = "`pulumi stack rm --force` removes the whole stack.";

/** The way to remove an object from the state if all signs agree that it is gone. */
function forgetting(uid: string): string {
  return `\`pulumi-platform forget ${uid}\` asks the platform again and shows every sign; with \`--yes\` it removes the resource from the state if all agree.`;
}
