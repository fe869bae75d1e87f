import { lines, Organization } from "./organization";

interface Resource {
  id: string;
  type: string;
  inputs: Record<string, unknown>;
  outputs: Record<string, unknown>;
  external?: true;
  delete?: true;
}

let organization: Organization;
let state: string;

beforeEach(async () => {
  organization = await Organization.start();
  state = await organization.state();
});
afterEach(() => organization.platform.close());

const uid = (name: string) => organization.uid(name);
const encrypted = { "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270", ciphertext: "v1:x" };

/** The state with the resource of the object `name` changed. */
function stateWith(name: string, change: (resource: Resource) => void, text = state): string {
  const parsed = JSON.parse(text) as { deployment: { resources: Resource[] } };
  const resource = parsed.deployment.resources.find(({ id }) => id === uid(name));
  if (resource === undefined) throw new Error(`The state has no ${name}.`);
  change(resource);
  return JSON.stringify(parsed);
}

test("a role of which all capabilities were removed is a loss of its holders, and can be read", async () => {
  await organization.platform.change("roles", uid("puller"), { capabilities: [] });
  const { findings } = await organization.drift([state]);
  expect(lines(findings)).toEqual(["low changed iam:Role acme/puller"]);
  expect(findings[0]?.message).toContain("can no longer do CAP_REPO_LIST and CAP_TAG_LIST");
});

test("a role without holders that now decides who has access counts for more than its name", async () => {
  const fields = { name: "spare", capabilities: ["CAP_REPO_LIST"] };
  const spare = await organization.platform.create("roles", uid("acme"), fields);
  const before = await organization.state();
  await organization.platform.change("roles", spare.uid, { capabilities: ["CAP_REPO_LIST", "CAP_IAM_IDENTITY_UPDATE"] });
  expect(lines((await organization.drift([before])).findings)).toContain("medium changed iam:Role acme/spare");
  await organization.platform.delete("roles", spare.uid);
});

test("a role with the name of a built-in one is called by its path, and cannot pass for that", async () => {
  await organization.platform.change("roles", uid("puller"), { name: "viewer", capabilities: ["CAP_IAM_ROLES_UPDATE"] });
  const renamed = await organization.state();
  await organization.platform.change("roleBindings", uid("ci-viewer"), { roleUid: uid("puller") });
  const { findings } = await organization.drift([renamed]);
  expect(findings[0]?.message).toMatch(/becomes acme\/viewer of acme\/engineering .*is no longer viewer of acme\/engineering/);
});

test("what is gone is named as its state names it", async () => {
  await organization.platform.delete("groups", uid("eng"));
  const { findings } = await organization.drift([state]);
  expect(lines(findings)).toEqual([
    "low missing registry:Repo acme/engineering/images",
    "low missing registry:Tag acme/engineering/images/latest",
    "medium missing iam:Group acme/engineering",
    "medium missing iam:Group acme/engineering/pay",
    "medium missing iam:Group acme/engineering/shop",
    "medium missing iam:Group acme/engineering/web",
    "medium missing iam:Identity acme/engineering/shop/ci",
    "medium missing iam:RoleBinding acme/engineering",
  ]);
  const binding = findings.find(({ kind }) => kind === "iam:RoleBinding");
  expect(binding?.message).toContain("Role binding of acme/engineering/shop/ci as viewer in acme/engineering no longer exists.");
});

test.each([
  ["nightly-editor", "roleUid", "iam:RoleBinding acme"],
  ["puller", "capabilities", "iam:Role acme/puller"],
  ["nightly", "claimMatch", "iam:Identity acme/ops/nightly"],
])("an encrypted field that decides who has access is unreadable, never clean: %s", async (name, field, where) => {
  const hidden = stateWith(name, ({ inputs, outputs }) => {
    for (const values of [inputs, outputs]) values[field] = encrypted;
  });
  const { findings, notes } = await organization.drift([hidden]);
  expect(lines(findings)).toEqual([`high unreadable ${where}`]);
  expect(findings[0]?.message).toMatch(new RegExp(`^Cannot tell: the state has ${field} of .* encrypted.*--show-secrets`));
  expect(notes).toEqual([expect.stringMatching(/^SCIM of identity provider acme\/sso was not compared/)]);
});

test("secret members of a GroupAccess are unreadable, and their bindings are still its own", async () => {
  const { deployment } = JSON.parse(state) as { deployment: { resources: Resource[] } };
  const type = "platform:iam:GroupAccess";
  const bindings = { puller: { nightly: uid("nightly-puller") } };
  const outputs = { parentUid: uid("ops"), access: encrypted, roleUids: { puller: uid("puller") }, bindings };
  const access = { urn: `urn:pulumi:prod::acme::${type}::ops`, type, custom: true, id: uid("ops"), inputs: {}, outputs };
  const rest = deployment.resources.filter(({ id }) => id !== uid("nightly-puller"));
  const { findings } = await organization.drift([JSON.stringify({ deployment: { resources: [...rest, access] } })]);
  expect(findings).toMatchObject([{ class: "unreadable", kind: "iam:RoleBinding", path: "acme/ops", urn: access.urn }]);
});

