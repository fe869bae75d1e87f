import { grantingKinds, groupOf, kindNames as names, listedKinds } from "../inventory/kinds";
import { isAtOrBelow, lineageOf } from "../provider/client/uid";
import type { Finding } from "./finding";
import { Glob } from "./glob";

/** The keys of an entry that limit where access through an object may lie. */
export interface ScopeText {
  readonly object?: string | undefined;
  readonly pattern?: string | undefined;
  readonly within?: string | readonly string[] | undefined;
}

/** A group in which access depends on an object. */
type Place = NonNullable<Finding["reach"]>[number];

/**
 * The groups that an entry of an ignore file covers. A pattern covers a group if it matches everything below the group. `within` covers the
 * groups that it names and the groups below. An entry for one object also covers the group of this object. Every entry for an object that
 * gives access itself does too, because the access lies in that group.
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

  /** The groups in which access depends on the object and which the entry does not cover. */
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
  // If a name contains a slash, the path of its group reads like the path of another group.
  return uids.length === paths.length ? [...uids, ...paths] : [...uids];
}

/** True for a kind whose objects give access by themselves. Access through an identity provider also comes from other objects. */
function isGrant(kind: string): boolean {
  return grantingKinds.has(kind) && kind !== names.identityProvider;
}

function ownGroup(kind: string, uid: string): string | undefined {
  const listed = listedKinds.get(kind);
  return listed === undefined ? undefined : groupOf(listed, uid);
}
