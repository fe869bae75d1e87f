import { type Finding } from "../../drift/finding";
import { driftDocument } from "../../cli/documents/drift";
import { markKnown, readBaseline } from "../../drift/baseline";
import { accessFields } from "../../drift/fields";
import { lines, login, Organization, plain } from "./organization";

// Changes by hand.

let organization: Organization;
let state: string;
beforeEach(async () => {
  organization = await Organization.start();
  state = await organization.state();
});
afterEach(() => organization.platform.close());

const uid = (name: string) => organization.uid(name);
const change = (collection: string, name: string, fields: object) => organization.platform.change(collection, uid(name), fields);
const remove = (collection: string, name: string) => organization.platform.delete(collection, uid(name));
const found = async (states: readonly string[] = [state]): Promise<Finding[]> => (await organization.drift(states)).findings;
const of = (findings: readonly Finding[], name: string) => findings.find((finding) => finding.uid === uid(name));
const anybody = { issuer: "https://token.actions.githubusercontent.com", subjectPattern: ".*" };

test("what an identity loses that is marked as break-glass is critical, and what it loses without a known role too", async () => {
  const guarded = { breakGlass: new Set([uid("nightly"), uid("ci")]) };
  await change("identities", "ci", { claimMatch: login("repo:evil/shop:ref:refs/heads/main") });
  await remove("roleBindings", "nightly-editor");
  expect(lines((await organization.drift([state], "acme", guarded)).findings)).toEqual([
    "critical changed iam:Identity acme/engineering/shop/ci",
    "critical missing iam:RoleBinding acme",
  ]);
  await remove("roleBindings", "nightly-puller");
  await remove("identities", "nightly");
  const roleless = organization.without(state, "nightly-editor", "nightly-puller");
  const { findings, notes } = await organization.drift([roleless], "acme", guarded);
  expect(notes).toContainEqual(expect.stringMatching(/ marked as break-glass, but no identity/));
  expect(of(findings, "nightly")).toMatchObject({
    severity: "critical",
    class: "missing",
    message: expect.stringContaining("marked as break-glass") as string,
  });
});

test("who lost a role is said where another role binding shows who it is, whatever name that person has chosen", async () => {
  const claimMatch = { issuer: "https://okta.acme.example", subject: "eve" };
  await organization.make("eve", "identities", "", { name: "zoe", claimMatch });
  await organization.bind("eve-editor", "ops", "eve", "editor");
  await organization.bind("eve-viewer", "ops", "eve", "viewer");
  const whole = await organization.state();
  await remove("roleBindings", "eve-editor");
  expect(of(await found([whole]), "eve-editor")?.message).toBe(
    "eve (okta.acme.example) is no longer editor of acme/ops. " +
      "Role binding of eve (okta.acme.example) as editor in acme/ops no longer exists.",
  );
});

describe("who lost a role, where no role binding shows it any more, is said by", () => {
  const eve = { issuer: "https://okta.acme.example", subject: "eve" };
  let [binding, whole] = ["", ""];
  beforeEach(async () => {
    await organization.make("eve", "identities", "", { name: "zoe", claimMatch: eve });
    binding = await organization.bind("eve-viewer", "ops", "eve", "viewer");
    whole = await organization.state();
    await remove("roleBindings", "eve-viewer");
  });
  const unseen = "(a person who has not signed up, or is not visible";

  test.each([
    ["the label that the state has", (access: object) => access, '; labelled "mia")'],
    ["no label that is secret", plain, ")"],
  ])("%s", async (_, written, words) => {
    const access = written({ viewer: { mia: uid("eve") } });
    const outputs = {
      parentUid: uid("ops"),
      access,
      roleUids: { viewer: uid("viewer") },
      bindings: { viewer: { mia: binding } },
    };
    const state = organization.withAccess(organization.without(whole, "eve-viewer"), outputs);
    const { message } = of(await found([state]), "eve-viewer") ?? {};
    expect(message).toContain(`${uid("eve")} ${unseen}${words} is no longer viewer of acme/ops.`);
    expect(message).toContain(`Role binding of ${uid("eve")} ${unseen}${words} as viewer in acme/ops no longer exists`);
  });

  test.each([
    ["the login that the program writes instead of the uid", {}, "eve (okta.acme.example)"],
    ["the same beside the uid that check found", { identityUid: true }, "eve (okta.acme.example)"],
  ])("%s", async (_, { identityUid }: { identityUid?: boolean }, words) => {
    const state = organization.edited(whole, "eve-viewer", ({ inputs, outputs }) => {
      for (const values of [inputs, outputs]) values["identityRef"] = eve;
      if (!identityUid) delete inputs["identityUid"];
    });
    const { message } = of(await found([state]), "eve-viewer") ?? {};
    expect(message).toContain(`${words} is no longer viewer of acme/ops.`);
    expect(message).toContain(`${words} as viewer in acme/ops no longer exists`);
  });
});

