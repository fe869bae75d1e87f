import { useBench } from "./support";

const bench = useBench();
let viewer: string;
beforeAll(async () => {
  viewer = await bench.role("apk.pull");
});

/** A token of a new identity that holds these capabilities in the root group, and those of the role that it grants. */
async function tokenWith(capabilities: readonly string[]): Promise<string> {
  // A caller grants only what it holds itself.
  const held = [...capabilities, "CAP_APK_LIST", "CAP_APK_BLOBS_GET"];
  const role = await bench.ok("POST", `/iam/v2/roles/${bench.root}`, { name: bench.name("role"), capabilities: held });
  const identity = await bench.someone(bench.name("caller"));
  await bench.bind(bench.root, identity, String(role["uid"]));
  return bench.tokenOf(identity);
}

const oidc = { issuer: "https://login.example", clientId: "c", clientSecret: "s" };
const newProvider = () => ({ name: bench.name("provider"), defaultRole: viewer, oidc });
const provider = () => bench.make("identityProviders", bench.root, newProvider());
const mapping = () => ({ externalGroupId: "engineers", roleUid: viewer, scope: bench.root });
const madeMapping = async () => bench.make("externalGroupRoleMappings", await provider(), mapping());
const association = async () => bench.make("accountAssociations", await bench.group(bench.name("group")), { name: "a" });
const newInvite = () => ({ roleUid: viewer, ttl: "60s" });
const invite = () => bench.make("groupInvites", bench.root, newInvite());
const sink = "https://s.example";
const subscription = async () => String((await bench.ok("POST", `/events/v2/subscriptions/${bench.root}`, { sink }))["uid"]);

type Request = [method: string, path: string, body?: object];
type Call = () => Request | Promise<Request>;
const providers = "/iam/v2/identityProviders";
const mappings = "/iam/v2/externalGroupRoleMappings";
const associations = "/iam/v2/accountAssociations";
const invites = "/iam/v2/groupInvites";
const subscriptions = "/events/v2/subscriptions";
const bindings = "CAP_IAM_ROLE_BINDINGS_CREATE";
const providerCapability = (verb: string) => `CAP_IAM_IDENTITY_PROVIDERS_${verb}`;
const associationCapability = (verb: string) => `CAP_IAM_ACCOUNT_ASSOCIATIONS_${verb}`;
const scim = ["CAP_IAM_SCIM_MANAGE", providerCapability("LIST")];

