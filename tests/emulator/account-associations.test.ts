import { invalidFields, refusal, useBench } from "./support";

const bench = useBench();

const path = "/iam/v2/accountAssociations";
const newGroup = () => bench.group(bench.name("group"));

test("one for each group, with the group's uid; its deletion leaves the group, and repeats", async () => {
  const group = await newGroup();
  const child = await bench.group("child", group);
  const created = await bench.ok("POST", `${path}/${group}`, { name: "accounts", amazon: { account: "123456789012" } });
  expect(created).toMatchObject({ uid: group, amazon: { account: "123456789012" }, google: null, github: null });
  expect(await bench.ok("GET", `${path}/${group}`)).toEqual(created);
  expect(await bench.api("POST", `${path}/${group}`, { name: "other" })).toMatchObject(refusal.exists);
  await bench.ok("DELETE", `${path}/${group}`);
  await bench.ok("DELETE", `${path}/${group}`);
  expect((await bench.api("GET", `${path}/${group}`)).status).toBe(404);
  for (const uid of [group, child]) await bench.ok("GET", `/iam/v2/groups/${uid}`);
});

test("scope filters read the uid, which is the group's; the order is by group", async () => {
  const parent = await newGroup();
  const groups = [parent, await bench.group("one", parent), await bench.group("two", parent)];
  for (const group of groups) await bench.ok("POST", `${path}/${group}`, { name: "scoped" });
  const list = (query: string) => bench.column("uid", `${path}?${query}`);
  const [first = "", ...children] = groups;
  expect(await list(`uidp.children_of=${parent}`)).toEqual(children.sort());
  expect(await list(`uidp.descendants_of=${parent}`)).toEqual(children.sort());
  expect(await list(`uidp.ids=${first}`)).toEqual([first]);
  expect(await list("uidp.in_root=true")).toEqual([bench.root]);
  const all = [first, ...children].sort();
  expect(await list("name=scoped")).toEqual(all);
  expect(await list("name=scoped&order_by=group%20desc")).toEqual(all.reverse());
});

test("blocks are changed one by one; null removes one", async () => {
  const group = await newGroup();
  const google = { projectId: "project", projectNumber: "12" };
  await bench.ok("POST", `${path}/${group}`, { name: "accounts", google, amazon: { account: "123456789012" } });
  const azure = { tenantId: "tenant", clientIds: { scanner: "client" } };
  const changed = await bench.ok("PATCH", `${path}/${group}`, { azure, google: { projectNumber: "13" }, amazon: null });
  expect(changed).toMatchObject({ azure, google: { projectId: "project", projectNumber: "13" }, amazon: null });
});

test("installation ids are 64-bit integers, answered as strings", async () => {
  const group = await newGroup();
  const appInstallations = { "9007199254740993": { installations: [{ installationId: 7 }] } };
  const created = await bench.ok("POST", `${path}/${group}`, { name: "accounts", github: { appInstallations } });
  expect(created["github"]).toEqual({
    appInstallations: { "9007199254740993": { installations: [{ installationId: "7", name: "" }] } },
  });
  for (const wrong of [{ app: { installations: [] } }, { "1": { installations: [{ installationId: "x" }] } }])
    expect(await bench.api("PATCH", `${path}/${group}`, { github: { appInstallations: wrong } })).toMatchObject({
      body: { code: 3 },
    });
});

test.each([
  ["no name", { name: "" }, "name"],
  ["an account that is not 12 digits", { amazon: { account: "1" } }, "amazon.account"],
  ["a project without its number", { google: { projectId: "p" } }, "google.project_number"],
  ["a tenant without clients", { azure: { tenantId: "t", clientIds: {} } }, "azure.client_ids"],
  [
    "an installation without its id",
    { github: { appInstallations: { "1": { installations: [{ name: "n" }] } } } },
    "github.app_installations.1.installations.installation_id",
  ],
  ["an empty block of services", { chainguard: {} }, "chainguard.service_bindings"],
  ["a service bound to nobody", { chainguard: { serviceBindings: { INGESTER: "x" } } }, "chainguard.service_bindings.INGESTER"],
])("%s is rejected", async (_what, more, field) => {
  expect(await bench.api("POST", `${path}/${await newGroup()}`, { name: "accounts", ...more })).toMatchObject(
    invalidFields(field),
  );
});

test("a service is bound to an identity in the same group that is its service principal", async () => {
  const group = await newGroup();
  const service = async (name: string, parent: string) =>
    (await bench.ok("POST", `/iam/v2/identities/${parent}`, { name, servicePrincipal: "SERVICE_PRINCIPAL_INGESTER" }))["uid"];
  const bind = (service: string, uid: unknown) =>
    bench.api("POST", `${path}/${group}`, { name: "accounts", chainguard: { serviceBindings: { [service]: uid } } });
  expect(await bind("INGESTER", await service("elsewhere", bench.root))).toMatchObject({ status: 400 });
  const own = await service("own", group);
  expect(await bind("COSIGNED", own)).toMatchObject({ status: 400 });
  expect(await bind("INGESTER", own)).toMatchObject({ status: 200 });
});

describe("the check", () => {
  const check = (group: string, providerType?: string) =>
    bench.api("POST", `${path}/${group}:checkAccountAssociation`, { providerType });

  test("says whether an account can be reached, as the setting has it", async () => {
    const group = await newGroup();
    await bench.ok("POST", `${path}/${group}`, { name: "accounts", amazon: { account: "123456789012" } });
    expect((await check(group, "ACCOUNT_PROVIDER_TYPE_AMAZON")).body).toEqual({
      status: "CHECK_STATUS_READY",
      reason: "",
      message: "",
    });
    expect((await check(group, "ACCOUNT_PROVIDER_TYPE_AZURE")).body).toMatchObject({ status: "CHECK_STATUS_NOT_READY" });
    await bench.settings({ accountChecks: "notReady" });
    const failed = await check(group, "ACCOUNT_PROVIDER_TYPE_AMAZON");
    expect(failed.body).toMatchObject({ status: "CHECK_STATUS_NOT_READY", reason: expect.stringMatching(/./) as unknown });
  });

  test.each([undefined, "ACCOUNT_PROVIDER_TYPE_UNSPECIFIED", "GOOGLE"])("needs a provider type: %s", async (type) => {
    expect(await check(bench.root, type)).toMatchObject(refusal.invalid);
  });

  test("of a group without an association is not found", async () => {
    expect(await check(await newGroup(), "ACCOUNT_PROVIDER_TYPE_AMAZON")).toMatchObject(refusal.notFound);
  });
});
