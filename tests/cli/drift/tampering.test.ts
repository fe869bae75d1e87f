import { driftDocument } from "../../../cli/documents/drift";
import { markKnown, readBaseline } from "../../../cli/drift/baseline";
import { accessFields } from "../../../cli/drift/fields";
import { lines, login, Organization } from "./organization";

type Values = Record<string, unknown>;

let organization: Organization;
let state: string;
const scimNote =
  "SCIM of identity provider acme/sso was not compared, because Lists do not show whether it is on (it was off when the state was last read). " +
  "Where it is, whoever has one of its tokens can add people and put them into groups of the provider, which no List shows either.";

beforeEach(async () => {
  organization = await Organization.start();
  state = await organization.state();
});
afterEach(() => organization.platform.close());

test("an organisation that is as its states have it has no drift, and all of it is covered", async () => {
  const { findings, coverage, notes } = await organization.drift([state]);
  expect(findings).toEqual([]);
  expect(notes).toEqual([scimNote]);
  expect(coverage.length).toBe(11);
  for (const row of coverage) expect(row).toMatchObject({ unmanaged: 0, unreadable: 0 });
});

test("a note says that SCIM cannot be compared, also of a provider in no state; it fails no clean run", async () => {
  const read = JSON.parse(state) as { deployment: { resources: { id: string; outputs: Record<string, unknown> }[] } };
  for (const { id, outputs } of read.deployment.resources)
    if (id === organization.uid("sso")) outputs["scim"] = { enabled: true };
  const { findings, notes } = await organization.drift([JSON.stringify(read)]);
  expect(findings).toEqual([]);
  expect(notes).toEqual([expect.stringContaining("(it was on when the state was last read)")]);
  const without = await organization.state("prod", (kind) => kind !== "iam:IdentityProvider");
  expect((await organization.drift([without])).notes).toEqual([
    expect.stringContaining("identity provider acme/sso was not compared"),
  ]);
});

test("what an identity loses that is marked as break-glass is critical, and what it loses without a known role too", async () => {
  const { platform } = organization;
  const guarded = { breakGlass: new Set([organization.uid("nightly"), organization.uid("ci")]) };
  await platform.change("identities", organization.uid("ci"), { claimMatch: login("repo:evil/shop:ref:refs/heads/main") });
  await platform.delete("roleBindings", organization.uid("nightly-editor"));
  expect(lines((await organization.drift([state], "acme", guarded)).findings)).toEqual([
    "critical changed iam:Identity acme/engineering/shop/ci",
    "critical missing iam:RoleBinding acme",
  ]);
  await platform.delete("roleBindings", organization.uid("nightly-puller"));
  await platform.delete("identities", organization.uid("nightly"));
  const { findings, notes } = await organization.drift(
    [stateWithout(state, ["nightly-editor", "nightly-puller"])],
    "acme",
    guarded,
  );
  expect(notes).toContainEqual(expect.stringMatching(/ is marked as break-glass, but no identity has this uid/));
  const missing = findings.find(({ uid }) => uid === organization.uid("nightly"));
  expect(missing).toMatchObject({ severity: "critical", class: "missing" });
  expect(missing?.message).toContain("no longer exists; it is marked as break-glass.");
});

/** The state without the resources of these objects. */
function stateWithout(text: string, names: readonly string[]): string {
  const { deployment } = JSON.parse(text) as { deployment: { resources: { id: string }[] } };
  const uids = names.map((name) => organization.uid(name));
  return JSON.stringify({ deployment: { resources: deployment.resources.filter(({ id }) => !uids.includes(id)) } });
}

