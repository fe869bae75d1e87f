import { useBench } from "./support";

const bench = useBench();
let viewer: string;
beforeAll(async () => {
  viewer = await bench.role("apk.pull");
});
afterEach(() => bench.settings({ denials: "byOrganization" }));

let serial = 0;
/** A token of a new identity that holds these capabilities in the root group, and those of the role that it grants. */
async function tokenWith(capabilities: readonly string[]): Promise<string> {
  serial += 1;
  // A caller grants only what it holds itself.
  const held = [...capabilities, "CAP_APK_LIST", "CAP_APK_BLOBS_GET"];
  const role = await bench.ok("POST", `/iam/v2/roles/${bench.root}`, { name: `role ${serial}`, capabilities: held });
  const identity = await bench.someone(`caller ${serial}`);
  await bench.bind(bench.root, identity, String(role["uid"]));
  return bench.tokenOf(identity);
}

const oidc = { issuer: "https://login.example", clientId: "c", clientSecret: "s" };
const made = async (path: string, body: object) => String((await bench.ok("POST", path, body))["uid"]);
const provider = () => {
  serial += 1;
  return made(`/iam/v2/identityProviders/${bench.root}`, { name: `provider ${serial}`, defaultRole: viewer, oidc });
};
const mapping = () => ({ externalGroupId: "engineers", roleUid: viewer, scope: bench.root });
const madeMapping = async () => made(`/iam/v2/externalGroupRoleMappings/${await provider()}`, mapping());
const association = async () => {
  serial += 1;
  return made(`/iam/v2/accountAssociations/${await bench.group(`group ${serial}`)}`, { name: "a" });
};
const invite = () => made(`/iam/v2/groupInvites/${bench.root}`, { roleUid: viewer, ttl: "60s" });
const subscription = () => made(`/events/v2/subscriptions/${bench.root}`, { sink: "https://s.example" });

type Call = () => Promise<[method: string, path: string, body?: object]>;
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
  ["create a provider", [providerCapability("CREATE"), bindings], () => newProvider()],
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
    async () => {
      serial += 1;
      return ["POST", `${associations}/${await bench.group(`group ${serial}`)}`, { name: "a" }];
    },
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
  [
    "create an invite",
    ["CAP_IAM_GROUP_INVITES_CREATE", bindings],
    () => Promise.resolve(["POST", `${invites}/${bench.root}`, { roleUid: viewer, ttl: "60s" }]),
  ],
  ["get an invite", ["CAP_IAM_GROUP_INVITES_LIST"], async () => ["GET", `${invites}/${await invite()}`]],
  ["delete an invite", ["CAP_IAM_GROUP_INVITES_DELETE"], async () => ["DELETE", `${invites}/${await invite()}`]],
  [
    "create a subscription",
    ["CAP_EVENTS_SUBSCRIPTION_CREATE"],
    () => Promise.resolve(["POST", `${subscriptions}/${bench.root}`, { sink: "https://s.example" }]),
  ],
  ["get a subscription", ["CAP_EVENTS_SUBSCRIPTION_LIST"], async () => ["GET", `${subscriptions}/${await subscription()}`]],
  [
    "delete a subscription",
    ["CAP_EVENTS_SUBSCRIPTION_DELETE"],
    async () => ["DELETE", `${subscriptions}/${await subscription()}`],
  ],
  ["accept terms", ["CAP_TERMS_ACCEPT"], () => Promise.resolve(["POST", `/iam/v2/terms/${bench.root}`, { documentIds: ["x"] }])],
  ["list terms", ["CAP_TERMS_LIST"], () => Promise.resolve(["GET", `/iam/v2/terms/${bench.root}`])],
];

function newProvider(): ReturnType<Call> {
  serial += 1;
  return Promise.resolve(["POST", `${providers}/${bench.root}`, { name: `new provider ${serial}`, defaultRole: viewer, oidc }]);
}

test.each(operations)("%s takes %s, all of them", async (_what, capabilities, call) => {
  const enough = await tokenWith(capabilities);
  const [method, path, body] = await call();
  expect([403, 404]).not.toContain(await statusOf(method, path, body, enough));
  for (const missing of capabilities) {
    const short = await tokenWith(capabilities.filter((each) => each !== missing));
    const [again, target, sent] = await call();
    await bench.settings({ denials: "refused" });
    expect(await statusOf(again, target, sent, short)).toBe(403);
    await bench.settings({ denials: "hidden" });
    expect(await statusOf(again, target, sent, short)).toBe(404);
    await bench.settings({ denials: "byOrganization" });
  }
});

async function statusOf(method: string, path: string, body: object | undefined, token: string): Promise<number> {
  return (await bench.api(method, path, body, token)).status;
}

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
