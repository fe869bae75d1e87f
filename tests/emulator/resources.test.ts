import { invalidFields, refusal, useBench } from "./support";

const bench = useBench();
let viewer: string;

beforeAll(async () => {
  viewer = await bench.role("viewer");
});

const timestamp = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/) as unknown;

const repoReader = { name: "reader of repos", capabilities: ["CAP_REPO_LIST"] };

describe("groups", () => {
  test("a new group shows every field", async () => {
    const created = await bench.ok("POST", `/iam/v2beta1/groups/${bench.root}`, { name: "shown", description: "here" });
    expect(created).toEqual({
      uid: expect.stringMatching(new RegExp(`^${bench.root}/[0-9a-f]{16}$`)) as unknown,
      name: "shown",
      description: "here",
      resourceLimits: {},
      verified: false,
      createTime: timestamp,
      updateTime: timestamp,
      kind: "ORG_KIND_CUSTOMER",
      status: "ORG_STATUS_READY",
    });
    expect(await bench.ok("GET", `/iam/v2beta1/groups/${String(created["uid"])}`)).toEqual(created);
  });

  test.each(["a".repeat(513), "two\nlines"])(
    "a description that is too long or has several lines is rejected",
    async (description) => {
      expect(await bench.api("POST", `/iam/v2beta1/groups/${bench.root}`, { name: "d", description })).toMatchObject(
        refusal.invalid,
      );
    },
  );

  test("an empty parent makes an organization whose creator owns it, and who can delete it", async () => {
    const created = await bench.ok("POST", "/iam/v2beta1/groups", { name: "second" });
    const uid = String(created["uid"]);
    expect(uid).toMatch(/^[0-9a-f]{40}$/);
    await bench.group("inside", uid);
    const bindings = await bench.ok("GET", `/iam/v2beta1/roleBindings?uidp.children_of=${uid}`);
    expect(bindings["roleBindings"]).toMatchObject([{ identity: { uid: bench.identity }, role: { name: "owner" } }]);
    expect(await bench.api("DELETE", `/iam/v2beta1/groups/${uid}`)).toMatchObject(refusal.blocked);
    const { groups } = await bench.ok("GET", `/iam/v2beta1/groups?uidp.children_of=${uid}`);
    await bench.ok("DELETE", `/iam/v2beta1/groups/${String((groups as { uid: string }[])[0]?.uid)}`);
    await bench.ok("DELETE", `/iam/v2beta1/groups/${uid}`);
  });

  test.each(["uid", "encoded uid", "end of the uid", "name"])("a parent may be given by its %s", async (how) => {
    const uid = await bench.group(`by ${how}`);
    const spelling =
      { uid, "encoded uid": encodeURIComponent(uid), "end of the uid": uid.split("/").pop() ?? "", name: `by%20${how}` }[how] ??
      "";
    const created = await bench.ok("POST", `/iam/v2beta1/groups/${spelling}`, { name: "child" });
    expect(String(created["uid"]).startsWith(`${uid}/`)).toBe(true);
  });

  test("a parent name that several groups have is rejected", async () => {
    for (const name of ["left", "right"]) await bench.group("twin", await bench.group(name));
    expect(await bench.api("POST", "/iam/v2beta1/groups/twin", { name: "child" })).toMatchObject(refusal.invalid);
  });

  test("a parent that does not exist is not found", async () => {
    expect(await bench.api("POST", `/iam/v2beta1/groups/${bench.root}/0123456789abcdef`, { name: "x" })).toMatchObject(
      refusal.notFound,
    );
  });

  test.each([
    ["child groups", (group: string) => bench.group("child", group)],
    ["identities", (group: string) => bench.someone("someone", group)],
    ["role bindings", (group: string) => bench.bind(group, bench.identity, viewer)],
    ["child repos", (group: string) => bench.ok("POST", `/registry/v2beta1/repos/${group}`, { name: "repo" })],
    ["custom roles", (group: string) => bench.make("roles", group, repoReader)],
    ["an account association", (group: string) => bench.make("accountAssociations", group, { name: "accounts" })],
    ["invites", (group: string) => bench.make("groupInvites", group, { roleUid: viewer, ttl: "60s" })],
  ])("a group with %s cannot be deleted", async (what, fill) => {
    const group = await bench.group(`holds ${what}`);
    await fill(group);
    const violation = { type: "RESOURCE_NOT_EMPTY", subject: group, description: expect.stringContaining(what) as unknown };
    const failure = { "@type": expect.stringMatching(/PreconditionFailure$/) as unknown, violations: [violation] };
    const { status, body } = await bench.api("DELETE", `/iam/v2beta1/groups/${group}`);
    expect({ status, ...body }).toMatchObject({ status: 400, code: 9, details: [{ reason: "FAILED_PRECONDITION" }, failure] });
    expect(body["message"]).toMatch(/^Precondition failed: /);
  });

  test.each([
    ["identities", () => bench.someone(bench.name("bound"))],
    ["roles", () => bench.make("roles", bench.root, repoReader)],
  ])("one of %s that is bound cannot be deleted before its binding", async (collection, make) => {
    const uid = await make();
    const [identity, role] = collection === "roles" ? [await bench.someone(bench.name("user")), uid] : [uid, viewer];
    const binding = await bench.bind(bench.root, identity, role);
    expect(await bench.api("DELETE", `/iam/v2beta1/${collection}/${uid}`)).toMatchObject(refusal.blocked);
    await bench.ok("DELETE", `/iam/v2beta1/roleBindings/${binding}`);
    await bench.ok("DELETE", `/iam/v2beta1/${collection}/${uid}`);
  });

  test("delete answers 200 with nothing, then the group is not found", async () => {
    const group = await bench.group("short lived");
    expect(await bench.api("DELETE", `/iam/v2beta1/groups/${group}`)).toMatchObject({ status: 200, text: "" });
    for (const method of ["GET", "DELETE"]) {
      expect(await bench.api(method, `/iam/v2beta1/groups/${group}`)).toMatchObject(refusal.notFound);
    }
  });
});

