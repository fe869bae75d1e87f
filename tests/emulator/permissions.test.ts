import { column, refusal, useBench } from "./support";

const bench = useBench();
let team: string;
let elsewhere: string;
let otherOrganization: string;
beforeAll(async () => {
  team = await bench.group("team");
  await bench.group("inside", team);
  elsewhere = await bench.group("elsewhere");
  otherOrganization = await bench.group("other organization", "");
});

/** A token of a new identity with one role in one group. */
async function tokenWith(role: string, group: string): Promise<string> {
  const identity = await bench.someone(bench.name("person"));
  await bench.bind(group, identity, await bench.role(role));
  return bench.tokenOf(identity);
}

test("a role holds in its group and below, and nowhere else", async () => {
  const token = await tokenWith("viewer", team);
  const inside = await bench.ok("GET", "/iam/v2beta1/groups?order_by=name", undefined, token);
  expect(column(inside, "groups", "name")).toEqual(["inside", "team"]);
  expect(inside["totalCount"]).toBe("2");
  expect(await bench.api("GET", `/iam/v2beta1/groups/${team}`, undefined, token)).toMatchObject({ status: 200 });
  expect(await bench.api("GET", `/iam/v2beta1/groups/${elsewhere}`, undefined, token)).toMatchObject(refusal.denied);
});

test("scope filters do not widen what a caller sees", async () => {
  const token = await tokenWith("viewer", team);
  const list = (query: string) => bench.column("name", `/iam/v2beta1/groups?order_by=name&${query}`, token);
  expect(await list(`uidp.descendants_of=${bench.root}`)).toEqual(["inside", "team"]);
  expect(await list(`uidp.children_of=${bench.root}`)).toEqual(["team"]);
  expect(await list(`uidp.ids=${elsewhere}&uidp.ids=${team}`)).toEqual(["team"]);
  expect(await list(`uidp.children_of=${team}&uidp.descendants_of=${bench.root}`)).toEqual(["inside"]);
});

test("an identity without a role sees built-in roles and no object", async () => {
  const token = await bench.tokenOf(await bench.someone("nobody"));
  for (const list of [
    "iam/v2beta1/groups",
    "iam/v2beta1/identities",
    "registry/v2beta1/repos",
    "vulnerabilities/v2beta1/advisories",
  ]) {
    expect(await bench.ok("GET", `/${list}`, undefined, token)).toMatchObject({ totalCount: "0" });
  }
  const { totalCount } = await bench.ok("GET", "/iam/v2beta1/roles", undefined, token);
  expect(Number(totalCount)).toBeGreaterThan(3);
  expect(await bench.api("GET", `/iam/v2beta1/groups/${bench.root}`, undefined, token)).toMatchObject(refusal.notFound);
});

test("objects of an organization where the caller has no role are not found", async () => {
  const token = await tokenWith("owner", bench.root);
  for (const [method, body] of [["GET"], ["PATCH", { description: "x" }], ["DELETE"], ["POST", { name: "x" }]] as const) {
    expect(await bench.api(method, `/iam/v2beta1/groups/${otherOrganization}`, body, token)).toMatchObject(refusal.notFound);
  }
});

describe("what the built-in roles allow", () => {
  const identityBody = { name: "new", claimMatch: { issuer: "https://i.example", subject: "s" } };
  test.each([
    ["viewer", "POST", "iam/v2beta1/groups", { name: "new" }, 403],
    ["viewer", "PATCH", "iam/v2beta1/groups", { description: "new" }, 403],
    ["viewer", "DELETE", "iam/v2beta1/groups", undefined, 403],
    ["viewer", "POST", "iam/v2beta1/identities", identityBody, 403],
    ["viewer", "POST", "registry/v2beta1/repos", { name: "new" }, 403],
    ["editor", "POST", "iam/v2beta1/groups", { name: "new" }, 403],
    ["editor", "POST", "iam/v2beta1/identities", identityBody, 403],
    ["editor", "POST", "iam/v2beta1/roles", { name: "new", capabilities: ["CAP_REPO_LIST"] }, 403],
    ["limited_owner", "POST", "iam/v2beta1/identities", { ...identityBody, name: "limited" }, 200],
    ["limited_owner", "PATCH", "iam/v2beta1/groups", { description: "new" }, 403],
    ["registry.pull", "POST", "registry/v2beta1/repos", { name: "new" }, 403],
    ["owner", "POST", "iam/v2beta1/groups", { name: "owner made" }, 200],
    ["owner", "POST", "iam/v2beta1/identities", identityBody, 200],
  ])("%s: %s %s", async (role, method, collection, body, status) => {
    expect(await bench.api(method, `/${collection}/${team}`, body, await tokenWith(role, team))).toMatchObject({ status });
  });
});

describe("a caller cannot grant what it lacks", () => {
  async function granter(): Promise<string> {
    const capabilities = [...["CREATE", "UPDATE", "LIST"].map((verb) => `CAP_IAM_ROLE_BINDINGS_${verb}`), "CAP_REPO_LIST"];
    const role = await bench.ok("POST", `/iam/v2beta1/roles/${bench.root}`, { name: bench.name("granter"), capabilities });
    const identity = await bench.someone(bench.name("granter"));
    await bench.bind(team, identity, String(role["uid"]));
    return bench.tokenOf(identity);
  }

  test("by creating, batch creating or updating a binding", async () => {
    const token = await granter();
    const identityUid = await bench.someone(bench.name("receiver"));
    const small = await bench.ok("POST", `/iam/v2beta1/roles/${bench.root}`, {
      name: bench.name("small"),
      capabilities: ["CAP_REPO_LIST"],
    });
    const owner = await bench.role("owner");
    const path = `/iam/v2beta1/roleBindings/${team}`;
    expect(await bench.api("POST", path, { identityUid, roleUid: owner }, token)).toMatchObject(refusal.denied);
    const batch = { parent: team, roleUid: owner, requests: [{ roleBinding: { identityUid } }] };
    expect(await bench.api("POST", "/iam/v2beta1/roleBindings:batchCreate", batch, token)).toMatchObject({ status: 403 });
    const binding = await bench.ok("POST", path, { identityUid, roleUid: String(small["uid"]) }, token);
    expect(
      await bench.api("PATCH", `/iam/v2beta1/roleBindings/${String(binding["uid"])}`, { roleUid: owner }, token),
    ).toMatchObject({ status: 403 });
  });
});

test("a changed binding takes effect at once, also for a token that was issued before", async () => {
  const identity = await bench.someone(bench.name("changing"));
  const token = await bench.tokenOf(identity);
  const get = async () => (await bench.api("GET", `/iam/v2beta1/groups/${team}`, undefined, token)).status;
  expect(await get()).toBe(404);
  const binding = await bench.bind(team, identity, await bench.role("viewer"));
  expect(await get()).toBe(200);
  await bench.ok("DELETE", `/iam/v2beta1/roleBindings/${binding}`);
  expect(await get()).toBe(404);
});

test("a caller with many roles sees each place once", async () => {
  const identity = await bench.someone("many roles");
  const viewer = await bench.role("viewer");
  for (const group of [team, elsewhere, bench.root]) await bench.bind(group, identity, viewer);
  const seen = await bench.column("uid", "/iam/v2beta1/groups?page_size=200", await bench.tokenOf(identity));
  expect(new Set(seen).size).toBe(seen.length);
  expect(seen).toEqual(expect.arrayContaining([bench.root, team, elsewhere]));
});
