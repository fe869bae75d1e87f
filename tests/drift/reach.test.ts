import type { Finding } from "../../drift/finding";
import { ignore, readIgnoreFile } from "../../drift/ignore-file";
import { lines, login, Organization } from "./organization";

// Where access depends on an object, and logins that no state has.

let organization: Organization;
beforeEach(async () => {
  organization = await Organization.start();
  await organization.make("sandbox", "groups", "acme", { name: "sandbox" });
});
afterEach(() => organization.platform.close());

const uid = (name: string) => organization.uid(name);
const change = (name: string, claimMatch: object) => organization.platform.change("identities", uid(name), { claimMatch });
const of = (findings: readonly Finding[], name: string) => findings.find((each) => each.uid === uid(name));
const paths = (each: Finding | undefined) => each?.reach?.map(({ path }) => path);
const exact = login("repo:acme/bot:ref:refs/heads/main");
const sandbox = "- pattern: acme/sandbox/**\n  owner: ops\n  reason: experiments\n  expiry: 2999-01-01\n";
const applied = (findings: readonly Finding[], entries = sandbox) =>
  ignore(findings, readIgnoreFile(entries, "i.yaml"), Date.now());

/** An identity in the sandbox that no state has. @returns the state, which has the binding for it */
async function bot(place: string, role: string, claimMatch: object = exact): Promise<string> {
  await organization.make("bot", "identities", "sandbox", { name: "bot", claimMatch });
  await organization.bind("bot-role", place, "bot", role);
  return organization.without(await organization.state(), "bot");
}

test("an identity in an ignored group that a managed binding makes owner is told, and so is whoever takes its login over", async () => {
  const state = await bot("acme", "owner");
  const { findings } = await organization.drift([state]);
  expect(lines(findings)).toEqual(["low unmanaged iam:Identity acme/sandbox/bot"]);
  expect(findings[0]).toMatchObject({ message: "Identity acme/sandbox/bot is in no state. Access depends on it in acme." });
  expect(paths(findings[0])).toEqual(["acme"]);
  expect(applied(findings).notes).toEqual([
    expect.stringMatching(/does not hide iam:Identity acme\/sandbox\/bot: .* `within: acme`/),
  ]);
  const accepted = sandbox.replace("  owner", "  within: acme\n  owner");
  expect(applied(findings, accepted).findings).toEqual([]);

  await change("bot", { issuer: exact.issuer, subjectPattern: ".*" });
  const taken = of((await organization.drift([state])).findings, "bot-role");
  expect(taken).toMatchObject({ class: "changed", severity: "critical" });
  expect(taken?.fields).toContainEqual({ path: "identity.claimMatch.subjectPattern", actual: ".*" });
  expect(taken?.message).toMatch(
    /^The identity of role binding of acme\/sandbox\/bot as owner in acme logs in otherwise than when urn:\S+ first named it: .*subjectPattern is now "\.\*"/,
  );
  const named = accepted.replace("pattern: acme/sandbox/**", `object: ${uid("bot")}`);
  expect(lines(applied((await organization.drift([state])).findings, named).findings)).toEqual([
    "critical changed iam:RoleBinding acme",
  ]);
});

test("an identity that has access in the ignored group only stays hidden", async () => {
  const { findings } = await organization.drift([await bot("sandbox", "viewer")]);
  expect([paths(findings[0]), applied(findings)]).toEqual([
    ["acme/sandbox"],
    expect.objectContaining({ findings: [], notes: [] }),
  ]);
});

