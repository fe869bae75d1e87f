import type { Inputs, Kind } from "../../provider/schema/kind";
import type { TestPlatform } from "./test-platform";

/** A digest of an image, with these hexadecimal digits. */
export const digestOf = (digits: string) => `sha256:${digits.repeat(64).slice(0, 64)}`;

const issuer = "https://issuer.example";

/** How an identity provider logs people in. */
const oidc = { issuer: "https://login.example", clientId: "platform" };

/** The name of an object, and its references. */
export interface Place {
  parentUid: string;
  name: string;
  /** Uid of the organisation. */
  organization: string;
  roleUid: string;
  /** Only role bindings have one. */
  identityUid?: string;
  /** Of an identity provider. Default: none. */
  clientSecret?: string;
}

const described = ({ parentUid, name }: Place, fields: Inputs = {}) => ({
  parentUid,
  name,
  description: "as declared",
  ...fields,
});

/** Valid inputs by collection, with which every test of all kinds runs. */
const inputs: Record<string, (place: Place) => Inputs> = {
  groups: described,
  identities: (place) => described(place, { claimMatch: { issuer, subject: place.name } }),
  roles: (place) => described(place, { capabilities: ["CAP_REPO_LIST", "CAP_TAG_LIST"] }),
  roleBindings: ({ parentUid, identityUid, roleUid }) => ({ parentUid, identityUid, roleUid }),
  identityProviders: ({ roleUid, clientSecret, ...place }) =>
    described(
      { roleUid, ...place },
      { defaultRole: roleUid, oidc: { ...oidc, ...(clientSecret ? { clientSecret } : { pkceEnabled: true }) } },
    ),
  externalGroupRoleMappings: ({ parentUid, name, roleUid, organization }) => ({
    identityProviderUid: parentUid,
    externalGroupId: name,
    roleUid,
    scope: organization,
  }),
  accountAssociations: (place) => described(place, { amazon: { account: "123456789012" } }),
  repos: (place) => described(place, { aliases: ["a:1"], deletionPolicy: "delete" }),
  tags: ({ parentUid, name }) => ({ repoUid: parentUid, name, digest: digestOf("a"), deletionPolicy: "delete" }),
  groupInvites: ({ parentUid, roleUid }) => ({ parentUid, roleUid, ttl: "3600s" }),
  subscriptions: ({ parentUid, name }) => ({ parentUid, sink: `https://events.example/${name}` }),
};

/** Other values by collection, besides another name and description. */
const changes: Record<string, (was: Inputs, roleUid: string) => Inputs> = {
  identities: () => ({ claimMatch: { issuer, subject: "changed" } }),
  roles: () => ({ capabilities: ["CAP_REPO_LIST"] }),
  roleBindings: (_was, roleUid) => ({ roleUid }),
  identityProviders: (was, defaultRole) => ({
    defaultRole,
    oidc: { ...(was["oidc"] as object), clientId: "changed", groupsClaim: "groups" },
  }),
  externalGroupRoleMappings: (_was, roleUid) => ({ roleUid }),
  accountAssociations: () => ({ amazon: { account: "210987654321" }, google: { projectId: "acme", projectNumber: "1" } }),
  repos: () => ({ aliases: ["a:2"], bundles: ["base"] }),
  tags: () => ({ digest: digestOf("b"), deprecated: true }),
};

/** Valid inputs of `kind`. */
export function validInputs({ collection }: Kind, place: Place): Inputs {
  const valid = inputs[collection.segment];
  if (valid === undefined) throw new Error(`${collection.segment}: add valid inputs of this kind`);
  return valid(place);
}

/** Other inputs for the same object. @param roleUid of another role */
export function changedInputs({ collection, fields }: Kind, was: Inputs, roleUid: string): Inputs {
  const isNamed = "description" in fields;
  const named = isNamed && { name: `${String(was["name"])}-renamed`, description: "as changed" };
  return { ...was, ...named, ...changes[collection.segment]?.(was, roleUid) };
}

/** Creates, in a group, what objects of `kind` are in, unless that is a group. @returns its uid */
export async function placeIn(platform: TestPlatform, kind: Kind, group: Pick<Place, "parentUid" | "roleUid">): Promise<string> {
  const { segment } = kind.parents;
  if (segment === "groups") return group.parentUid;
  const place = { ...group, name: "place", organization: platform.root };
  const { parentUid, description: _, deletionPolicy: __, ...fields }: Inputs = inputs[segment]?.(place) ?? {};
  return (await platform.create(segment, String(parentUid), fields)).uid;
}