describe("identities", () => {
  test("a claim match comes back as it was given, with its maps", async () => {
    const claimMatch = { issuer: "https://issuer.example", subjectPattern: "repo:.*", audience: "a", claims: { team: "x" } };
    const created = await bench.ok("POST", `/iam/v2beta1/identities/${bench.root}`, { name: "ci", claimMatch });
    expect(created).toMatchObject({ lastSeenTime: timestamp, email: "", company: "" });
    expect(created["claimMatch"]).toEqual({ ...claimMatch, claimPatterns: {} });
  });

  test("snake_case keys are understood, unknown ones ignored on create", async () => {
    const body = { name: "snake", claim_match: { issuer: "https://i.example", subject: "s" }, colour: "red" };
    expect(await bench.ok("POST", `/iam/v2beta1/identities/${bench.root}`, body)).toMatchObject({ claimMatch: { subject: "s" } });
  });

  test.each([
    ["no relationship", {}, "claim_match"],
    ["no issuer", { claimMatch: { subject: "s" } }, "claim_match.issuer"],
    ["no subject", { claimMatch: { issuer: "https://i.example" } }, "claim_match.subject"],
    ["a broken pattern", { claimMatch: { issuer: "https://i.example", subjectPattern: "(" } }, "claim_match.subject_pattern"],
    ["static keys without keys", { staticKeys: { issuer: "i", subject: "s" } }, "static_keys.issuer_keys"],
    ["a short account", { awsIdentity: { awsAccount: "12" } }, "aws_identity.aws_account"],
  ])("%s is rejected", async (what, body, field) => {
    const reply = await bench.api("POST", `/iam/v2beta1/identities/${bench.root}`, { name: what, ...body });
    expect(reply).toMatchObject(invalidFields(field));
  });

  test.each([
    { claimMatch: { issuer: "https://i.example", issuerPattern: ".*", subject: "s" } },
    { claimMatch: { issuer: "https://i.example", subject: "s" }, servicePrincipal: "SERVICE_PRINCIPAL_INGESTER" },
  ])("two members of one oneof are rejected: %j", async (body) => {
    const reply = await bench.api("POST", `/iam/v2beta1/identities/${bench.root}`, { name: "both", ...body });
    expect(reply).toMatchObject({ status: 400, body: { code: 3, message: expect.stringContaining("already set") as unknown } });
  });

  const untimely = [
    ...["2027-02-31T12:00:00Z", "2027-02-29T12:00:00+01:00", "2027-01-31T24:00:00Z"],
    ...["9999-12-31T23:59:59-12:00", "0000-12-31T23:59:59Z"],
  ];
  test.each(["2027-01-31", "2027-01-31T12:00Z", "2027-01-31T12:00:00", "31 Jan 2027 12:00:00 GMT", ...untimely])(
    "a time without its zone or its seconds, or of no day of the calendar, is rejected: %s",
    async (expirationTime) => {
      const staticKeys = { issuer: "https://i.example", subject: "s", issuerKeys: "{}", expirationTime };
      const { body } = await bench.api("POST", `/iam/v2beta1/identities/${bench.root}`, { name: "timed", staticKeys });
      expect(body).toMatchObject({ code: 3, message: expect.stringContaining("invalid value") as unknown });
    },
  );

  test("an empty parent is rejected", async () => {
    const body = { name: "lost", claimMatch: { issuer: "https://i.example", subject: "s" } };
    expect(await bench.api("POST", "/iam/v2beta1/identities", body)).toMatchObject(refusal.invalid);
  });

  test("relationship_type lists one sort of identity", async () => {
    const group = await bench.group("sorts");
    await bench.someone("claims", group);
    await bench.ok("POST", `/iam/v2beta1/identities/${group}`, { name: "aws", awsIdentity: { awsAccount: "123456789012" } });
    const path = `/iam/v2beta1/identities?uidp.children_of=${group}&relationship_type=RELATIONSHIP_TYPE`;
    expect(await bench.column("name", `${path}_AWS_IDENTITY`)).toEqual(["aws"]);
    expect(await bench.rows(`${path}_UNSPECIFIED`)).toHaveLength(2);
    expect(await bench.api("GET", "/iam/v2beta1/identities?relationship_type=BOGUS")).toMatchObject({ status: 400 });
  });
});

