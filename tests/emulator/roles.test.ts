import { column, invalidFields, refusal, useBench } from "./support";

const bench = useBench();

const path = () => `/iam/v2/roles/${bench.root}`;

test("the built-in roles are those that the platform publishes", async () => {
  const { roles } = await bench.ok("GET", "/iam/v2/roles?uidp.inRoot=true&pageSize=200");
  expect(column({ roles }, "roles", "name").sort()).toEqual([
    "apk.pull",
    "console_viewer",
    "editor",
    "guardener.admin",
    "guardener.user",
    "libraries.java.pull",
    "libraries.java.pull_token_creator",
    "libraries.javascript.pull",
    "libraries.javascript.pull_token_creator",
    "libraries.python.pull",
    "libraries.python.pull_token_creator",
    "limited_owner",
    "owner",
    "registry.pull",
    "registry.pull_token_creator",
    "viewer",
  ]);
});

test("a limited owner is a viewer who also creates and lists identities and role bindings", async () => {
  const { roles } = await bench.ok("GET", "/iam/v2/roles?uidp.inRoot=true&pageSize=200");
  const held = (name: string) =>
    (roles as { name: string; capabilities: string[] }[]).find((role) => role.name === name)?.capabilities ?? [];
  expect(held("limited_owner").filter((capability) => !held("viewer").includes(capability))).toEqual([
    "CAP_IAM_IDENTITY_CREATE",
    "CAP_IAM_ROLE_BINDINGS_CREATE",
  ]);
});

test("a custom role is created, read, listed, changed and deleted", async () => {
  const body = { name: "Auditor: read/only", description: "reads", capabilities: ["CAP_IAM_GROUPS_LIST", "CAP_REPO_LIST"] };
  const created = await bench.ok("POST", path(), body);
  const uid = String(created["uid"]);
  expect(created).toMatchObject(body);
  expect(await bench.ok("GET", `/iam/v2/roles/${uid}`)).toEqual(created);
  const { roles } = await bench.ok("GET", `/iam/v2/roles?uidp.children_of=${bench.root}`);
  expect(roles).toEqual([created]);
  const changed = await bench.ok("PATCH", `/iam/v2/roles/${uid}?updateMask=capabilities`, {
    capabilities: ["CAP_TAG_LIST", "CAP_NOT_A_CAPABILITY"],
  });
  expect(changed).toMatchObject({ name: body.name, description: "reads", capabilities: ["CAP_TAG_LIST"] });
  await bench.ok("DELETE", `/iam/v2/roles/${uid}`);
  expect((await bench.api("GET", `/iam/v2/roles/${uid}`)).status).toBe(404);
});

test.each([
  ["no capability", []],
  ["only names that the platform does not know", ["groups.list", "CAP_GROUPS_LIST", "cap_repo_list", 9999]],
])("a role of %s is rejected, on create and update", async (what, capabilities) => {
  const refusal = invalidFields("capabilities");
  expect(await bench.api("POST", path(), { name: what, capabilities })).toMatchObject(refusal);
  const { uid } = await bench.ok("POST", path(), { name: what, capabilities: ["CAP_REPO_LIST"] });
  expect(await bench.api("PATCH", `/iam/v2/roles/${String(uid)}`, { capabilities })).toMatchObject(refusal);
});

test("a changed role changes at once what its bearers may do", async () => {
  const role = String((await bench.ok("POST", path(), { name: "changing", capabilities: ["CAP_REPO_LIST"] }))["uid"]);
  const person = await bench.someone("person");
  await bench.bind(bench.root, person, role);
  const token = await bench.tokenOf(person);
  expect((await bench.api("GET", `/iam/v2/groups/${bench.root}`, undefined, token)).status).toBe(403);
  await bench.ok("PATCH", `/iam/v2/roles/${role}`, { capabilities: ["CAP_IAM_GROUPS_LIST"] });
  expect((await bench.api("GET", `/iam/v2/groups/${bench.root}`, undefined, token)).status).toBe(200);
});

test("a capability that no customer holds can be named in a role, but the role cannot be bound", async () => {
  const role = await bench.ok("POST", path(), { name: "staff", capabilities: ["CAP_REPO_INTERNAL_ADMIN"] });
  const body = { identityUid: await bench.someone("insider"), roleUid: role["uid"] };
  expect(await bench.api("POST", `/iam/v2/roleBindings/${bench.root}`, body)).toMatchObject(refusal.denied);
});