/** Every operation, with the capabilities that it takes. */
const operations: [string, string[], Call][] = [
  ["create a provider", [providerCapability("CREATE"), bindings], () => ["POST", `${providers}/${bench.root}`, newProvider()]],
  ["get a provider", [providerCapability("LIST")], async () => ["GET", `${providers}/${await provider()}`]],
  [
    "update a provider",
    [providerCapability("UPDATE"), bindings],
    async () => ["PATCH", `${providers}/${await provider()}`, { description: "x" }],
  ],
  ["delete a provider", [providerCapability("DELETE")], async () => ["DELETE", `${providers}/${await provider()}`]],
  ["generate a SCIM token", scim, async () => ["POST", `${providers}/${await provider()}:generateScimToken`, {}]],
  ["revoke a SCIM token", scim, async () => ["POST", `${providers}/${await provider()}:revokeScimToken`, {}]],
  ["regenerate a SCIM token", scim, async () => ["POST", `${providers}/${await provider()}:regenerateScimToken`, {}]],
  ["switch SCIM", scim, async () => ["POST", `${providers}/${await provider()}:setScimEnabled`, {}]],
  [
    "create a mapping",
    [providerCapability("CREATE"), bindings],
    async () => ["POST", `${mappings}/${await provider()}`, mapping()],
  ],
  ["get a mapping", [providerCapability("LIST")], async () => ["GET", `${mappings}/${await madeMapping()}`]],
  ["delete a mapping", [providerCapability("DELETE")], async () => ["DELETE", `${mappings}/${await madeMapping()}`]],
  [
    "delete mappings",
    [providerCapability("DELETE")],
    async () => {
      const parent = await provider();
      return ["POST", `${mappings}:batchDelete`, { parent, names: [`${parent}/0123456789abcdef`] }];
    },
  ],
  [
    "create an association",
    [associationCapability("CREATE")],
    async () => ["POST", `${associations}/${await bench.group(bench.name("group"))}`, { name: "a" }],
  ],
  ["get an association", [associationCapability("LIST")], async () => ["GET", `${associations}/${await association()}`]],
  [
    "update an association",
    [associationCapability("UPDATE")],
    async () => ["PATCH", `${associations}/${await association()}`, { description: "x" }],
  ],
  ["delete an association", [associationCapability("DELETE")], async () => ["DELETE", `${associations}/${await association()}`]],
  [
    "check an association",
    [associationCapability("LIST")],
    async () => [
      "POST",
      `${associations}/${await association()}:checkAccountAssociation`,
      { providerType: "ACCOUNT_PROVIDER_TYPE_AMAZON" },
    ],
  ],
  ["create an invite", ["CAP_IAM_GROUP_INVITES_CREATE", bindings], () => ["POST", `${invites}/${bench.root}`, newInvite()]],
  ["get an invite", ["CAP_IAM_GROUP_INVITES_LIST"], async () => ["GET", `${invites}/${await invite()}`]],
  ["delete an invite", ["CAP_IAM_GROUP_INVITES_DELETE"], async () => ["DELETE", `${invites}/${await invite()}`]],
  ["create a subscription", ["CAP_EVENTS_SUBSCRIPTION_CREATE"], () => ["POST", `${subscriptions}/${bench.root}`, { sink }]],
  ["get a subscription", ["CAP_EVENTS_SUBSCRIPTION_LIST"], async () => ["GET", `${subscriptions}/${await subscription()}`]],
  [
    "delete a subscription",
    ["CAP_EVENTS_SUBSCRIPTION_DELETE"],
    async () => ["DELETE", `${subscriptions}/${await subscription()}`],
  ],
  ["accept terms", ["CAP_TERMS_ACCEPT"], () => ["POST", `/iam/v2/terms/${bench.root}`, { documentIds: ["x"] }]],
  ["list terms", ["CAP_TERMS_LIST"], () => ["GET", `/iam/v2/terms/${bench.root}`]],
];

test.each(operations)("%s takes %s, all of them", async (_what, capabilities, call) => {
  const enough = await tokenWith(capabilities);
  const [method, path, body] = await call();
  expect([403, 404]).not.toContain((await bench.api(method, path, body, enough)).status);
  for (const missing of capabilities) {
    const short = await tokenWith(capabilities.filter((each) => each !== missing));
    const [again, target, sent] = await call();
    await bench.settings({ denials: "refused" });
    expect(await bench.api(again, target, sent, short)).toMatchObject({ status: 403 });
    await bench.settings({ denials: "hidden" });
    expect(await bench.api(again, target, sent, short)).toMatchObject({ status: 404 });
    await bench.restoreSettings();
  }
});

test.each([
  [providers, "identityProviders", providerCapability("LIST")],
  [mappings, "externalGroupRoleMappings", providerCapability("LIST")],
  [associations, "accountAssociations", associationCapability("LIST")],
  [invites, "groupInvites", "CAP_IAM_GROUP_INVITES_LIST"],
  [subscriptions, "subscriptions", "CAP_EVENTS_SUBSCRIPTION_LIST"],
])("a List of %s returns what the caller may see, which may be nothing", async (path, collection, capability) => {
  expect(await bench.ok("GET", path, undefined, await tokenWith([]))).toMatchObject({ [collection]: [], totalCount: "0" });
  const all = await bench.ok("GET", path);
  expect(Number(all["totalCount"])).toBeGreaterThan(0);
  expect(await bench.ok("GET", path, undefined, await tokenWith([capability]))).toMatchObject({ totalCount: all["totalCount"] });
});