test("a resource that the engine would forget with another one, without a delete, is noted", async () => {
  const anchor = "urn:pulumi:prod::acme::acme:index:Anchor::anchor";
  const forgotten = stateWith("nightly-editor", (resource) => Object.assign(resource, { deletedWith: anchor }));
  const { findings, notes } = await organization.drift([forgotten]);
  expect(findings).toEqual([]);
  expect(notes).toContainEqual(
    expect.stringMatching(/RoleBinding::.*: the option deletedWith is set\. When .*Anchor::anchor is deleted/),
  );
});

describe("an object that a program only reads", () => {
  const read = (name: string) =>
    stateWith(name, (resource) => {
      resource.external = true;
      resource.inputs = {};
    });

  test("is no finding as long as it is as it was read", async () => {
    expect((await organization.drift([read("nightly-editor")])).findings).toEqual([]);
  });

  test("is a finding, ranked by access, once it changes", async () => {
    await organization.platform.change("roleBindings", uid("nightly-editor"), { roleUid: uid("owner") });
    const { findings } = await organization.drift([read("nightly-editor")]);
    expect(lines(findings)).toEqual(["critical changed iam:RoleBinding acme"]);
    expect(findings[0]?.message).toMatch(
      /becomes owner of acme .* was changed since urn:\S+ read it: .* No state here manages it\.$/,
    );
  });

  test("is missing once it is gone", async () => {
    await organization.platform.delete("roleBindings", uid("nightly-editor"));
    const { findings } = await organization.drift([read("nightly-editor")]);
    expect(lines(findings)).toEqual(["medium missing iam:RoleBinding acme"]);
    expect(findings[0]?.message).toMatch(/no longer exists\. urn:\S+ reads it, and fails at the next update\.$/);
  });

  test("is compared with the state that manages it, if another one does", async () => {
    const reader = stateWith("nightly-editor", (resource) => {
      resource.external = true;
      resource.outputs = { ...resource.outputs, roleUid: uid("viewer") };
    });
    expect((await organization.drift([reader, state])).findings).toEqual([]);
  });
});

test("what a replacement left behind still gives access, and is found", async () => {
  const left = stateWith("nightly-editor", (resource) => {
    resource.delete = true;
  });
  const { findings } = await organization.drift([left]);
  expect(lines(findings)).toEqual(["medium unmanaged iam:RoleBinding acme"]);
  expect(findings[0]?.message).toMatch(
    /becomes editor of acme .* was replaced by urn:\S+ and still exists: .*`pulumi up` deletes it\.$/,
  );
});

test("a binding that was recreated by hand is found beside the missing one whose place it takes", async () => {
  await organization.platform.delete("roleBindings", uid("nightly-editor"));
  const gone = uid("nightly-editor");
  await organization.bind("again", "acme", "nightly", "editor");
  const { findings } = await organization.drift([state]);
  expect(lines(findings)).toEqual(["medium missing iam:RoleBinding acme", "medium unmanaged iam:RoleBinding acme"]);
  expect(findings.find(({ uid: each }) => each === uid("again"))?.message).toContain(
    `has the place of ${gone}, which urn:pulumi`,
  );
});

test("another issuer of an identity provider counts like control: its people may be taken for those who signed in before", async () => {
  const oidc = { issuer: "https://evil.example.com", clientId: "platform", pkceEnabled: true };
  await organization.platform.change("identityProviders", uid("sso"), { oidc });
  expect(lines((await organization.drift([state])).findings)).toEqual(["critical changed iam:IdentityProvider acme/sso"]);
});

test("a change of a login that its description does not show is named", async () => {
  const oidc = { issuer: "https://sso.example.com", clientId: "other", pkceEnabled: true };
  await organization.platform.change("identityProviders", uid("sso"), { oidc });
  const { findings } = await organization.drift([state]);
  expect(findings[0]?.message).toContain("can now log in as acme/sso, viewer of acme and 5 groups below (clientId changed).");
});

test("an identity of another organisation that gets a role is called so", async () => {
  await organization.make("other", "groups", "", { name: "other" });
  await organization.make("stranger", "identities", "other", {
    name: "stranger",
    claimMatch: { issuer: "https://sso.other.example", subject: "s" },
  });
  await organization.bind("strange", "eng", "stranger", "owner");
  const { findings } = await organization.drift([state]);
  expect(lines(findings)).toEqual(["high unmanaged iam:RoleBinding acme/engineering"]);
  expect(findings[0]?.message).toContain(" of another organisation becomes owner of acme/engineering");
});

test("of an object in two states, each difference is found, in whatever order the states come", async () => {
  const only = await organization.state("two", (kind, { uid: each }) => kind === "iam:Group" && each === uid("ops"));
  const wrong = stateWith("ops", ({ inputs }) => Object.assign(inputs, { description: "other" }), only);
  for (const states of [
    [state, wrong],
    [wrong, state],
  ])
    expect(lines((await organization.drift(states)).findings)).toEqual([
      "low changed iam:Group acme/ops",
      "low duplicate iam:Group acme/ops",
    ]);
});
