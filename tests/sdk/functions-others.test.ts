import * as pulumi from "@pulumi/pulumi";
import { redact } from "../../provider/client/redact";
import { claimsOf } from "../../provider/credentials/jwt";
import {
  checkAccountAssociation,
  getCaller,
  getEffectiveAccess,
  getPerson,
  getPersonOutput,
  getRegistryCredentials,
  getRegistryCredentialsOutput,
  getRepoReadme,
} from "../../sdk";
import { parametersOf, runErrorOf, settled, usePlatform } from "./support";

const { platform, configure } = usePlatform();
const absent = () => `${platform.root}/0123456789abcdef`;
const zoe = { issuer: "https://issuer.example", subject: "zoe & co/#1" };
const providerType = "ACCOUNT_PROVIDER_TYPE_AMAZON";
const registry = "registry.example.com:5000";

beforeEach(async () => {
  configure();
  await platform.clearRequests();
});

describe("wrong arguments are rejected before anything is sent:", () => {
  test.each<[(args: never) => Promise<unknown>, unknown, ...string[]]>([
    [getPerson, undefined, "which person?", "{ issuer, subject }"],
    [getPerson, { issuer: zoe.issuer }, "subject is required."],
    [getPerson, { ...zoe, subject: "" }, "subject must not be empty."],
    [getPerson, { ...zoe, issuer: "issuer.example" }, "issuer must be an https URL"],
    [getPerson, { ...zoe, subjct: "x" }, 'did you mean "subject"?'],
    [getCaller, { group: "not a uid" }, "group"],
    [getRepoReadme, undefined, "which repo?", "uid"],
    [getRepoReadme, { uid: "" }, "uid"],
    [getRepoReadme, { uid: "a/b", content: "# Mine" }, "content"],
    [checkAccountAssociation, { uid: "a" }, "providerType"],
    [getRegistryCredentials, {}, "which registry"],
    [getRegistryCredentials, { registry: "https://registry.example.com" }, "must be the host"],
    [getRegistryCredentials, { registry: "registry.example.com/repo" }, "must be the host"],
    [getRegistryCredentials, { registry: "" }, "must not be empty"],
    [getRegistryCredentials, { registry, identity: "not a uid" }, "is not a uid"],
    [getRegistryCredentials, { registry, user: "x" }, "is not an argument"],
    [getEffectiveAccess, {}, "{ group } or { identity }"],
    [getEffectiveAccess, { group: "a", identity: "b" }, "identity must be omitted"],
    [getEffectiveAccess, { grop: "a" }, 'did you mean "group"?'],
  ])("%p %j", async (call, args, ...parts) => {
    const message = await runErrorOf(call(args as never));
    for (const part of parts) expect(message).toContain(part);
    expect(await platform.requests()).toEqual([]);
  });
});

describe("getPerson", () => {
  test("gives a person who never logged in the uid that the platform binds, by one GET", async () => {
    const { uid } = await getPerson(zoe);
    const [request] = await platform.requests();
    expect(request).toMatchObject({ method: "GET", path: "/iam/v2beta1/identities:lookupIdentity" });
    expect(parametersOf(request?.query ?? "")).toEqual(zoe);
    expect(uid).not.toContain("/");
    expect(await getPerson(zoe)).toEqual({ uid });
    expect((await getPerson({ ...zoe, subject: "yan" })).uid).not.toBe(uid);
    const binding = { identityUid: uid, roleUid: await platform.role("viewer") };
    expect(await platform.create("roleBindings", platform.root, binding)).toMatchObject({ identity: { uid } });
  });

  test("waits for its arguments in the Output form", async () => {
    const found = getPersonOutput({ ...zoe, subject: pulumi.output(zoe.subject) });
    expect((await settled(found)).value).toEqual(await getPerson(zoe));
  });
});

describe("getCaller", () => {
  const named = (name: string, parent: string) => platform.create("groups", parent, { name });

  test("is the identity of the credentials, with what its roles allow in a group and above", async () => {
    const [team, other] = [await named("team", platform.root), await named("other", platform.root)];
    const inside = await named("inside", team.uid);
    const claimMatch = { issuer: "https://ci.example", subject: "ci" };
    const { uid } = await platform.create("identities", other.uid, { name: "ci", claimMatch });
    const bind = async (place: string, role: string) => {
      await platform.create("roleBindings", place, { identityUid: uid, roleUid: await platform.role(role) });
    };
    await bind(platform.root, "viewer");
    await bind(team.uid, "editor");
    process.env["PLATFORM_TOKEN"] = await platform.apiToken({ identity: uid });
    delete process.env["PLATFORM_OIDC_TOKEN_FILE"];
    const capabilitiesOf = async (name: string) => (await platform.named("roles", name))["capabilities"] as string[];
    const viewer = [...(await capabilitiesOf("viewer"))].sort();
    const both = [...new Set([...viewer, ...(await capabilitiesOf("editor"))])].sort();
    const found = async (group?: string) => (await getCaller({ group })).capabilities;
    expect(await found()).toEqual(viewer);
    expect(await found(other.uid)).toEqual(viewer);
    expect(await found(inside.uid)).toEqual(both);
    expect(await getCaller()).toMatchObject({ uid });
  });

  test("has its path, if these credentials can read all names", async () => {
    const own = await platform.named("identities", "organization-admin");
    expect(await getCaller()).toMatchObject({ uid: platform.identity, path: `acme.example/${own.name}` });
  });
});