describe("roles", () => {
  test("built-in roles have flat uids and say that they are built in", async () => {
    const { roles } = await bench.ok("GET", "/iam/v2beta1/roles?name=viewer");
    expect(roles).toMatchObject([
      { uid: expect.stringMatching(/^[0-9a-f]{40}$/) as unknown, description: expect.stringMatching(/built-in/i) as unknown },
    ]);
  });

  test.each(["PATCH", "DELETE"])("%s of a built-in role is denied", async (method) => {
    const body = method === "PATCH" ? { description: "mine" } : undefined;
    expect(await bench.api(method, `/iam/v2beta1/roles/${viewer}`, body)).toMatchObject(refusal.denied);
  });
});

describe("role bindings", () => {
  test("references are expanded and always current", async () => {
    const group = await bench.group("hydrated");
    const identity = await bench.someone("person", group);
    const uid = await bench.bind(group, identity, viewer);
    await bench.ok("PATCH", `/iam/v2beta1/identities/${identity}`, { name: "renamed" });
    const shown = await bench.ok("GET", `/iam/v2beta1/roleBindings/${uid}`);
    expect(shown).toEqual({
      uid,
      identity: { uid: identity, name: "renamed", description: "", subject: "person", issuer: bench.issuer, email: "" },
      group: { uid: group, name: "hydrated", description: "" },
      role: { uid: viewer, name: "viewer", description: expect.any(String) as unknown },
      createTime: timestamp,
      identityUid: "",
      roleUid: "",
    });
  });

  test("identity and role change in place", async () => {
    const group = await bench.group("rebound");
    const uid = await bench.bind(group, await bench.someone("first"), viewer);
    const body = { identityUid: await bench.someone("second"), roleUid: await bench.role("editor") };
    const patched = await bench.ok("PATCH", `/iam/v2beta1/roleBindings/${uid}?updateMask=identity_uid,role_uid`, body);
    expect(patched).toMatchObject({ uid, identity: { uid: body.identityUid }, role: { name: "editor" } });
  });

  test("list filters: identity, role, group", async () => {
    const group = await bench.group("filtered");
    const identity = await bench.someone("filter me");
    const uid = await bench.bind(group, identity, viewer);
    for (const query of [`identity=${identity}`, `group=${group}`, `role=${viewer}&group=${group}`]) {
      expect(await bench.column("uid", `/iam/v2beta1/roleBindings?${query}`)).toEqual([uid]);
    }
  });

  test("a reference to nothing is an invalid argument that names the field", async () => {
    const body = { identityUid: "absent", roleUid: "absent" };
    const reply = await bench.api("POST", `/iam/v2beta1/roleBindings/${bench.root}`, body);
    expect(reply).toMatchObject(invalidFields("identity_uid", "role_uid"));
  });

  test("deleting one that is absent succeeds", async () => {
    const path = `/iam/v2beta1/roleBindings/${bench.root}/0123456789abcdef`;
    expect(await bench.api("DELETE", path)).toMatchObject({ status: 200, text: "" });
  });
});

