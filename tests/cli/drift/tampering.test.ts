import { driftDocument } from "../../../cli/documents/drift";
import { markKnown, readBaseline } from "../../../cli/drift/baseline";
import { lines, login, Organization } from "./organization";

let organization: Organization;
let state: string;

beforeEach(async () => {
  organization = await Organization.start();
  state = await organization.state();
});
afterEach(() => organization.platform.close());

test("an organisation that is as its states have it has no drift, and all of it is covered", async () => {
  const { findings, coverage, notes } = await organization.drift([state]);
  expect(findings).toEqual([]);
  expect(notes).toEqual([]);
  expect(coverage.length).toBe(11);
  for (const row of coverage) expect(row).toMatchObject({ unmanaged: 0, unreadable: 0 });
});

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
    markKnown((await organization.drift([state])).findings, readBaseline(JSON.stringify({ findings: baseline }), "b.json"))
      .filter(({ known }) => known !== true)
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

test("an expired invite gives nobody access, whoever made it", async () => {
  const roleUid = organization.uid("owner");
  const old = await organization.make("old", "groupInvites", "acme", { roleUid, ttl: "60s" });
  await organization.platform.change("groupInvites", old, { expirationTime: "2020-01-01T00:00:00Z" });
  const { findings } = await organization.drift([state]);
  expect(lines(findings)).toEqual(["info unmanaged iam:GroupInvite acme"]);
  expect(findings[0]?.message).not.toContain("becomes owner");
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
  ])
    expect(lines((await organization.drift(states)).findings)).toEqual([
      "low changed iam:Group acme/engineering",
      "low duplicate iam:Group acme/engineering",
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
  expect(encrypted.notes).toEqual([expect.stringMatching(/^Not compared, .* encrypted: description of urn:.*--show-secrets/)]);
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
