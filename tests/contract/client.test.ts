import { z } from "zod";
import { TestPlatform } from "../support/test-platform";
import type { PlatformClient } from "../../provider/client/client";
import type { Collection, WireObject } from "../../provider/client/collection";
import { advisories, groups, identities, repos, roleBindings, roles, tags } from "../support/collections";
import { connect, readConfiguration } from "../../provider/credentials";
import { type KindName, startHost } from "../support/engine-simulator";
import type { Kind } from "../../provider/schema/kind";
import { kinds } from "../../provider/kinds/kinds";
import { digestOf } from "../support/resource-fixture";
import { Contract } from "./contract";
import { Walk } from "./walk";
import { scratchFolder } from "../support/scratch-folder";

const contract = new Contract();
const platform = TestPlatform.forFile();
let walk: Walk;
let root: string;
let configuration: Record<string, string>;

beforeAll(async () => {
  walk = await Walk.start(platform);
  root = platform.root;
  // The provider keeps its journal of pending creates there.
  process.env["PULUMI_HOME"] = scratchFolder();
  configuration = {
    "platform:baseUrl": walk.proxy.url,
    "platform:audience": platform.baseUrl,
    "platform:identity": platform.identity,
    "platform:oidcTokenFile": platform.oidcTokenFile,
  };
});
afterAll(() => walk.proxy.close());
beforeEach(() => walk.exchanges.splice(0));

/** How the requests and answers since the start of the test break the contract, and which operations they were. */
function recorded(): { violations: string[]; operations: string[] } {
  const { exchanges } = walk;
  return {
    violations: exchanges.flatMap((exchange) => [
      ...contract.requestViolations(exchange),
      ...contract.responseViolations(exchange),
    ]),
    operations: [...new Set(exchanges.map((exchange) => contract.operationOf(exchange) ?? "none"))].sort(),
  };
}

/** The properties of an object as the engine hands them from one call to the next. */
type Properties = Record<string, unknown>;

/** Declares, changes, clears, refreshes and deletes one object, as the engine does: each command has a host process of its own. */
async function wholeLife(kind: KindName, inputs: Properties, ...changes: Properties[]): Promise<void> {
  const command = () => startHost(configuration)[kind];
  const first = command();
  const checked = await first.check({}, inputs);
  expect(checked.failures).toEqual([]);
  const { id, outs } = await first.create(checked.inputs);
  let olds = outs;
  for (const change of changes) {
    const provider = command();
    const { inputs: news, failures } = await provider.check(olds, { ...inputs, ...change });
    expect(failures).toEqual([]);
    await provider.diff(id, olds, news);
    olds = (await provider.update(id, olds, news)).outs;
    await provider.read(id, olds);
  }
  await command().delete(id, olds);
}

