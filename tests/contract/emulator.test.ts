import { readFile } from "node:fs/promises";
import { call, TestPlatform } from "../support/test-platform";
import { Contract } from "./contract";
import { signInOperations } from "./sign-in-operations";
import { Walk } from "./walk";

const contract = new Contract();

const platform = TestPlatform.forFile();
let walk: Walk;
let root: string;
beforeAll(async () => {
  walk = await Walk.start(platform);
  root = platform.root;
});
afterAll(async () => {
  await walk.proxy.close();
});

const inAMonth = new Date(Date.now() + 30 * 24 * 3600 * 1000).toISOString();

/** Every call that the emulator serves, with bodies that hold every member that a caller may set. */
async function everyOperation(api: "v2" | "v2beta1"): Promise<void> {
  const iam = `/iam/${api}`;
  const registry = `/registry/${api}`;
  const name = (noun: string) => `${noun} of ${api}`;
  const claimMatch = {
    issuerPattern: "https://.*",
    subject: "someone",
    audience: "somewhere",
    claims: { team: "platform" },
    claimPatterns: { ref: "refs/.*" },
  };

  await walk.ok("GET", `/ping/${api}/ping`);
  const oidcToken = await readFile(platform.oidcTokenFile, "utf8");
  const exchange = `${walk.proxy.url}/sts/exchange?${new URLSearchParams({ aud: platform.baseUrl }).toString()}`;
  for (const method of ["GET", "POST"]) await call(method, exchange, undefined, { authorization: `Bearer ${oidcToken}` });

  const group = await walk.uid("POST", `${iam}/groups/${root}`, { name: name("group"), description: "x" });
  await walk.ok("GET", `${iam}/groups/${group}`);
  await walk.ok("GET", `${iam}/groups?uidp.children_of=${root}&page_size=1&order_by=name%20desc`);
  await walk.ok("PATCH", `${iam}/groups/${group}?updateMask=description`, { description: "y" });

  const identity = await walk.uid("POST", `${iam}/identities/${group}`, { name: name("identity"), company: "c", claimMatch });
  await walk.uid("POST", `${iam}/identities/${group}`, {
    name: "static",
    staticKeys: { issuer: "i", subject: "s", issuerKeys: "{}", expirationTime: inAMonth, audiences: ["a"] },
  });
  await walk.uid("POST", `${iam}/identities/${group}`, {
    name: "aws",
    awsIdentity: { awsAccount: "123456789012", arn: "arn", userIdPattern: ".*" },
  });
  await walk.uid("POST", `${iam}/identities/${group}`, { name: "service", servicePrincipal: "SERVICE_PRINCIPAL_INGESTER" });
  await walk.ok("GET", `${iam}/identities/${identity}`);
  await walk.ok("GET", `${iam}/identities?uidp.descendantsOf=${root}&relationshipType=RELATIONSHIP_TYPE_STATIC`);
  await walk.ok("PATCH", `${iam}/identities/${identity}?updateMask=claim_match`, { claimMatch });
  await walk.ok("GET", `${iam}/identities:lookupIdentity?issuer=https%3A%2F%2Fi.example&subject=${api}`);

  const capabilities = contract.enumOf("capabilities.Capability").filter((each) => each !== "UNKNOWN");
  const all = await walk.ok("POST", `${iam}/roles/${group}`, { name: name("role"), capabilities });
  // The emulator would drop an unknown capability.
  expect(all["capabilities"]).toEqual(capabilities);
  const role = String(all["uid"]);
  await walk.ok("GET", `${iam}/roles/${role}`);
  await walk.ok("GET", `${iam}/roles?page_size=200`);
  await walk.ok("PATCH", `${iam}/roles/${role}?updateMask=capabilities`, { capabilities: ["CAP_REPO_LIST"] });

  const binding = await walk.uid("POST", `${iam}/roleBindings/${group}`, { identityUid: identity, roleUid: role });
  await walk.ok("GET", `${iam}/roleBindings/${binding}`);
  await walk.ok("GET", `${iam}/roleBindings?group=${group}&order_by=created_at`);
  await walk.ok("PATCH", `${iam}/roleBindings/${binding}?updateMask=identity_uid`, { identityUid: platform.identity });
  const request = { parent: group, roleBinding: { identityUid: identity, roleUid: role } };
  await walk.ok("POST", `${iam}/roleBindings:batchCreate`, { parent: group, roleUid: role, requests: [request] });

  const contents = { packages: ["p"], runtimeRepositories: ["r"], runtimeKeyring: [{ name: "k", content: "c" }] };
  const users = [{ username: "u", uid: 1, gid: 1, groupName: "g", shell: "/bin/sh", homeDir: "/" }];
  const repo = await walk.uid("POST", `${registry}/repos/${group}`, {
    name: name("repo"),
    description: "x",
    catalogTier: "CATALOG_TIER_BASE",
    bundles: ["base"],
    aliases: ["a:b"],
    activeTags: ["t"],
    sync_config: { source: "shell", google: "g", amazon: "a", azure: "z" },
    customOverlay: {
      contents,
      environment: { A: "b" },
      annotations: { a: "b" },
      accounts: { runAs: "u", users, groups: [{ groupname: "g", gid: 1, members: ["u"] }] },
      certificates: { additional: [{ name: "c", content: "c" }], providers: ["p"] },
    },
  });
  await walk.ok("GET", `${registry}/repos/${repo}`);
  await walk.ok("GET", `${registry}/repos`);
  await walk.ok("PATCH", `${registry}/repos/${repo}?updateMask=description`, { description: "y" });
  await walk.ok("GET", `${registry}/repos/${repo}/readme`);
  await walk.ok(
    "PATCH",
    `${registry}/repos/${repo}/readme?updateMask=content`,
    { content: "# Read me" },
    await tokenOfStaff(api),
  );
  const tag = await walk.uid("POST", `${registry}/tags/${repo}`, { name: "t", digest: "sha256:0", bundles: ["base"] });
  await walk.ok("GET", `${registry}/tags/${tag}`);
  await walk.ok("GET", `${registry}/tags?include_referrers=true&updatedSince=2026-01-01T00:00:00Z`);

  const advisories = await walk.ok(
    "GET",
    `/vulnerabilities/${api}/advisories?event_types=EVENT_TYPE_FILTER_DETECTION&pageSize=200`,
  );
  for (const { uid } of advisories["advisories"] as { uid: string }[])
    await walk.ok("GET", `/vulnerabilities/${api}/advisories/${uid}`);

  await signInOperations(walk, api, group);

  await walk.ok("DELETE", `${registry}/tags/${tag}`);
  await walk.ok("DELETE", `${registry}/repos/${repo}`);
  const bindings = await walk.ok("GET", `${iam}/roleBindings?uidp.childrenOf=${group}`);
  for (const { uid } of bindings["roleBindings"] as { uid: string }[]) await walk.ok("DELETE", `${iam}/roleBindings/${uid}`);
  await walk.ok("DELETE", `${iam}/roles/${role}`);
  const identities = await walk.ok("GET", `${iam}/identities?uidp.children_of=${group}`);
  for (const { uid } of identities["identities"] as { uid: string }[]) await walk.ok("DELETE", `${iam}/identities/${uid}`);
  await walk.ok("DELETE", `${iam}/groups/${group}`);
}

