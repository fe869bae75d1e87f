import { parentOf } from "../provider/client/uid";
import { located } from "./holders";
import type { Named, Snapshot } from "./snapshot";

/** A group, an identity, a role or an identity provider with a new name or place. */
export interface Rename {
  readonly kind: "group" | "identity" | "role" | "identityProvider";
  /** Its uid in the later snapshot. */
  readonly uid: string;
  /** `moved`: in another group, whether or not it has another name. */
  readonly how: "renamed" | "moved";
  /** Its path, or its name if the path is not known. */
  readonly before: string;
  readonly after: string;
}

const none: ReadonlyMap<string, Named> = new Map();

/**
 * The objects renamed or moved from one snapshot to the other. Objects in a renamed group have not changed and are not listed.
 *
 * @param moved uid of the same object in `before` for each object in `after` whose uid differs
 */
export function renames(before: Snapshot, after: Snapshot, moved: ReadonlyMap<string, string> = new Map()): Rename[] {
  const same = (uid: string) => moved.get(uid) ?? uid;
  type Objects = ReadonlyMap<string, Named>;
  const kinds: readonly (readonly [Rename["kind"], Objects, Objects])[] = [
    ["group", before.groups, after.groups],
    ["identity", before.identities, after.identities],
    ["role", before.roles, after.roles],
    ["identityProvider", before.providers ?? none, after.providers ?? none],
  ];
  return kinds.flatMap(([kind, was, is]) =>
    [...is].flatMap(([uid, { name }]): Rename[] => {
      const old = was.get(same(uid));
      if (old === undefined) return [];
      const [from, to] = [parentOf(same(uid)), parentOf(uid)];
      const isMoved = from !== (to === undefined ? undefined : same(to));
      // People choose their own names.
      const isPerson = kind === "identity" && from === undefined && to === undefined;
      if (isPerson || (!isMoved && old.name === name)) return [];
      const paths = { before: located(before, same(uid)).path ?? old.name, after: located(after, uid).path ?? name };
      return [{ kind, uid, how: isMoved ? "moved" : "renamed", ...paths }];
    }),
  );
}
