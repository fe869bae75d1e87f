import { grantingKinds, groupOf, kindNames as names, listedKinds } from "../inventory/kinds";
import { isAtOrBelow, lineageOf } from "../provider/client/uid";
import type { Finding } from "./finding";
import { Glob } from "./glob";

/** The keys of an entry that say where access may lie which depends on an object. */
export interface ScopeText {
  readonly object?: string | undefined;
  readonly pattern?: string | undefined;
  readonly within?: string | readonly string[] | undefined;
}

/** A group in which access depends on an object. */
type Place = NonNullable<Finding["reach"]>[number];

/**
 * The groups that an entry of an ignore file answers for. A pattern answers for groups of which it matches everything below; `within` for the
 * groups that it names, and those below. An entry for one object also answers for the group that this is in, and so does every entry for
 * what gives access itself: that is where it stands.
 */
export class EntryScope {
  readonly #pattern: Glob | undefined;
  readonly #within: readonly Glob[];
  readonly #isForOne: boolean;

  constructor({ object, pattern, within = [] }: ScopeText) {
    this.#isForOne = object !== undefined;
    this.#pattern = pattern === undefined ? undefined : new Glob(pattern);
    this.#within = [within].flat().map((text) => new Glob(text));
  }

  /** The groups that access depends on the object in, and that the entry does not answer for. */
  outside({ kind, uid, reach = [] }: Finding): Place[] {
    const own = this.#isForOne || isGrant(kind) ? ownGroup(kind, uid) : undefined;
    return reach.filter(
      (place) => !(own !== undefined && isAtOrBelow(place.uid, own)) && !this.#isNamed(place) && !this.#isWithin(place),
    );
  }

  #isNamed(place: Place): boolean {
    return textsOf(place).some((text) => this.#pattern?.coversBelow(text));
  }

  #isWithin(place: Place): boolean {
    const around = textsOf(place);
    return this.#within.some((glob) => around.some((text) => glob.matches(text) || glob.coversBelow(text)));
  }
}

/** The uid and the path of a group and of those above it. */
function textsOf({ uid, path }: Place): string[] {
  const [uids, paths] = [lineageOf(uid), lineageOf(path)];
  // With a slash in a name, a path reads like that of another group.
  return uids.length === paths.length ? [...uids, ...paths] : [...uids];
}

/** True for what gives access in a place by itself. An identity provider does too, but others give access by it. */
function isGrant(kind: string): boolean {
  return grantingKinds.has(kind) && kind !== names.identityProvider;
}

function ownGroup(kind: string, uid: string): string | undefined {
  const listed = listedKinds.get(kind);
  return listed === undefined ? undefined : groupOf(listed, uid);
}
