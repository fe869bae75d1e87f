import { fail, succeed } from "../succeed";
import { platform, project, useProject } from "../use-project";

useProject(program);

const secret = "the-client-secret-of-staff";
const oidc = { issuer: "https://login.example", clientId: "platform", groupsClaim: "groups" };
const text = (value: unknown) => JSON.stringify(value);

/** A group with its accounts, an identity provider, and a role for one of its groups. */
function program({ given = {}, role = "editor" }: { given?: object; role?: string } = {}): string {
  return `
    const team = new Group("team", { parentUid: root });
    const agent = new Identity("agent", { parentUid: team.uid, servicePrincipal: "SERVICE_PRINCIPAL_INGESTER" });
    const roleUid = (name) => platform.getRoleOutput({ name }).uid;
    const staff = new platform.IdentityProvider("staff", {
      parentUid: team.uid, description: "Staff", defaultRole: roleUid("viewer"), oidc: ${text({ ...oidc, clientSecret: secret, ...given })},
    });
    new platform.ExternalGroupRoleMapping("engineers", {
      identityProviderUid: staff.uid, externalGroupId: "engineers", roleUid: roleUid(${text(role)}), scope: root,
    });
    const accounts = new platform.AccountAssociation("accounts", {
      parentUid: team.uid, amazon: { account: "123456789012" }, chainguard: { serviceBindings: { ingester: agent.uid } },
    });
    exports.status = platform.checkAccountAssociationOutput({ uid: accounts.uid, providerType: "ACCOUNT_PROVIDER_TYPE_AMAZON" }).status;
    exports.isGroup = accounts.uid.apply((uid) => team.uid.apply((group) => uid === group));
    exports.scim = staff.scim.enabled;
  `;
}

/** What was written; a check of an account is a POST too. */
const writes = async () => (await platform.writes()).filter(({ path }) => !path.endsWith(":checkAccountAssociation"));
/** The objects in the group `team`: an emulator has others. */
const inTeam = async (collection: string, team: string) =>
  (await platform.objects(collection)).filter(({ uid }) => uid === team || uid.startsWith(`${team}/`));
const provider = async () => platform.named("identityProviders", "staff");
const secretNow = async () => ((await provider())["oidc"] as { clientSecret: string }).clientSecret;

test("up makes all of them, again changes nothing, every field that drifts is found and repaired, destroy leaves nothing", async () => {
  const { steps, output } = await succeed(project.up());
  expect(steps).toHaveLength(5);
  expect(output).not.toContain(secret);
  expect(await project.output("isGroup")).toBe(true);
  expect(await project.output("status")).toMatch(/^CHECK_STATUS_/);
  expect(await project.output("scim")).toBe(false);
  expect(await secretNow()).toBe(secret);
  expect((await succeed(project.up("--expect-no-changes"))).steps).toEqual([]);
  expect(await succeed(project.drift())).toMatchObject({ steps: [] });

  const team = (await platform.named("groups", "team")).uid;
  const { uid } = await provider();
  const owner = await platform.role("owner");
  const [mapping] = await inTeam("externalGroupRoleMappings", team);
  const by = {
    issuer: "https://evil.example",
    clientId: "other",
    groupsClaim: "x",
    additionalScopes: ["y"],
    pkceEnabled: true,
  };
  await platform.change("identityProviders", uid, { name: "other", description: "", defaultRole: owner, oidc: by });
  await platform.change("externalGroupRoleMappings", mapping?.uid ?? "", { roleUid: owner });
  const extra = { ingester: (await platform.named("identities", "agent")).uid, extra: platform.identity };
  await platform.change("accountAssociations", team, {
    chainguard: { serviceBindings: extra },
    amazon: { account: "210987654321" },
  });
  expect((await project.drift()).steps.join()).toMatch(
    /(?=.*update IdentityProvider staff)(?=.*update AccountAssociation accounts)/,
  );

  await succeed(project.up("--refresh", "--run-program"));
  expect(await provider()).toMatchObject({ uid, description: "Staff", defaultRole: await platform.role("viewer") });
  expect(await provider()).toMatchObject({ oidc: { ...oidc, clientSecret: secret, additionalScopes: [], pkceEnabled: false } });
  const mappings = await inTeam("externalGroupRoleMappings", team);
  expect(mappings).toMatchObject([{ roleUid: await platform.role("editor"), identityProviderUid: uid }]);
  const [association] = await inTeam("accountAssociations", team);
  expect(association).toMatchObject({ uid: team, amazon: { account: "123456789012" } });
  expect(Object.keys((association?.["chainguard"] as { serviceBindings: object }).serviceBindings)).toEqual(["ingester"]);
  expect(await succeed(project.drift())).toMatchObject({ steps: [] });

  await succeed(project.destroy("--run-program"));
  for (const collection of ["groups", "identityProviders", "externalGroupRoleMappings", "accountAssociations"])
    expect(await inTeam(collection, team)).toEqual([]);
});

test("a new version sends the same secret again; another role for an external group is a new mapping, made before the old one is deleted; without a secret the program is rejected, and nothing is sent", async () => {
  await succeed(project.up());
  await platform.change("identityProviders", (await provider()).uid, { oidc: { clientSecret: "by hand" } });
  await platform.clearRequests();
  await project.program(program({ given: { clientSecretVersion: "2" } }));
  expect((await succeed(project.up())).steps).toEqual(["update IdentityProvider staff"]);
  expect(await writes()).toMatchObject([{ method: "PATCH", query: "updateMask=oidc.client_secret" }]);
  expect(await secretNow()).toBe(secret);
  expect((await succeed(project.up("--expect-no-changes"))).steps).toEqual([]);
  await platform.clearRequests();
  await project.program(program({ given: { clientSecretVersion: "2" }, role: "viewer" }));
  await succeed(project.up());
  expect((await writes()).map(({ method }) => method).filter((method) => method !== "PATCH")).toEqual(["POST", "DELETE"]);
  await platform.clearRequests();
  await project.program(program({ given: { clientSecret: undefined }, role: "viewer" }));
  await fail(project.up(), "oidc.clientSecret", "[INVALID_INPUT]");
  expect(await writes()).toEqual([]);
});

test("a preview shows every change of oidc but the secret, which the state encrypts in inputs and outputs", async () => {
  await succeed(project.up());
  const encrypted = async () => {
    const state = (await project.decryptedResources()).find(({ type }) => type.endsWith(":IdentityProvider"));
    // What is encrypted is exported as an object with its `plaintext`.
    const hidden = { plaintext: expect.stringContaining(secret) as string };
    expect(state).toMatchObject({ inputs: { oidc: { clientSecret: hidden } }, outputs: { oidc: hidden } });
    expect(JSON.stringify(state).split(secret)).toHaveLength(3);
  };
  await encrypted();
  await project.program(program({ given: { issuer: "https://evil.example" } }));
  const { output } = await succeed(project.preview("--diff"));
  expect(output).toMatch(/issuer +: "https:\/\/login\.example" => "https:\/\/evil\.example"/);
  expect(output).not.toContain(secret);
  await succeed(project.up());
  await encrypted();
  await platform.change("identityProviders", (await provider()).uid, { oidc: { issuer: "https://hand.example" } });
  const drifted = await project.preview("--refresh", "--run-program", "--diff");
  expect(drifted.output).toMatch(/issuer +: "https:\/\/hand\.example" => "https:\/\/evil\.example"/);
  await succeed(project.refresh("--run-program"));
  await encrypted();
  await succeed(project.refresh());
  await encrypted();
});