test("twelve kinds of tampering are all found, classed and ranked, and none is invented", async () => {
  const { platform } = organization;
  const uid = (name: string) => organization.uid(name);
  const anybody = { issuer: "https://token.actions.githubusercontent.com", subjectPattern: ".*" };
  // 1: an owner for anybody at the root.
  await organization.make("anyone", "identities", "acme", { name: "anyone", claimMatch: anybody });
  await organization.bind("anyone-owner", "acme", "anyone", "owner");
  // 2: a match that lets more in.
  await platform.change("identities", uid("nightly"), { claimMatch: { subject: null, subjectPattern: "repo:acme/.*" } });
  // 3: another role by the same binding.
  await platform.change("roleBindings", uid("ci-viewer"), { roleUid: uid("owner") });
  // 4: a role that allows more.
  await platform.change("roles", uid("puller"), {
    capabilities: ["CAP_REPO_LIST", "CAP_TAG_LIST", "CAP_IAM_ROLE_BINDINGS_UPDATE"],
  });
  // 5: a group with access of its own.
  await organization.make("shadow", "groups", "eng", { name: "shadow" });
  await organization.bind("shadow-editor", "shadow", "ci", "editor");
  // 6: a binding is gone.
  await platform.delete("roleBindings", uid("nightly-editor"));
  // 7: the same binding once more.
  await organization.bind("twin", "ops", "nightly", "puller");
  // 8: a text.
  await platform.change("groups", uid("eng"), { description: "changed by hand" });
  // 9: events for somebody else.
  await organization.make("spy", "subscriptions", "acme", { sink: "https://spy.example.com" });
  // 10: an invite without a name on it.
  await organization.make("open", "groupInvites", "acme", { roleUid: uid("owner"), ttl: "3600s" });
  // 11: another external group.
  await organization.make("interns", "externalGroupRoleMappings", "sso", {
    externalGroupId: "interns",
    roleUid: uid("owner"),
    scope: uid("acme"),
  });
  // 12: another AWS account.
  await platform.change("accountAssociations", uid("ops"), { amazon: { account: "9".repeat(12) } });
  // Not drift: the invite was accepted.
  await platform.delete("groupInvites", uid("invite"));

  const { findings, coverage } = await organization.drift([state]);
  const printed: unknown = JSON.parse(JSON.stringify({ findings }));
  expect(driftDocument.pick({ findings: true }).safeParse(printed).error).toBeUndefined();
  expect(lines(findings)).toEqual(
    [
      "critical unmanaged iam:RoleBinding acme",
      "critical unmanaged iam:GroupInvite acme",
      "critical unmanaged iam:ExternalGroupRoleMapping acme",
      "medium unmanaged iam:Identity acme/anyone",
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
  // What matters most comes first.
  expect(findings.slice(0, 3).map(({ severity }) => severity)).toEqual(["critical", "critical", "critical"]);
  const messageOf = (name: string) => findings.find((finding) => finding.uid === uid(name))?.message;
  expect(messageOf("anyone-owner")).toMatch(/^acme\/anyone \(anybody .*\) becomes owner of acme and \d+ groups below\. /);
  expect(messageOf("nightly-editor")).toContain("is no longer editor of acme");
  expect(messageOf("twin")).toContain(`is the same as ${uid("nightly-puller")}, which is`);
  const nightly = findings.find((finding) => finding.uid === uid("nightly"));
  expect(nightly?.fields).toEqual([
    { path: "claimMatch.subject", declared: "repo:acme/ops:ref:refs/heads/main", actual: undefined },
    { path: "claimMatch.subjectPattern", declared: undefined, actual: "repo:acme/.*" },
  ]);
  expect(coverage.find(({ kind }) => kind === "iam:RoleBinding")).toEqual({
    kind: "iam:RoleBinding",
    managed: 3,
    unmanaged: 3,
    unreadable: 0,
  });
});

test("a baseline knows objects that no state has as they were: whoever gets access by a later change is new", async () => {
  const { platform } = organization;
  const uid = (name: string) => organization.uid(name);
  await organization.make("bot", "identities", "ops", { name: "bot", claimMatch: login("repo:acme/bot:ref:refs/heads/main") });
  await organization.bind("bot-editor", "ops", "bot", "editor");
  await organization.make("open", "groupInvites", "ops", { roleUid: uid("viewer"), ttl: "3600s" });
  const { findings: baseline } = await organization.drift([state]);
  const unknown = async () =>
    markKnown(
      (await organization.drift([state])).findings,
      readBaseline(JSON.stringify({ findings: baseline }), "b.json"),
      "b.json",
    )
      .findings.filter(({ known }) => known !== true)
      .map((finding) => finding.uid);
  expect(await unknown()).toEqual([]);
  await platform.change("groups", uid("ops"), { name: "operations" });
  await platform.change("groups", uid("ops"), { name: "ops" });
  expect(await unknown()).toEqual([]);
  await platform.change("roleBindings", uid("bot-editor"), { identityUid: uid("ci") });
  expect(await unknown()).toEqual([uid("bot-editor")]);
  await platform.change("identities", uid("bot"), { claimMatch: login("repo:evil/bot:ref:refs/heads/main") });
  expect((await unknown()).sort()).toEqual([uid("bot-editor"), uid("bot")].sort());
});

test("an expired invite gives no access, whoever made it", async () => {
  const roleUid = organization.uid("owner");
  const old = await organization.make("old", "groupInvites", "acme", { roleUid, ttl: "60s" });
  await organization.platform.change("groupInvites", old, { expirationTime: "2020-01-01T00:00:00Z" });
  const { findings } = await organization.drift([state]);
  expect(lines(findings)).toEqual(["info unmanaged iam:GroupInvite acme"]);
  expect(findings[0]?.message).not.toContain("becomes owner");
});

test("an invite that expires after the baseline was written is still known", async () => {
  const roleUid = organization.uid("owner");
  const invite = await organization.make("open", "groupInvites", "acme", { roleUid, ttl: "3600s" });
  const { findings: baseline } = await organization.drift([state]);
  expect(lines(baseline)).toEqual(["critical unmanaged iam:GroupInvite acme"]);
  await organization.platform.change("groupInvites", invite, { expirationTime: "2020-01-01T00:00:00Z" });
  const { findings, notes } = markKnown((await organization.drift([state])).findings, baseline, "b.json");
  expect(findings).toMatchObject([{ uid: invite, severity: "info", known: true }]);
  expect(notes).toEqual([]);
});

test("an identity with the name of a declared one counts for who can log in as it", async () => {
  await organization.platform.settings({ duplicateNames: true });
  const anybody = { issuer: "https://token.actions.githubusercontent.com", subjectPattern: ".*" };
  await organization.make("twin", "identities", "shop", { name: "ci", claimMatch: anybody });
  expect(lines((await organization.drift([state])).findings)).toEqual(["medium duplicate iam:Identity acme/engineering/shop/ci"]);
});

test("two stacks that manage one object are a duplicate, and together they cover the organisation", async () => {
  const people = await organization.state("people", (kind) => kind.startsWith("iam:"));
  const registry = await organization.state("registry", (kind) => !kind.startsWith("iam:"));
  expect((await organization.drift([people, registry])).findings).toEqual([]);
  const both = await organization.state("other", (kind, { uid }) => kind === "iam:Group" && uid === organization.uid("ops"));
  expect((await organization.drift([people, registry, both])).findings).toMatchObject([
    { class: "duplicate", kind: "iam:Group", path: "acme/ops", stack: "acme/other" },
  ]);
  const alone = await organization.drift([people]);
  expect(lines(alone.findings)).toEqual([
    "info unmanaged registry:Tag acme/engineering/images/latest",
    "low unmanaged registry:Repo acme/engineering/images",
    "medium unmanaged events:Subscription acme",
  ]);
});

test("the same state twice is one state", async () => {
  expect((await organization.drift([state, state])).findings).toEqual([]);
});

test("two exports of one stack that differ are never clean, in whatever order they come", async () => {
  const other = state.replaceAll("Everyone who builds", "Everyone");
  for (const states of [
    [state, other],
    [other, state],
  ]) {
    const { findings } = await organization.drift(states);
    expect(lines(findings)).toEqual(["low changed iam:Group acme/engineering", "low duplicate iam:Group acme/engineering"]);
    expect(findings.find((finding) => finding.class === "duplicate")?.message).toBe(
      "Group acme/engineering is in two exports of its stack that differ: pass the newer one only.",
    );
  }
});

test("an export with secrets beside one without them is the same stack: the one that shows more is compared", async () => {
  const mark = { "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270" };
  const exportWith = (description: object, clientSecret: object) => {
    const parsed = JSON.parse(state) as { deployment: { resources: { id: string; inputs: Values; outputs: Values }[] } };
    for (const { id, inputs, outputs } of parsed.deployment.resources) {
      if (id === organization.uid("eng")) inputs["description"] = description;
      if (id !== organization.uid("sso")) continue;
      for (const values of [inputs, outputs]) values["oidc"] = { ...(values["oidc"] as object), clientSecret };
    }
    return JSON.stringify(parsed);
  };
  const hidden = { ...mark, ciphertext: "v1:x" };
  const plain = (text: string) => ({ ...mark, plaintext: JSON.stringify(text) });
  const encrypted = exportWith(hidden, hidden);
  const shown = exportWith(plain("Everyone who builds"), plain("the secret of the client"));
  const changed = exportWith(plain("Nobody at all"), plain("the secret of the client"));
  for (const states of [
    [encrypted, shown],
    [shown, encrypted],
  ])
    expect(await organization.drift(states)).toMatchObject({ findings: [], notes: [scimNote] });
  expect(lines((await organization.drift([encrypted, changed])).findings)).toEqual(["low changed iam:Group acme/engineering"]);
});

test("an older export with secrets does not hide what a newer one without them may have changed", async () => {
  const export1 = (time: string, description: object) => {
    const parsed = JSON.parse(state) as { deployment: { resources: { id: string; inputs: Values }[] } };
    for (const { id, inputs } of parsed.deployment.resources)
      if (id === organization.uid("eng")) inputs["description"] = description;
    return JSON.stringify({ deployment: { manifest: { time }, ...parsed.deployment } });
  };
  const mark = { "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270" };
  const plain = { ...mark, plaintext: JSON.stringify("Everyone who builds") };
  const [one, other] = ["2026-11-22T10:00:00Z", "2026-11-22T11:00:00Z"];
  const encrypted = export1(other, { ...mark, ciphertext: "v1:x" });
  expect((await organization.drift([export1(other, plain), encrypted])).findings).toEqual([]);
  expect(lines((await organization.drift([export1(one, plain), encrypted])).findings)).toEqual([
    "low duplicate iam:Group acme/engineering",
  ]);
});

test("members that a half-done update of a GroupAccess left are called so; what it would not remove is not said to be removed", async () => {
  const uid = (name: string) => organization.uid(name);
  await organization.bind("left", "ops", "ci", "viewer");
  await organization.bind("by-hand", "ops", "ci", "owner");
  const { deployment } = JSON.parse(state) as { deployment: { resources: { id: string }[] } };
  const type = "platform:iam:GroupAccess";
  const outputs = {
    parentUid: uid("ops"),
    access: { puller: { nightly: uid("nightly") }, viewer: { ci: uid("ci") } },
    roles: ["puller", "viewer"],
    roleUids: { puller: uid("puller"), viewer: uid("viewer") },
    bindings: { puller: { nightly: uid("nightly-puller") }, viewer: { ci: uid("left") } },
  };
  const inputs = { ...outputs, access: { puller: { nightly: uid("nightly") } } };
  const access = { urn: `urn:pulumi:prod::acme::${type}::ops`, type, custom: true, id: uid("ops"), inputs, outputs };
  const rest = deployment.resources.filter(({ id }) => id !== uid("nightly-puller"));
  const exported = JSON.stringify({ deployment: { resources: [...rest, access] } });
  await organization.bind("covered", "ops", "nightly", "viewer");
  const { findings } = await organization.drift([exported]);
  const messageOf = (name: string) => findings.find((finding) => finding.uid === uid(name))?.message;
  expect(findings.length).toBe(3);
  expect(messageOf("left")).toMatch(
    /Role binding of acme\/engineering\/shop\/ci as viewer in acme\/ops is no longer declared by urn:\S+::ops: the update that removes it failed half-way\. Run `pulumi up --refresh --run-program`\.$/,
  );
  expect(messageOf("by-hand")).toMatch(/ as owner in acme\/ops is in no state\.$/);
  expect(messageOf("covered")).toMatch(
    / is in no state\. The access of this group is declared by urn:\S+::ops, which removes what it neither declares nor exempts\.$/,
  );
});

test("what decides who has access by an unmanaged object is shown field by field, without its secrets", async () => {
  const { platform } = organization;
  await platform.delete("identityProviders", organization.uid("sso"));
  const oidc = { issuer: "https://sso.example.com", clientId: "platform", pkceEnabled: true };
  const again = await organization.make("again", "identityProviders", "acme", { name: "sso", oidc });
  const fields = async () => (await organization.drift([state])).findings.find(({ uid }) => uid === again)?.fields;
  expect(await fields()).toContainEqual({ path: "oidc.issuer", actual: "https://sso.example.com" });
  await platform.change("identityProviders", again, { oidc: { ...oidc, issuer: "https://evil.example.com" } });
  expect(await fields()).toContainEqual({ path: "oidc.issuer", actual: "https://evil.example.com" });
  const value = { oidc: { issuer: "https://sso.example.com", clientSecret: "not for everybody" } };
  expect(accessFields({ kind: "iam:IdentityProvider", uid: again, place: organization.uid("acme"), value })).toEqual([
    { path: "oidc.clientSecret", actual: "[secret]" },
    { path: "oidc.issuer", actual: "https://sso.example.com" },
  ]);
});

test("only what is below the root is compared, and what is not is said", async () => {
  await organization.make("spy", "subscriptions", "ops", { sink: "https://spy.example.com" });
  const { findings, notes } = await organization.drift([state], "eng");
  expect(findings).toEqual([]);
  expect(notes).toEqual([expect.stringMatching(/^\d+ objects in the states are not in this group/)]);
});

test("a kind whose List is forbidden is unreadable: its objects are neither missing nor clean", async () => {
  await organization.platform.fault({ path: "/roleBindings$", query: "descendants" }, { status: 403, code: 7 }, { times: 0 });
  const { findings, coverage } = await organization.drift([state]);
  expect(lines(findings)).toEqual(["high unreadable iam:RoleBinding acme"]);
  expect(findings[0]?.message).toContain("Of the objects in the states, 4 could not be compared.");
  expect(coverage.find(({ kind }) => kind === "iam:RoleBinding")).toMatchObject({ managed: 0, unreadable: 4 });
});

test("resources of a type that is newer than this release are unreadable, never clean", async () => {
  const { deployment } = JSON.parse(state) as { deployment: { resources: object[] } };
  const type = "platform:iam:Robot";
  const robot = { urn: `urn:pulumi:prod::people::${type}::r`, type, custom: true, id: `${organization.uid("acme")}/1` };
  const newer = JSON.stringify({ deployment: { resources: [...deployment.resources, robot] } });
  const { findings } = await organization.drift([newer]);
  expect(lines(findings)).toEqual(["high unreadable iam:Robot acme"]);
  expect(findings[0]?.message).toContain("does not know the type platform:iam:Robot");
});

test("what is encrypted in the state is not compared, which is said, and no secret is shown", async () => {
  const mark = { "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270" };
  const parsed = JSON.parse(state) as { deployment: { resources: { id: string; inputs: Record<string, unknown> }[] } };
  const set = (description: unknown) => {
    const group = parsed.deployment.resources.find(({ id }) => id === organization.uid("eng"));
    if (group) group.inputs["description"] = description;
    return JSON.stringify(parsed);
  };
  const encrypted = await organization.drift([set({ ...mark, ciphertext: "v1:x" })]);
  expect(encrypted.findings).toEqual([]);
  const hidden = expect.stringMatching(/^Not compared, .* encrypted: description of urn:.*--show-secrets/) as string;
  expect(encrypted.notes).toEqual([hidden, scimNote]);
  const { findings } = await organization.drift([set({ ...mark, plaintext: '"not for everybody"' })]);
  expect(findings).toMatchObject([
    { class: "changed", fields: [{ path: "description", declared: "[secret]", actual: "[secret]" }] },
  ]);
  expect(JSON.stringify(findings)).not.toContain("not for everybody");
});

test("an object that was deleted is missing, with whoever loses access by it", async () => {
  await organization.platform.delete("identities", organization.uid("nightly"));
  const { findings } = await organization.drift([state]);
  expect(lines(findings)).toEqual([
    "medium missing iam:Identity acme/ops/nightly",
    "medium missing iam:RoleBinding acme",
    "medium missing iam:RoleBinding acme/ops",
  ]);
});