/** A token with a capability that no customer may grant. */
async function tokenOfStaff(name: string): Promise<string> {
  const capabilities = ["CAP_REPO_UPDATE", "CAP_REPO_INTERNAL_ADMIN"];
  const role = await platform.create("roles", root, { name, capabilities });
  const identity = await platform.create("identities", root, { name });
  await platform.create("roleBindings", root, { identityUid: identity.uid, roleUid: role.uid });
  return platform.apiToken({ identity: identity.uid });
}

/** Calls that fail, in each way that the API has. */
async function everyRefusal(): Promise<Set<number>> {
  const absent = `${root}/0123456789abcdef`;
  const guest = await walk.uid("POST", `/iam/v2/identities/${root}`, {
    name: "guest",
    claimMatch: { issuer: "https://i.example", subject: "g" },
  });
  const replies = [
    await walk.send("POST", `/iam/v2/groups/${root}`, { name: "No" }),
    await walk.send("POST", `/iam/v2/identities/${root}`, {}),
    await walk.send("GET", `/iam/v2/groups/${absent}`),
    await walk.send("GET", "/iam/v2/nothing"),
    await walk.send("PUT", `/iam/v2/groups/${root}`),
    await walk.send("DELETE", `/iam/v2/groups/${root}`),
    await walk.send("GET", "/iam/v2/groups", undefined, ""),
    await walk.send("DELETE", `/iam/v2/roles/${absent.slice(0, 40)}`),
    await walk.send("POST", `/iam/v2/identities/${root}`, {
      name: "guest",
      claimMatch: { issuer: "https://i.example", subject: "g" },
    }),
    await walk.send("PATCH", `/iam/v2/groups/${root}`, { colour: "red" }),
    await walk.send("POST", `/iam/v2/groups/${root}`, "{"),
  ];
  await platform.settings({ denials: "refused" });
  replies.push(await walk.send("GET", `/iam/v2/groups/${root}`, undefined, await platform.apiToken({ identity: guest })));
  await walk.ok("DELETE", `/iam/v2/identities/${guest}`);
  return new Set(replies.map(({ body }) => Number(body["code"])));
}

test("every answer is one that the contract describes", async () => {
  await everyOperation("v2");
  await everyOperation("v2beta1");
  for (const timestampDigits of [0, 9]) {
    await platform.settings({ timestampDigits, deleteBody: "object" });
    await everyOperation("v2");
  }
  const codes = await everyRefusal();
  expect([...codes].sort((one, other) => one - other)).toEqual([3, 5, 6, 7, 9, 12, 16]);

  const { exchanges } = walk;
  const served = new Set(exchanges.filter(({ status }) => status === 200).map((exchange) => contract.operationOf(exchange)));
  const violations = exchanges.flatMap((exchange) => [
    ...contract.responseViolations(exchange),
    ...(exchange.status === 200 ? contract.requestViolations(exchange) : []),
  ]);
  const { operations } = contract;
  process.stdout.write(`operations served ${served.size} of ${operations.length}, violations ${violations.length}\n`);
  expect(violations).toEqual([]);
  expect(operations.filter((operation) => !served.has(operation))).toEqual([]);
});