describe.each(["v2beta1", "v2"])("in version %s", (version) => {
  beforeEach(() => (configuration["platform:apiVersion"] = version));
  afterEach(() => {
    const paths = walk.exchanges.map(({ path }) => path);
    expect(paths.filter((path) => !path.includes(`/${version}/`) && path !== "/sts/exchange")).toEqual([]);
  });

  test("what the resources send keeps to the contract", async () => {
    const group = await walk.uid("POST", `/iam/${version}/groups/${root}`, { name: `parent in ${version}` });
    const role = await walk.uid("POST", `/iam/${version}/roles/${group}`, { name: "role", capabilities: ["CAP_REPO_LIST"] });
    const claimMatch = { issuer: "https://issuer.example", subject: "someone" };
    await wholeLife(
      "group",
      { parentUid: group, name: "group", description: "x" },
      { name: "renamed" },
      { description: undefined },
    );
    await wholeLife(
      "identity",
      { parentUid: group, name: "identity", claimMatch },
      { claimMatch: { ...claimMatch, subject: "other" } },
      { description: "y" },
    );
    const { roles: builtIn } = await walk.ok("GET", `/iam/${version}/roles?name=viewer`);
    const [viewer] = builtIn as { uid: string }[];
    const bound = { parentUid: group, identityUid: platform.identity, roleUid: role };
    await wholeLife("roleBinding", bound, { roleUid: viewer?.uid });
    const ofRepos = { parentUid: group, name: "repos", capabilities: ["CAP_REPO_LIST"] };
    await wholeLife("role", ofRepos, { capabilities: ["CAP_TAG_LIST", "CAP_REPO_LIST"] }, { description: "y" });
    const capabilities = ["CAP_REPO_LIST", "CAP_TAG_LIST"];
    await wholeLife("role", { parentUid: group, name: "declared", capabilities }, { capabilities: ["CAP_TAG_LIST"] });
    const { violations, operations } = recorded();
    expect(violations).toEqual([]);
    for (const collection of ["groups", "identities", "roleBindings", "roles"])
      for (const method of ["DELETE", "GET", "PATCH", "POST"])
        expect(operations).toContain(`${method} /iam/v2/${collection}/{uid}`);
    expect(operations).toContain("GET /sts/exchange");
  });

  test("what the resources of sign-in, registry and events send keeps to the contract", async () => {
    const parentUid = await walk.uid("POST", `/iam/${version}/groups/${root}`, { name: `place in ${version}` });
    const { roles: builtIn } = await walk.ok("GET", `/iam/${version}/roles?name=viewer`);
    const roleUid = (builtIn as { uid: string }[])[0]?.uid;
    const oidc = { issuer: "https://login.example", clientId: "platform", clientSecret: "one", groupsClaim: "groups" };
    const provider = { parentUid, name: "sign-in", defaultRole: roleUid, oidc };
    await wholeLife(
      "identityProvider",
      provider,
      { oidc: { ...oidc, clientSecret: "two", additionalScopes: ["groups"] } },
      { defaultRole: undefined, defaultRoleName: "editor", description: "x" },
    );
    const identityProviderUid = await walk.uid("POST", `/iam/${version}/identityProviders/${parentUid}`, {
      name: "other",
      defaultRole: roleUid,
      oidc,
    });
    await wholeLife("externalGroupRoleMapping", { identityProviderUid, externalGroupId: "people", roleUid, scope: root });
    const amazon = { account: "123456789012" };
    await wholeLife(
      "accountAssociation",
      { parentUid, name: "accounts", amazon },
      { google: { projectId: "a", projectNumber: "1" } },
    );
    const deletionPolicy = "delete";
    await wholeLife(
      "repo",
      { parentUid, name: "images", description: "x", bundles: ["base"], aliases: ["a:1"], deletionPolicy },
      { name: "renamed", catalogTier: "CATALOG_TIER_APPLICATION", customOverlay: { environment: { A: "b" } } },
      { bundles: undefined, aliases: undefined, description: undefined },
    );
    const repoUid = await walk.uid("POST", `/registry/${version}/repos/${parentUid}`, { name: "source" });
    const sync_config = { source: repoUid, google: "gcr.example/acme" };
    await wholeLife("repo", { parentUid, name: "mirror", sync_config, deletionPolicy }, { sync_config: { source: repoUid } });
    const tag = { repoUid, name: "latest", digest: digestOf("a"), deletionPolicy };
    await wholeLife("tag", tag, { digest: digestOf("b"), deprecated: true, bundles: ["base"] });
    await wholeLife("groupInvite", { parentUid, roleUid, ttl: "86400s", email: "zoe@people.example", singleUse: true });
    await wholeLife("subscription", { parentUid, sink: "https://events.example/all" });
    const { violations, operations } = recorded();
    expect(violations).toEqual([]);
    const all = ["DELETE", "GET", "PATCH", "POST"];
    const methods: Record<string, string[]> = {
      "iam/v2/identityProviders": all,
      "iam/v2/externalGroupRoleMappings": ["DELETE", "POST"],
      "iam/v2/accountAssociations": all,
      "registry/v2/repos": all,
      "registry/v2/tags": ["DELETE", "GET", "POST"],
      "iam/v2/groupInvites": ["DELETE", "POST"],
      "events/v2/subscriptions": ["DELETE", "POST"],
    };
    for (const [place, sent] of Object.entries(methods))
      for (const method of sent) expect(operations).toContain(`${method} /${place}/{uid}`);
  });
});