describe("batchCreate", () => {
  const path = "/iam/v2beta1/roleBindings:batchCreate";
  const bindingsOf = async (group: string) =>
    (await bench.ok("GET", `/iam/v2beta1/roleBindings?uidp.children_of=${group}`))["totalCount"];

  test("creates in the order of the requests, the common role filled in", async () => {
    const parent = await bench.group("batch");
    const people = [await bench.someone("b1"), await bench.someone("b2")];
    const requests = people.map((identityUid) => ({ parent, roleBinding: { identityUid } }));
    const { roleBindings } = await bench.ok("POST", path, { parent, roleUid: viewer, requests });
    expect(roleBindings).toMatchObject(people.map((uid) => ({ identity: { uid }, role: { uid: viewer } })));
  });

  test("is atomic", async () => {
    const parent = await bench.group("atomic");
    const identityUid = await bench.someone("only one");
    const requests = [{ roleBinding: { identityUid } }, { roleBinding: { identityUid: "absent" } }];
    expect(await bench.api("POST", path, { parent, roleUid: viewer, requests })).toMatchObject(refusal.invalid);
    expect(await bindingsOf(parent)).toBe("0");
  });

  test.each([
    ["no request", [], {}],
    ["26 requests", Array.from({ length: 26 }, () => ({ roleBinding: { identityUid: "x" } })), {}],
    ["another parent", [{ parent: "elsewhere", roleBinding: { identityUid: "x" } }], {}],
    ["another role", [{ roleBinding: { identityUid: "x", roleUid: "other" } }], { roleUid: "one" }],
  ])("%s is rejected", async (_what, requests, rest) => {
    expect(await bench.api("POST", path, { parent: bench.root, requests, ...rest })).toMatchObject(refusal.invalid);
  });
});

describe("natural keys", () => {
  const oidc = { issuer: "i", clientId: "c", pkceEnabled: true };
  test.each<[string, string, object]>([
    ["groups", "iam", {}],
    ["identities", "iam", { claimMatch: { issuer: "https://i.example", subject: "s" } }],
    ["roles", "iam", { capabilities: ["CAP_REPO_LIST"] }],
    ["repos", "registry", {}],
    ["identityProviders", "iam", { oidc }],
    ["roleBindings", "iam", {}],
  ])("two %s with one key in one parent are rejected, unless duplicates are allowed", async (collection, area, more) => {
    const parent = await bench.group(`keys ${collection.toLowerCase()}`);
    const path = `/${area}/v2beta1/${collection}/${parent}`;
    const body = { name: "same", defaultRole: viewer, roleUid: viewer, identityUid: bench.identity, ...more };
    await bench.ok("POST", path, body);
    expect(await bench.api("POST", path, body)).toMatchObject(refusal.exists);
    await bench.settings({ duplicateNames: true });
    await bench.ok("POST", path, body);
  });

  test("a rename to a taken name is rejected; keeping one's own is not", async () => {
    const parent = await bench.group("renames");
    await bench.group("taken", parent);
    const other = await bench.group("free", parent);
    expect(await bench.api("PATCH", `/iam/v2beta1/groups/${other}`, { name: "taken" })).toMatchObject(refusal.exists);
    await bench.ok("PATCH", `/iam/v2beta1/groups/${other}`, { name: "free", description: "x" });
  });
});