describe("access depends on", () => {
  test("an identity where bindings that no state has name it, above the group that is compared, too", async () => {
    const state = organization.without(await bot("acme", "viewer"), "bot-role");
    expect(paths(of((await organization.drift([state])).findings, "bot"))).toEqual(["acme"]);
    const inside = of((await organization.drift([state], "sandbox")).findings, "bot");
    expect(paths(inside)).toEqual(["acme"]);
    expect(inside?.message).toMatch(/Access depends on it in acme\.$/);
  });

  test("an identity and a role in other branches than the one that is compared", async () => {
    await organization.make("helper", "roles", "sandbox", { name: "helper", capabilities: ["CAP_REPO_LIST"] });
    const state = await bot("ops", "viewer");
    await organization.bind("helps", "web", "ci", "helper");
    const { findings } = await organization.drift([organization.without(state, "helper")], "sandbox");
    expect(paths(of(findings, "bot"))).toEqual(["acme/ops"]);
    expect(paths(of(findings, "helper"))).toEqual(["acme/engineering/web"]);
    expect(applied(findings).findings).toHaveLength(2);
  });

  test("an identity where it was bound, until somebody deleted it", async () => {
    await organization.make("bot", "identities", "sandbox", { name: "bot", claimMatch: exact });
    await organization.bind("bot-role", "ops", "bot", "viewer");
    const state = await organization.state();
    await organization.platform.delete("identities", uid("bot"));
    const { findings } = await organization.drift([state]);
    expect(of(findings, "bot")).toMatchObject({ class: "missing", reach: [{ uid: uid("ops"), path: "acme/ops" }] });
    expect(paths(of(findings, "bot-role"))).toEqual(["acme/ops"]);
  });

  test("an identity whose managed login has changed", async () => {
    await organization.make("bot", "identities", "sandbox", { name: "bot", claimMatch: exact });
    await organization.bind("bot-role", "ops", "bot", "viewer");
    const state = await organization.state();
    await change("bot", login("repo:evil/bot:ref:refs/heads/main"));
    const { findings } = await organization.drift([state]);
    expect(lines(findings)).toEqual(["medium changed iam:Identity acme/sandbox/bot"]);
    expect(lines(applied(findings).findings)).toEqual(lines(findings));
  });

  test("a role where it is given: by bindings, mappings, default roles and invites", async () => {
    await organization.make("helper", "roles", "sandbox", { name: "helper", capabilities: ["CAP_REPO_LIST"] });
    await organization.bind("helps", "sandbox", "ci", "helper");
    const state = organization.without(await organization.state(), "helper");
    expect(paths(of((await organization.drift([state])).findings, "helper"))).toEqual(["acme/sandbox"]);
    await organization.make("offer", "groupInvites", "ops", { roleUid: uid("helper"), ttl: "3600s", email: "x@example.com" });
    await organization.make("maps", "externalGroupRoleMappings", "sso", {
      externalGroupId: "h",
      roleUid: uid("helper"),
      scope: uid("web"),
    });
    const role = of((await organization.drift([state])).findings, "helper");
    expect(paths(role)?.sort()).toEqual(["acme/engineering/web", "acme/ops", "acme/sandbox"]);
  });

  test("an identity provider where its people and their groups get roles, and a mapping in its scope", async () => {
    const oidc = { issuer: "https://evil.example.com", clientId: "x" };
    await organization.make("idp", "identityProviders", "sandbox", { name: "idp", oidc, defaultRole: uid("viewer") });
    await organization.make("maps", "externalGroupRoleMappings", "idp", {
      externalGroupId: "h",
      roleUid: uid("viewer"),
      scope: uid("ops"),
    });
    const state = organization.without(await organization.state(), "idp", "maps");
    const { findings } = await organization.drift([state]);
    expect(paths(of(findings, "idp"))?.sort()).toEqual(["acme/ops", "acme/sandbox"]);
    expect(paths(of(findings, "maps"))).toEqual(["acme/ops"]);
    expect(applied(findings).findings).toHaveLength(2);
  });

  test("an account association where the identity has access as which its service acts", async () => {
    const state = await bot("ops", "viewer");
    await organization.make("services", "accountAssociations", "sandbox", {
      name: "services",
      chainguard: { serviceBindings: { INGESTER: uid("bot") } },
    });
    const found = (await organization.drift([state])).findings.find(({ kind }) => kind === "iam:AccountAssociation");
    expect(paths(found)?.sort()).toEqual(["acme/ops", "acme/sandbox"]);
  });

  test("an identity anywhere, where role bindings could not be read", async () => {
    const state = await bot("sandbox", "viewer");
    await organization.platform.fault(
      { path: "/roleBindings$", query: "descendants_of" },
      { status: 403, code: 7 },
      { times: 9 },
    );
    expect(paths(of((await organization.drift([state])).findings, "bot"))).toEqual(["acme"]);
  });
});

