import { isAtOrBelow, parentOf } from "../../client/uid";
import { isBuiltIn } from "../../kinds/role";
import type { Values } from "../../schema/values";

/** True for a role that can be granted in the group `place`: a built-in one, or a custom one of `place` or a group above. */
export function isGrantableIn({ uid }: { readonly uid: string }, place: string): boolean {
  const group = parentOf(uid);
  return group === undefined || isAtOrBelow(place, group);
}

/** The roles that a name means among all candidates: built-in ones come before custom ones. */
export function builtInFirst<Role extends { readonly uid: string }>(roles: readonly Role[]): readonly Role[] {
  const builtIn = roles.filter(({ uid }) => isBuiltIn(uid));
  return builtIn.length > 0 ? builtIn : roles;
}

/**
 * True for an identity that logs in with exactly this issuer and subject. Patterns never match here: they say who may log in, not who
 * it is.
 */
export function logsInWith(
  { claimMatch, staticKeys }: { readonly claimMatch?: unknown; readonly staticKeys?: unknown },
  { issuer, subject }: { readonly issuer: string; readonly subject: string },
): boolean {
  return [claimMatch, staticKeys].some((form) => {
    const { issuer: by, subject: as } = (form ?? {}) as Values;
    return by === issuer && as === subject;
  });
}