test("a loss names what other programs manage as the platform has it: the group, the identity, how it logs in, and the role", async () => {
  const mine = await organization.state("prod", (kind, row) => kind === "iam:RoleBinding" && row.uid === uid("nightly-puller"));
  await remove("roleBindings", "nightly-puller");
  expect(of(await found([mine]), "nightly-puller")).toMatchObject({
    severity: "medium",
    message: expect.stringMatching(
      /^acme\/ops\/nightly \(GitHub acme\/ops, branch main\) is no longer puller of acme\/ops, which it keeps by editor\. /,
    ) as string,
  });
});

test("a field with a uid says what the object is called", async () => {
  await change("roleBindings", "ci-viewer", { identityUid: uid("nightly"), roleUid: uid("owner") });
  expect(of(await found(), "ci-viewer")?.message).toContain(
    "identityUid is acme/ops/nightly, declared acme/engineering/shop/ci; roleUid is owner, declared viewer",
  );
});

test("twelve kinds of tampering are all found, classed and ranked, and none is invented", async () => {
  // 1: an owner for anybody at the root.
  await organization.make("anyone", "identities", "acme", { name: "anyone", claimMatch: anybody });
  await organization.bind("anyone-owner", "acme", "anyone", "owner");
  // 2: a match that lets more in.
  await change("identities", "nightly", { claimMatch: { subject: null, subjectPattern: "^repo:acme/.*$" } });
  // 3: another role by the same binding.
  await change("roleBindings", "ci-viewer", { roleUid: uid("owner") });
  // 4: a role that allows more.
  await change("roles", "puller", { capabilities: ["CAP_REPO_LIST", "CAP_TAG_LIST", "CAP_IAM_ROLE_BINDINGS_UPDATE"] });
  // 5: a group with access of its own.
  await organization.make("shadow", "groups", "eng", { name: "shadow" });
  await organization.bind("shadow-editor", "shadow", "ci", "editor");
  // 6: a binding is gone.
  await remove("roleBindings", "nightly-editor");
  // 7: the same binding once more.
  await organization.bind("twin", "ops", "nightly", "puller");
  // 8: a text.
  await change("groups", "eng", { description: "changed by hand" });
  // 9: events for somebody else.
  await organization.make("spy", "subscriptions", "acme", { sink: "https://spy.example.com" });
  // 10: an invite without a name on it.
  await organization.make("open", "groupInvites", "acme", { roleUid: uid("owner"), ttl: "3600s" });
  // 11: another external group.
  const interns = { externalGroupId: "interns", roleUid: uid("owner"), scope: uid("acme") };
  await organization.make("interns", "externalGroupRoleMappings", "sso", interns);
  // 12: another AWS account.
  await change("accountAssociations", "ops", { amazon: { account: "9".repeat(12) } });
  // Not drift: the invite was accepted.
  await remove("groupInvites", "invite");

  const { findings, coverage } = await organization.drift([state]);
  const printed: unknown = JSON.parse(JSON.stringify({ findings }));
  expect(driftDocument.pick({ findings: true }).safeParse(printed).error).toBeUndefined();
  expect(lines(findings)).toEqual(
    [
      "critical unmanaged iam:RoleBinding acme",
      "critical unmanaged iam:GroupInvite acme",
      "critical unmanaged iam:ExternalGroupRoleMapping acme",
      "high unmanaged iam:Identity acme/anyone",
      "high changed iam:RoleBinding acme/engineering",
      "high changed iam:Role acme/puller",
      // It now controls who has the role bindings of ops, by the changed role.
      "high changed iam:Identity acme/ops/nightly",
      "low unmanaged iam:Group acme/engineering/shadow",
      "medium unmanaged iam:RoleBinding acme/engineering/shadow",
      "medium missing iam:RoleBinding acme",
      "medium duplicate iam:RoleBinding acme/ops",
      "low changed iam:Group acme/engineering",
      "medium unmanaged events:Subscription acme",
      "medium changed iam:AccountAssociation acme/ops",
      "info settled iam:GroupInvite acme/ops",
    ].sort(),
  );
  // The most important findings come first.
  expect(findings.slice(0, 3).map(({ severity }) => severity)).toEqual(["critical", "critical", "critical"]);
  expect(of(findings, "anyone-owner")?.message).toMatch(/^acme\/anyone \(anybody .*\) is owner of acme and \d+ groups below\. /);
  expect(of(findings, "nightly-editor")?.message).toContain("no longer editor of acme");
  expect(of(findings, "twin")?.message).toContain(`duplicates ${uid("nightly-puller")}, which is managed`);
  expect(of(findings, "nightly")?.fields).toEqual([
    { path: "claimMatch.subject", declared: "repo:acme/ops:ref:refs/heads/main", actual: undefined },
    { path: "claimMatch.subjectPattern", declared: undefined, actual: "^repo:acme/.*$" },
  ]);
  const row = { kind: "iam:RoleBinding", managed: 3, unmanaged: 3, unreadable: 0 };
  expect(coverage.find(({ kind }) => kind === "iam:RoleBinding")).toEqual(row);
});