describe("the login of an identity that no state has, and a managed binding names:", () => {
  const pattern = { issuer: exact.issuer, subjectPattern: "^repo:acme/bot:.*$" };

  test.each<[string, object, object]>([
    ["another subject", exact, login("repo:evil/bot:ref:refs/heads/main")],
    ["another issuer", exact, { ...exact, issuer: "https://evil.example.com" }],
    ["a pattern", exact, pattern],
    ["an exact subject in place of a pattern", { ...pattern, issuer: undefined, issuerPattern: "https://a\\.example" }, exact],
  ])("%s is a change of the binding", async (_, before, after) => {
    const state = await bot("ops", "viewer", before);
    await change("bot", after);
    const { findings } = await organization.drift([state]);
    expect(of(findings, "bot-role")).toMatchObject({ class: "changed", kind: "iam:RoleBinding" });
  });

  test("a change that the answers about bindings do not show makes it one that only an entry by name hides", async () => {
    const state = await bot("sandbox", "viewer", pattern);
    const { findings } = await organization.drift([state]);
    expect(of(findings, "bot")).toMatchObject({ unwatched: true, message: expect.stringContaining("`Identity.get`") as string });
    expect(applied(findings).notes).toEqual([expect.stringMatching(/`object: /)]);
    const byName = sandbox.replace("pattern: acme/sandbox/**", `object: ${uid("bot")}`);
    expect(applied(findings, byName).findings).toEqual([]);
    await change("bot", { ...exact, claims: { ref: "x" } });
    expect(of((await organization.drift([state])).findings, "bot")).toMatchObject({ unwatched: true });
  });

  test("is not compared where a state has the identity, or reads it, and nothing is told of it as it was", async () => {
    const without = await bot("ops", "viewer");
    const state = await organization.state();
    expect((await organization.drift([without])).findings.map(({ uid: each }) => each)).toEqual([uid("bot")]);
    await change("bot", pattern);
    expect(lines((await organization.drift([state])).findings)).toEqual(["medium changed iam:Identity acme/sandbox/bot"]);
    const read = organization.edited(state, "bot", (resource) => (resource.external = true));
    expect(lines((await organization.drift([read])).findings)).toEqual(["medium changed iam:Identity acme/sandbox/bot"]);
  });

  test("a state of an earlier release does not have it: a note says so, and nothing else", async () => {
    const state = organization.edited(await bot("ops", "viewer"), "bot-role", ({ outputs }) => delete outputs["login"]);
    const { findings, notes } = await organization.drift([state]);
    expect(lines(findings)).toEqual(["low unmanaged iam:Identity acme/sandbox/bot"]);
    expect(notes).toContainEqual(expect.stringMatching(/does not have that yet: `pulumi up --refresh --run-program` adds it/));
  });

  test("a member of a GroupAccess is compared, too", async () => {
    const access = { viewer: { bot: "" } };
    await bot("ops", "viewer");
    access.viewer.bot = uid("bot");
    const { login: known } = JSON.parse(JSON.stringify(await stateOfBinding())) as { login: string };
    const outputs = {
      parentUid: uid("ops"),
      access,
      roleUids: { viewer: uid("viewer") },
      bindings: { viewer: { bot: uid("bot-role") } },
      logins: { viewer: { bot: known } },
    };
    const whole = organization.without(await organization.state(), "bot", "bot-role");
    const inputs = { parentUid: outputs.parentUid, access };
    const state = organization.withAccess(whole, outputs, inputs);
    expect(of((await organization.drift([state])).findings, "bot-role")).toBeUndefined();
    await change("bot", pattern);
    expect(of((await organization.drift([state])).findings, "bot-role")).toMatchObject({ class: "changed" });
  });

  test("a person's is none of it: the uid stands for one login", async () => {
    await organization.make("zoe", "identities", "", {
      name: "zoe",
      claimMatch: { issuer: "https://okta.example", subject: "zoe" },
    });
    await organization.bind("zoe-viewer", "ops", "zoe", "viewer");
    const state = await organization.state();
    await change("zoe", { issuer: "https://okta.example", subject: "other" });
    expect((await organization.drift([state])).findings).toEqual([]);
  });

  async function stateOfBinding(): Promise<unknown> {
    const { deployment } = JSON.parse(await organization.state()) as {
      deployment: { resources: { id: string; outputs: object }[] };
    };
    return deployment.resources.find(({ id }) => id === uid("bot-role"))?.outputs;
  }
});
