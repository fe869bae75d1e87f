import type { Inputs } from "../../provider/schema/kind";
import { check } from "../../provider/resources/object/check";
import { remove } from "../../provider/resources/object/delete";
import { diff } from "../../provider/resources/object/diff";
import { get } from "../../provider/resources/object/read";
import { accountAssociation, declare, expectFailure, group, ResourceFixture } from "../support/resource-fixture";

const fixture = ResourceFixture.forFile();

const kind = accountAssociation;

/** A group with an identity for the platform's service `ingester`, and an association with every block. */
async function made() {
  const parentUid = await fixture.parent();
  const agent = { name: "agent", servicePrincipal: "SERVICE_PRINCIPAL_INGESTER" };
  const identity = (await fixture.platform.create("identities", parentUid, agent)).uid;
  return fixture.made(kind, {
    parentUid,
    amazon: { account: "123456789012" },
    google: { projectId: "acme", projectNumber: "1234567890123456789" },
    azure: { tenantId: "tenant", clientIds: { agent: "client", scanner: "other" } },
    github: { appInstallations: { "12": { installations: [{ installationId: "34" }, { installationId: "56", name: "acme" }] } } },
    chainguard: { serviceBindings: { ingester: identity } },
  });
}

const masks = async () => (await fixture.platform.writes()).map(({ query }) => decodeURIComponent(query));

test("has the uid of its group, and every block comes back as declared", async () => {
  const accounts = await made();
  expect(accounts.uid).toBe(accounts.place);
  expect(accounts.outs).toMatchObject(accounts.inputs);
  expect((await accounts.refreshed()).outs).toEqual(accounts.outs);
  expect((await get(kind, accounts.uid, fixture.run())).inputs).toEqual(accounts.inputs);
});

test.each<[string, Inputs, string]>([
  ["the account", { amazon: { account: "210987654321" } }, "amazon"],
  ["a component more", { azure: { clientIds: { agent: "client", scanner: "other", extra: "x" } } }, "azure"],
  ["a component less", { azure: { clientIds: { agent: "client" } } }, "azure"],
  [
    "a service more, which other tools do not see",
    { chainguard: { serviceBindings: { ingester: "a/b", extra: "a/c" } } },
    "chainguard",
  ],
  ["a block that is not declared any more", { google: null }, "google"],
  ["an app more", { github: { appInstallations: { "12": { installations: [{ installationId: "34" }] }, "13": {} } } }, "github"],
  ["an installation less", { github: { appInstallations: { "12": { installations: [{ installationId: "34" }] } } } }, "github"],
  ["the declared name of an installation", renamed("acme-2"), "github"],
])("%s by hand is drift, and repaired as a whole by its own mask", async (_what, patch, mask) => {
  const accounts = await made();
  await accounts.byHand(patch);
  const seen = await accounts.refreshed();
  expect(seen.diff()).toMatchObject({ changes: true, replaces: [] });
  const after = await seen.update();
  expect(await masks()).toEqual([`updateMask=${mask}`]);
  expect(after).toMatchObject(accounts.inputs);
});

function renamed(name: string): Inputs {
  const installations = [{ installationId: "34" }, { installationId: "56", name }];
  return { github: { appInstallations: { "12": { installations } } } };
}

test("a block that was added by hand is drift, and cleared", async () => {
  const accounts = await fixture.made(kind);
  await accounts.byHand({ azure: { tenantId: "t", clientIds: { a: "b" } } });
  const seen = await accounts.refreshed();
  expect(seen.diff().changes).toBe(true);
  expect(await seen.update()).not.toHaveProperty("azure");
});

test("the name that the platform gives an installation is no difference where the program gives none", async () => {
  const accounts = await made();
  const installations = [
    { installationId: "34", name: "filled in" },
    { installationId: "56", name: "acme" },
  ];
  await accounts.byHand({ github: { appInstallations: { "12": { installations } } } });
  expect((await accounts.refreshed()).diff().changes).toBe(false);
});

test("a group has one: another is an error with the uid, and adopt takes it over", async () => {
  const inputs = await fixture.inputs(kind, await fixture.parent());
  const { uid } = await fixture.colleague(kind, inputs);
  await expectFailure(declare(kind, { ...inputs, name: "other" }, fixture.run()), "KEY_TAKEN");
  await expectFailure(
    declare(kind, { ...inputs, name: "other", adopt: true }, fixture.run()),
    "KEY_TAKEN",
    "differs from the declaration",
  );
  expect((await declare(kind, { ...inputs, adopt: true }, fixture.run())).id).toBe(uid);
});

test("a replacement that deletes it first, as by --replace, makes another one with the same uid", async () => {
  const { uid, inputs, outs } = await fixture.made(kind);
  const run = fixture.run();
  await remove(kind, uid, outs, run);
  expect((await declare(kind, inputs, run)).id).toBe(uid);
  expect(await fixture.stored(kind, uid)).toMatchObject({ name: inputs["name"] });
});

test("another group replaces it, the new one first", () => {
  const of = (parentUid: string) => ({ parentUid, name: "accounts" });
  expect(diff({ kind, uid: "a/b", olds: of("a/b"), news: of("a/c") }, fixture.run())).toEqual({
    changes: true,
    replaces: ["parentUid"],
    deleteBeforeReplace: false,
  });
});

test("deleting it leaves its group, and the group cannot be deleted before it, which the error names", async () => {
  const inputs = await fixture.inputs(kind, await fixture.parent());
  const { uid } = await fixture.colleague(kind, inputs);
  const name = { parentUid: fixture.platform.root, name: "x" };
  await expectFailure(
    remove(group, uid, name, fixture.run({ timing: { budgetMs: 1_500 } })),
    "FAILED_PRECONDITION",
    `blocked by account association "${String(inputs["name"])}" (${uid})`,
  );
  await remove(kind, uid, inputs, fixture.run());
  expect((await fixture.platform.objects("groups")).map((row) => row.uid)).toContain(uid);
  await remove(group, uid, name, fixture.run());
  expect((await fixture.platform.objects("groups")).map((row) => row.uid)).not.toContain(uid);
});

test.each([
  ["an account of 11 digits", { amazon: { account: "12345678901" } }, "amazon.account must be the 12 digits"],
  ["a project without its number", { google: { projectId: "acme" } }, "google.projectNumber is required"],
  [
    "a number that is not one",
    { google: { projectId: "a", projectNumber: "1e3" } },
    "google.projectNumber must be a number as text",
  ],
  ["a tenant without clients", { azure: { tenantId: "t" } }, "azure.clientIds"],
  [
    "an installation without its number",
    renamedWithout(),
    "github.appInstallations.12.installations.0.installationId is required",
  ],
  ["a service bound to no uid", { chainguard: { serviceBindings: { ingester: "a b" } } }, "chainguard.serviceBindings.ingester"],
  ["a block that does not exist", { amazn: {} }, 'did you mean "amazon"?'],
])("%s is rejected before anything is sent", (_what, given, reason) => {
  const { failures } = check({ kind, olds: {}, news: { parentUid: "a", name: "accounts", ...given } }, fixture.run());
  expect(failures.map((failure) => failure.reason).join("\n")).toContain(reason);
});

function renamedWithout() {
  return { github: { appInstallations: { "12": { installations: [{ name: "acme" }] } } } };
}