test("a baseline knows objects that no state has as they were: whoever gets access by a later change is new", async () => {
  await organization.make("bot", "identities", "ops", { name: "bot", claimMatch: login("repo:acme/bot:ref:refs/heads/main") });
  await organization.bind("bot-editor", "ops", "bot", "editor");
  await organization.make("open", "groupInvites", "ops", { roleUid: uid("viewer"), ttl: "3600s" });
  const baseline = readBaseline(JSON.stringify({ findings: await found() }), "b.json");
  const unknown = async () => {
    const marked = markKnown(await found(), baseline, "b.json").findings.filter(({ known }) => known !== true);
    return marked.map((finding) => finding.uid).sort();
  };
  expect(await unknown()).toEqual([]);
  await change("groups", "ops", { name: "operations" });
  await change("groups", "ops", { name: "ops" });
  expect(await unknown()).toEqual([]);
  await change("roleBindings", "bot-editor", { identityUid: uid("ci") });
  expect(await unknown()).toEqual([uid("bot-editor")]);
  await change("identities", "bot", { claimMatch: login("repo:evil/bot:ref:refs/heads/main") });
  expect(await unknown()).toEqual([uid("bot-editor"), uid("bot")].sort());
});

test("an invite that has expired gives no access, whoever made it, and is still known to a baseline", async () => {
  const invite = await organization.make("open", "groupInvites", "acme", { roleUid: uid("owner"), ttl: "3600s" });
  const baseline = await found();
  expect(lines(baseline)).toEqual(["critical unmanaged iam:GroupInvite acme"]);
  // Nobody has used it yet.
  expect(baseline[0]?.message).toContain(" becomes owner of acme");
  await change("groupInvites", "open", { expirationTime: "2020-01-01T00:00:00Z" });
  const expired = await found();
  expect(lines(expired)).toEqual(["info unmanaged iam:GroupInvite acme"]);
  expect(expired[0]?.message).not.toMatch(/is (?:now )?owner/);
  const { findings, notes } = markKnown(expired, baseline, "b.json");
  expect([findings, notes]).toMatchObject([[{ uid: invite, severity: "info", known: true }], []]);
});

const anyonesSso = { clientId: "platform", pkceEnabled: true };

