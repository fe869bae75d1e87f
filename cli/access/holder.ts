import type { EffectiveGrant } from "../../access/effective";
import { personInWords } from "../../access/prose/person";
import { literal } from "../../provider/client/printable";
import { oneLine } from "../text/one-line";

/**
 * The holder or possible holder of a role, on one line.
 *
 * @param nameOf the name of an identity or identity provider for people, by uid
 */
export function holderText(
  { identity, through }: Pick<EffectiveGrant, "identity" | "through">,
  nameOf: (uid: string) => string,
): string {
  const { uid = "unknown", externalGroupId, identityProviderUid = "unknown", email, account } = identity;
  switch (through.kind) {
    case "roleBinding":
      return identity.isUnseen ? (personInWords(identity) ?? uid) : nameOf(uid);
    case "externalGroupRoleMapping":
      return `members of ${literal(externalGroupId)} at ${nameOf(identityProviderUid)}`;
    case "identityProvider":
      return `whoever signs in at ${nameOf(identityProviderUid)} for the first time`;
    case "groupInvite":
      return email === undefined ? `whoever accepts the invite ${through.uid}` : `${literal(email)}, by an invite`;
    case "accountAssociation":
      return oneLine(account ?? through.uid);
  }
}