const newer = Object.values<Kind>(kinds).map(({ collection }) => collection);
const known = [groups, identities, roles, roleBindings, repos, tags, advisories] as unknown as Collection<WireObject>[];
const collections = [...new Map([...newer, ...known].map((collection) => [collection.segment, collection])).values()];

/** Every call of the client that the resources above do not make. */
async function readEverything(client: PlatformClient): Promise<void> {
  const every = { descendantsOf: root, orderBy: "uid desc", pageSize: 2 } as const;
  for (const collection of collections) {
    const rows = await client.list(collection, every);
    const uids = rows.slice(0, 2).map(({ uid }) => uid);
    for (const uid of uids) await client.get(collection, uid);
    await client.list(collection, { uids });
    await client.listSome(collection, {}, 1);
    await client.listUpTo(collection, { childrenOf: root }, 10);
  }
  await client.list(roles, { inRoot: true, name: "viewer" });
  await client.list(groups, { ancestorsOf: root, name: "x" });
  await client.list(identities, { name: "x", relationshipType: "RELATIONSHIP_TYPE_CLAIM_MATCH" });
  await client.list(roleBindings, { identity: platform.identity, group: root, role: root });
  await client.list(repos, { name: "shell" });
  await client.list(tags, {
    name: "latest",
    digest: "sha256:0",
    updatedSince: "2026-01-01T00:00:00Z",
    includeReferrers: true,
    includeDates: true,
    includeEpochs: false,
  });
  await client.list(advisories, {
    advisoryIds: ["a", "b"],
    legacyAdvisoryIds: ["a"],
    artifactNames: ["a"],
    artifactTypes: ["a"],
    artifactArchitectures: ["a"],
    componentNames: ["a"],
    componentTypes: ["a"],
    componentLocations: ["a"],
    aliases: ["a"],
    eventReviewStates: ["REVIEW_STATE_APPROVED"],
    eventAuthors: ["a"],
    excludeEventAuthors: ["a"],
    eventReviewers: ["a"],
    eventTypes: ["EVENT_TYPE_FILTER_DETECTION", "EVENT_TYPE_FILTER_FIXED"],
    latestEventType: "EVENT_TYPE_FILTER_PATCHED",
    query: "x",
  });
  await client.list(advisories, { origin: "web-server" });
}

test.each(["v2beta1", "v2"])("what the client sends to %s keeps to the contract", async (apiVersion) => {
  const client = connect(readConfiguration({ ...configuration, "platform:apiVersion": apiVersion }, {}));
  await readEverything(client);
  const parent = (await client.create(groups, root, { name: `group of ${apiVersion}` })).uid;
  const roleUid = (await client.create(roles, parent, { name: "role", capabilities: ["CAP_REPO_LIST"] })).uid;
  await client.update(roles, roleUid, { capabilities: ["CAP_TAG_LIST"] }, ["capabilities"]);
  await client.createBatch(roleBindings, parent, [{ identityUid: platform.identity, roleUid }]);
  await client.lookUpIdentity("https://people.example", "zoe");
  const associations = kinds.accountAssociation.collection;
  await client.create(associations, parent, { name: "accounts", amazon: { account: "123456789012" } });
  await client.ask(associations, parent, {
    action: "checkAccountAssociation",
    body: { providerType: "ACCOUNT_PROVIDER_TYPE_AMAZON" },
    answer: z.looseObject({}),
  });
  const [repo] = await client.list(kinds.repo.collection, { name: "web-server" });
  await client.getPart(kinds.repo.collection, repo?.uid ?? "", "readme", z.looseObject({}));
  const { violations, operations } = recorded();
  expect(violations).toEqual([]);
  expect(operations).toEqual(
    expect.arrayContaining([
      "GET /registry/v2/repos/{uid}/readme",
      "POST /iam/v2/roleBindings:batchCreate",
      "PATCH /iam/v2/roles/{uid}",
      ...newer.map(({ area, segment }) => `GET /${area}/v2/${segment}`),
      "GET /iam/v2/identities:lookupIdentity",
      "POST /iam/v2/accountAssociations/{uid}:checkAccountAssociation",
      "GET /registry/v2/tags/{uid}",
      "GET /vulnerabilities/v2/advisories/{uid}",
    ]),
  );
});