test.each<[string, () => Promise<unknown>, string[], string]>([
  [
    "an identity with the name of a declared one counts for who can log in as it",
    async () => {
      await organization.platform.settings({ duplicateNames: true });
      await organization.make("twin", "identities", "shop", { name: "ci", claimMatch: anybody });
    },
    ["high duplicate iam:Identity acme/engineering/shop/ci"],
    "",
  ],
  [
    "a role of which all capabilities were removed is a loss of its holders, and can be read",
    () => change("roles", "puller", { capabilities: [] }),
    ["low changed iam:Role acme/puller"],
    "no longer do CAP_REPO_LIST and CAP_TAG_LIST",
  ],
  [
    "an object that was deleted is missing, with whoever loses access by it",
    () => remove("identities", "nightly"),
    [
      "medium missing iam:Identity acme/ops/nightly",
      "medium missing iam:RoleBinding acme",
      "medium missing iam:RoleBinding acme/ops",
    ],
    "",
  ],
  [
    "another issuer of an identity provider counts like control: its people may be taken for those who signed in before",
    () => change("identityProviders", "sso", { oidc: { issuer: "https://evil.example.com", ...anyonesSso } }),
    ["critical changed iam:IdentityProvider acme/sso"],
    "",
  ],
  [
    "a change of a login that its description does not show is named",
    () =>
      change("identityProviders", "sso", { oidc: { issuer: "https://sso.example.com", clientId: "other", pkceEnabled: true } }),
    ["critical changed iam:IdentityProvider acme/sso"],
    "log in as acme/sso, viewer of acme and 5 groups below (clientId changed).",
  ],
  [
    "an identity of another organisation that gets a role is called so",
    async () => {
      await organization.make("other", "groups", "", { name: "other" });
      const claimMatch = { issuer: "https://sso.other.example", subject: "s" };
      await organization.make("stranger", "identities", "other", { name: "stranger", claimMatch });
      await organization.bind("strange", "eng", "stranger", "owner");
    },
    ["high unmanaged iam:RoleBinding acme/engineering"],
    "of another organisation is owner of acme/engineering",
  ],
])("%s", async (_, tamper, expected, words) => {
  await tamper();
  const findings = await found();
  expect(lines(findings)).toEqual(expected);
  expect(findings[0]?.message).toContain(words);
});

test("a role without holders that now decides who has access counts for more than its name", async () => {
  await organization.make("spare", "roles", "acme", { name: "spare", capabilities: ["CAP_REPO_LIST"] });
  const before = await organization.state();
  await change("roles", "spare", { capabilities: ["CAP_REPO_LIST", "CAP_IAM_IDENTITY_UPDATE"] });
  expect(lines(await found([before]))).toEqual(["medium changed iam:Role acme/spare"]);
});

test("a role with the name of a built-in one is called by its path, and cannot pass for that", async () => {
  await change("roles", "puller", { name: "viewer", capabilities: ["CAP_IAM_ROLES_UPDATE"] });
  const renamed = await organization.state();
  await change("roleBindings", "ci-viewer", { roleUid: uid("puller") });
  expect((await found([renamed]))[0]?.message).toMatch(
    /is now acme\/viewer of acme\/engineering .*no longer viewer of acme\/engineering/,
  );
});

test("what is gone is named as its state names it", async () => {
  await remove("groups", "eng");
  const findings = await found();
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
  expect(of(findings, "ci-viewer")?.message).toContain("acme/engineering/shop/ci as viewer in acme/engineering");
});

test("an object that a program only reads is a finding once it changes, ranked by access, or is gone", async () => {
  const read = organization.edited(state, "nightly-editor", (resource) => {
    Object.assign(resource, { external: true, inputs: {} });
  });
  expect(await found([read])).toEqual([]);
  await change("roleBindings", "nightly-editor", { roleUid: uid("owner") });
  const [changed, ...others] = await found([read]);
  expect(lines([changed, ...others].flatMap((each) => each ?? []))).toEqual(["critical changed iam:RoleBinding acme"]);
  expect(changed?.message).toMatch(/is now owner of acme .* since urn:\S+ read it: .* No state here manages it\.$/);
  await remove("roleBindings", "nightly-editor");
  const [gone] = await found([read]);
  expect(gone).toMatchObject({ severity: "medium", class: "missing", kind: "iam:RoleBinding", path: "acme" });
  expect(gone?.message).toMatch(/urn:\S+ reads it, and fails/);
});