describe("getRepoReadme", () => {
  const uidOf = async (name: string) => (await platform.named("repos", name)).uid;

  test("reads the README by one GET, which is empty where there is none", async () => {
    const [written, none] = [await uidOf("web-server"), await uidOf("shell")];
    const content = expect.stringMatching(/^# web-server\n/) as string;
    expect(await getRepoReadme({ uid: written })).toEqual({ uid: written, content });
    expect(await getRepoReadme({ uid: none })).toEqual({ uid: none, content: "" });
    const paths = [written, none].map((uid) => ["GET", `/registry/v2beta1/repos/${uid}/readme`]);
    expect((await platform.requests()).map(({ method, path }) => [method, path])).toEqual(paths);
  });

  test("of a repo that does not exist is an error that names it", async () => {
    expect(await runErrorOf(getRepoReadme({ uid: absent() }))).toContain(absent());
  });

  test("does not take an answer about another repo, and passes on members that are newer than the package", async () => {
    const uid = await uidOf("web-server");
    await platform.fault({ path: "/readme$" }, { rewrite: { uid: await uidOf("shell") } });
    expect(await runErrorOf(getRepoReadme({ uid }))).toContain("the platform returned");
    await platform.fault({ path: "/readme$" }, { rewrite: { length: 12 } });
    expect(await getRepoReadme({ uid })).toMatchObject({ uid, length: 12 });
  });
});

describe("checkAccountAssociation", () => {
  const groupNamed = async (name: string) => (await platform.create("groups", platform.root, { name })).uid;

  test("is one call, and ready or not is a result", async () => {
    const uid = await groupNamed("linked");
    await platform.create("accountAssociations", uid, { name: "accounts", amazon: { account: "123456789012" } });
    await platform.settings({ accountChecks: "ready" });
    expect(await checkAccountAssociation({ uid, providerType })).toMatchObject({ status: "CHECK_STATUS_READY", reason: "" });
    expect(await platform.requests()).toHaveLength(1);
    const missing = await checkAccountAssociation({ uid, providerType: "ACCOUNT_PROVIDER_TYPE_AZURE" });
    expect(missing).toMatchObject({ status: "CHECK_STATUS_NOT_READY", reason: "NOT_CONFIGURED" });
    expect(missing.message).not.toBe("");
  });

  test("of a group without an association is an error that names it", async () => {
    const uid = await groupNamed("bare");
    expect(await runErrorOf(checkAccountAssociation({ uid, providerType }))).toContain(`account association of group ${uid}`);
  });
});

describe("getRegistryCredentials", () => {
  test("gives a token of the identity for the registry as the password, which the API rejects", async () => {
    const found = await getRegistryCredentials({ registry });
    expect(found).toMatchObject({ registry, username: "_token" });
    expect(claimsOf(found.password)).toMatchObject({ aud: [registry], sub: platform.identity });
    expect(Date.parse(found.expiry)).toBe(Number(claimsOf(found.password)?.exp) * 1000);
    const headers = { authorization: `Bearer ${found.password}` };
    expect((await fetch(`${platform.baseUrl}/iam/v2beta1/groups`, { headers })).status).toBe(401);
  });

  test("takes another identity and user name", async () => {
    const own = (await platform.objects("identities")).find(({ uid }) => uid === platform.identity);
    const { uid } = await platform.create("identities", platform.root, { name: "puller", claimMatch: own?.["claimMatch"] });
    const found = await getRegistryCredentials({ registry, identity: uid, username: "puller" });
    expect(found.username).toBe("puller");
    expect(claimsOf(found.password)).toMatchObject({ sub: uid });
  });

  test("is secret in the Output form, and no message shows a token", async () => {
    const { value, isSecret } = await settled(getRegistryCredentialsOutput({ registry }));
    expect(isSecret).toBe(true);
    const password = value?.password ?? "";
    expect(claimsOf(password)).toMatchObject({ aud: [registry] });
    expect(redact(`it was ${password}`)).not.toContain(password);
  });

  test("exchanges no API token: the error names what to set, and nothing is sent", async () => {
    const token = await platform.apiToken();
    delete process.env["PLATFORM_OIDC_TOKEN_FILE"];
    process.env["PLATFORM_TOKEN"] = token;
    const message = await runErrorOf(getRegistryCredentials({ registry }));
    for (const part of ["PLATFORM_TOKEN", "cannot be exchanged", "PLATFORM_OIDC_TOKEN_FILE"]) expect(message).toContain(part);
    expect(message).not.toContain(token);
    expect(await platform.requests()).toEqual([]);
  });

  test("of an identity that the token may not assume is an error", async () => {
    const message = await runErrorOf(getRegistryCredentials({ registry, identity: absent() }));
    for (const part of ["does not exist", registry]) expect(message).toContain(part);
  });
});
