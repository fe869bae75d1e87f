import type { Walk } from "./walk";

/** Calls every operation on who can sign in or join, with bodies that hold every member that a caller may set. */
export async function signInOperations(walk: Walk, api: string, group: string): Promise<void> {
  const root = walk.platform.root;
  const iam = `/iam/${api}`;
  const { roles } = await walk.ok("GET", `${iam}/roles?uidp.in_root=true&name=viewer`);
  const role = String((roles as { uid: string }[])[0]?.uid);
  await identityProviderOperations(walk, iam, group, role);

  const invite = await walk.uid("POST", `${iam}/groupInvites/${group}`, {
    roleUid: role,
    email: "someone@acme.example",
    ttl: "3600s",
    singleUse: true,
  });
  const { keyId } = await walk.ok("GET", `${iam}/groupInvites/${invite}`);
  await walk.ok("GET", `${iam}/groupInvites?keyId=${String(keyId)}&uidp.descendants_of=${root}&order_by=created_at`);
  await walk.ok("DELETE", `${iam}/groupInvites/${invite}`);

  await accountAssociationOperations(walk, iam, group);

  const events = `/events/${api}/subscriptions`;
  const subscription = await walk.uid("POST", `${events}/${group}`, { sink: "https://events.example/sink" });
  await walk.ok("GET", `${events}/${subscription}`);
  await walk.ok("GET", `${events}?uidp.descendants_of=${root}`);
  await walk.ok("DELETE", `${events}/${subscription}`);

  await walk.ok("POST", `${iam}/terms/${group}`, { documentIds: ["terms-of-service"] });
  await walk.ok("GET", `${iam}/terms/${group}?page_size=1`);
}

async function identityProviderOperations(walk: Walk, iam: string, group: string, role: string): Promise<void> {
  const providers = `${iam}/identityProviders`;
  const oidc = {
    issuer: "https://login.example",
    clientId: "client",
    clientSecret: "secret",
    additionalScopes: ["groups"],
    groupsClaim: "groups",
    correlationRule: "CORRELATION_RULE_OID_EQUALS_EXTERNAL_ID",
    pkceEnabled: true,
  };
  const provider = await walk.uid("POST", `${providers}/${group}`, {
    name: "sign-in",
    description: "x",
    defaultRole: role,
    oidc,
  });
  await walk.ok("GET", `${providers}/${provider}`);
  await walk.ok("GET", `${providers}?name=sign-in&uidp.children_of=${group}`);
  await walk.ok("PATCH", `${providers}/${provider}?updateMask=oidc.client_secret`, { oidc: { ...oidc, clientSecret: "other" } });

  const mappings = `${iam}/externalGroupRoleMappings`;
  const body = { externalGroupId: "engineers", roleUid: role, scope: walk.platform.root };
  const mapping = await walk.uid("POST", `${mappings}/${provider}`, body);
  const second = await walk.uid("POST", `${mappings}/${provider}`, { ...body, externalGroupId: "others" });
  await walk.ok("GET", `${mappings}/${mapping}`);
  await walk.ok("GET", `${mappings}?identity_provider_uid=${provider}`);
  await walk.ok("DELETE", `${mappings}/${mapping}`);
  await walk.ok("POST", `${mappings}:batchDelete`, { parent: provider, names: [mapping, second] });

  const etag = async () => {
    const { scim } = await walk.ok("GET", `${providers}/${provider}`);
    return (scim as { etag: string }).etag;
  };
  const expireTime = new Date(Date.now() + 24 * 3600 * 1000).toISOString();
  await walk.ok("POST", `${providers}/${provider}:generateScimToken`, { expireTime });
  const again = { etag: await etag(), neverExpires: true, overlap: "60s" };
  await walk.ok("POST", `${providers}/${provider}:regenerateScimToken`, again);
  await walk.ok("GET", `${providers}/${provider}`);
  await walk.ok("POST", `${providers}/${provider}:setScimEnabled`, { enabled: false, etag: await etag() });
  await walk.ok("POST", `${providers}/${provider}:revokeScimToken`, {});
  await walk.ok("DELETE", `${providers}/${provider}`);
}

async function accountAssociationOperations(walk: Walk, iam: string, group: string): Promise<void> {
  const associations = `${iam}/accountAssociations`;
  const service = await walk.uid("POST", `${iam}/identities/${group}`, {
    name: "bound service",
    servicePrincipal: "SERVICE_PRINCIPAL_CATALOG_SYNCER",
  });
  const association = await walk.uid("POST", `${associations}/${group}`, {
    name: "accounts",
    description: "x",
    amazon: { account: "123456789012" },
    google: { projectId: "project", projectNumber: "1" },
    azure: { tenantId: "tenant", clientIds: { component: "client" } },
    github: { appInstallations: { "12": { installations: [{ installationId: "345", name: "acme" }] } } },
    chainguard: { serviceBindings: { CATALOG_SYNCER: service } },
  });
  await walk.ok("GET", `${associations}/${association}`);
  await walk.ok("GET", `${associations}?name=accounts&order_by=group`);
  await walk.ok("PATCH", `${associations}/${association}?updateMask=description`, { description: "y" });
  const check = `${associations}/${association}:checkAccountAssociation`;
  await walk.ok("POST", check, { providerType: "ACCOUNT_PROVIDER_TYPE_GOOGLE" });
  await walk.ok("DELETE", `${associations}/${association}`);
}