test("a binding that was recreated by hand is found beside the missing one whose place it takes", async () => {
  await remove("roleBindings", "nightly-editor");
  await organization.bind("again", "acme", "nightly", "editor");
  const findings = await found();
  expect(lines(findings)).toEqual(["medium missing iam:RoleBinding acme", "medium unmanaged iam:RoleBinding acme"]);
  expect(of(findings, "again")?.message).toContain(`in no state. ${uid("nightly-editor")}, declared by urn:pulumi`);
});

test("members that a half-done update of a GroupAccess left are called so; what it would not remove is not said to be removed", async () => {
  await organization.bind("left", "ops", "ci", "viewer");
  await organization.bind("by-hand", "ops", "ci", "owner");
  const outputs = {
    parentUid: uid("ops"),
    access: { puller: { nightly: uid("nightly") }, viewer: { ci: uid("ci") } },
    roles: ["puller", "viewer"],
    roleUids: { puller: uid("puller"), viewer: uid("viewer") },
    bindings: { puller: { nightly: uid("nightly-puller") }, viewer: { ci: uid("left") } },
  };
  const inputs = { ...outputs, access: { puller: { nightly: uid("nightly") } } };
  await organization.bind("covered", "ops", "nightly", "viewer");
  const findings = await found([organization.withAccess(state, outputs, inputs)]);
  expect(findings.length).toBe(3);
  expect(of(findings, "left")?.message).toMatch(
    /shop\/ci as viewer in acme\/ops .* urn:\S+::groupaccess, .* half-way\. Run `pulumi up --refresh --run-program`\.$/,
  );
  expect(of(findings, "by-hand")?.message).toMatch(/ as owner in acme\/ops is in no state\.$/);
  expect(of(findings, "covered")?.message).toMatch(
    / in no state\. urn:\S+::groupaccess declares the access of this group, and removes /,
  );
});

test("what decides who has access by an unmanaged object is shown field by field, without its secrets", async () => {
  await remove("identityProviders", "sso");
  const oidc = { issuer: "https://sso.example.com", ...anyonesSso };
  await organization.make("again", "identityProviders", "acme", { name: "sso", oidc });
  expect(of(await found(), "again")?.fields).toContainEqual({ path: "oidc.issuer", actual: "https://sso.example.com" });
  await change("identityProviders", "again", { oidc: { ...oidc, issuer: "https://evil.example.com" } });
  expect(of(await found(), "again")?.fields).toContainEqual({ path: "oidc.issuer", actual: "https://evil.example.com" });
  const value = { oidc: { issuer: "https://sso.example.com", clientSecret: "not for everybody" } };
  expect(accessFields({ kind: "iam:IdentityProvider", uid: uid("again"), place: uid("acme"), value })).toEqual([
    { path: "oidc.clientSecret", actual: "[secret]" },
    { path: "oidc.issuer", actual: "https://sso.example.com" },
  ]);
});

test("what is made beside the root is no finding", async () => {
  await organization.make("spy", "subscriptions", "ops", { sink: "https://spy.example.com" });
  expect((await organization.drift([state], "eng")).findings).toEqual([]);
});

test("a kind whose List is forbidden is unreadable: its objects are neither missing nor clean", async () => {
  await organization.platform.fault({ path: "/roleBindings$", query: "descendants" }, { status: 403, code: 7 }, { times: 0 });
  const { findings, coverage } = await organization.drift([state]);
  expect(lines(findings)).toEqual(["high unreadable iam:RoleBinding acme"]);
  const row = { kind: "iam:RoleBinding", managed: 0, unmanaged: 0, unreadable: 4 };
  expect(coverage.find(({ kind }) => kind === "iam:RoleBinding")).toEqual(row);
});
