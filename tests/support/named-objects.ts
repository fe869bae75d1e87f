import type { KindKey } from "../../provider/kinds/kinds";
import { digestOf } from "./kind-inputs";
import type { TestPlatform } from "./test-platform";

/** An object, and what names it for an import. */
export interface NamedObject {
  readonly kind: KindKey | "groupAccess";
  readonly uid: string;
  /** Every text that names it, besides its uid. */
  readonly ids: readonly string[];
}

/** The login of the identity `acme.example/shop/ci`. Its subject has the separator of keys in it. */
export const login = { issuer: "https://issuer.example", subject: "auth0|ci" };

/** One object of each kind, below the organisation `acme.example`. */
export async function namedObjects(platform: TestPlatform): Promise<NamedObject[]> {
  const { root } = platform;
  const [top, place] = ["acme.example", "acme.example/shop"];
  const viewer = await platform.role("viewer");
  const make = async (segment: string, parent: string, fields: object) => (await platform.create(segment, parent, fields)).uid;
  const shop = await make("groups", root, { name: "shop", description: "What customers see" });
  const ci = await make("identities", shop, { name: "ci", claimMatch: login });
  const deployer = await make("roles", shop, { name: "deploy/er", capabilities: ["CAP_REPO_LIST"] });
  const binding = await make("roleBindings", shop, { identityUid: ci, roleUid: viewer });
  const custom = await make("roleBindings", shop, { identityUid: ci, roleUid: deployer });
  const okta = await make("identityProviders", root, {
    name: "okta",
    defaultRole: viewer,
    oidc: { issuer: "https://login.example", clientId: "platform", pkceEnabled: true },
  });
  const mapping = { externalGroupId: "a|b", roleUid: viewer, scope: root };
  const repo = await make("repos", shop, { name: "images/nginx" });
  const invite = await platform.create("groupInvites", shop, { roleUid: viewer, ttl: "3600s" });
  const sink = "https://events.example/a//b";
  const bound = `${place}|${place}/ci`;
  return [
    { kind: "group", uid: shop, ids: [place, "platform:organization/shop"] },
    { kind: "group", uid: root, ids: [top, "platform:organization"] },
    { kind: "identity", uid: ci, ids: [`${place}/ci`] },
    { kind: "role", uid: deployer, ids: [`${place}/deploy/er`] },
    {
      kind: "roleBinding",
      uid: binding,
      ids: [
        `${bound}|viewer`,
        `${shop}|${ci}|${viewer}`,
        `${place}|${JSON.stringify(login)}|viewer`,
        `platform:organization/shop|${place}/ci|"viewer"`,
      ],
    },
    { kind: "roleBinding", uid: custom, ids: [`${bound}|deploy/er`, `${bound}|${place}/deploy/er`, `${bound}|${deployer}`] },
    { kind: "identityProvider", uid: okta, ids: [`${top}/okta`] },
    {
      kind: "externalGroupRoleMapping",
      uid: await make("externalGroupRoleMappings", okta, mapping),
      ids: [`${top}/okta|"a|b"|viewer|${top}`, `${okta}|"a|b"|${viewer}|${root}`],
    },
    {
      kind: "accountAssociation",
      uid: await make("accountAssociations", shop, { name: "accounts", amazon: { account: "123456789012" } }),
      ids: [place],
    },
    { kind: "repo", uid: repo, ids: [`${place}/images/nginx`] },
    {
      kind: "tag",
      uid: await make("tags", repo, { name: "1.25-20260131", digest: digestOf("a") }),
      ids: [`${place}/images/nginx:1.25-20260131`, `${repo}:1.25-20260131`],
    },
    { kind: "groupInvite", uid: invite.uid, ids: [`${place}|${String(invite["keyId"])}`] },
    { kind: "subscription", uid: await make("subscriptions", shop, { sink }), ids: [`${place}|${sink}`] },
    { kind: "groupAccess", uid: shop, ids: [place] },
  ];
}
