import Ajv from "ajv";
import { documentSchemas } from "../../cli/documents";
import type { AccessDocument } from "../../cli/documents/access";
import { run as runCommand } from "../support/cli";
import { TestPlatform } from "../support/test-platform";

const validate = new Ajv().compile(documentSchemas()["access"] as object);

let platform: TestPlatform;
let [engineering, shop, ci] = ["", "", ""];

beforeAll(async () => {
  platform = await TestPlatform.start();
  engineering = (await platform.create("groups", platform.root, { name: "engineering" })).uid;
  shop = (await platform.create("groups", engineering, { name: "shop" })).uid;
  const claimMatch = { issuer: "https://token.actions.githubusercontent.com", subject: "repo:acme/shop:ref:refs/heads/main" };
  ci = (await platform.create("identities", shop, { name: "ci", claimMatch })).uid;
  const viewer = await platform.role("viewer");
  await platform.create("roleBindings", engineering, { identityUid: ci, roleUid: viewer });
});
afterAll(() => platform.close());

const run = (...args: string[]) => runCommand(["access", ...args], { ...platform.environment, NO_COLOR: "1" });

async function json(...args: string[]): Promise<AccessDocument> {
  const { code, stdout, stderr } = await run(...args, "--json");
  expect([code, stderr]).toEqual([0, ""]);
  const document = JSON.parse(stdout) as AccessDocument;
  expect([validate(document), validate.errors]).toEqual([true, null]);
  return document;
}

const root = async () => (await platform.objects("groups")).find(({ uid }) => uid === platform.root)?.name ?? "";

test("an identity by path or uid: its roles where they are bound and in every group below, and how it logs in", async () => {
  const acme = await root();
  const byPath = await run("--identity", `${acme}/engineering/shop/ci`);
  expect(byPath).toMatchObject({ code: 0, stderr: "" });
  expect(byPath.stdout).toContain(`${acme}/engineering/shop/ci (${ci})\nlogs in: GitHub acme/shop, branch main\n`);
  expect(byPath.stdout).toContain(`viewer  ${acme}/engineering\n`);
  expect(byPath.stdout).toContain(`viewer  ${acme}/engineering/shop  (inherited from ${acme}/engineering)\n`);
  expect((await run("--identity", ci)).stdout).toBe(byPath.stdout);
});

test("a group: every role that holds in it; --why says through what, what it allows and who logs in", async () => {
  const acme = await root();
  const { stdout } = await run("--group", `${acme}/engineering/shop`, "--why");
  expect(stdout).toMatch(new RegExp(`viewer +${acme}/engineering/shop/ci +\\(inherited from ${acme}/engineering\\)`));
  expect(stdout).toMatch(new RegExp(`through: role binding ${engineering}/\\w+, in ${acme}/engineering\n +allows: read`));
  expect(stdout).toContain("logs in: GitHub acme/shop, branch main");
  expect(stdout).toMatch(/owner .*\(inherited from/);
});

test("the document of an identity and of a group is that of the schema, with where each role is inherited from", async () => {
  const [ofIdentity, ofGroup] = [await json("--identity", ci), await json("--group", shop)];
  expect(ofIdentity.grants.map(({ at, inheritedFrom }) => [at.uid, inheritedFrom?.uid])).toEqual([
    [engineering, undefined],
    [shop, engineering],
  ]);
  expect(ofGroup.grants.find(({ identity }) => identity.uid === ci)).toMatchObject({
    role: { name: "viewer" },
    at: { uid: shop },
    inheritedFrom: { uid: engineering },
    through: { kind: "roleBinding" },
  });
});

test("the document of an organisation has every grant where it is made, and for a group below those made above", async () => {
  const whole = await json();
  const granting = ["roleBindings", "externalGroupRoleMappings", "identityProviders", "groupInvites", "accountAssociations"];
  const granted = (await Promise.all(granting.map((kind) => platform.objects(kind)))).flat();
  expect(new Set(whole.grants.map(({ through }) => through.uid))).toEqual(new Set(granted.map(({ uid }) => uid)));
  const below = await json("--root", shop);
  expect(below.grants.map(({ inheritedFrom }) => inheritedFrom?.uid)).toContain(engineering);
  expect(await json("--root", `${await root()}/engineering/shop`)).toEqual(below);
  expect(await json("--organization", shop)).toEqual(below);
});

test("every format has the same grants, those made above too; an invite that has expired gives nothing", async () => {
  const acme = await root();
  const [viewer, oidc] = [await platform.role("viewer"), { issuer: "https://sso.example.com", clientId: "c", pkceEnabled: true }];
  const sales = await platform.create("groups", platform.root, { name: "sales" });
  const sso = await platform.create("identityProviders", platform.root, { name: "sso", oidc, defaultRole: viewer });
  const other = await platform.create("identityProviders", sales.uid, { name: "other", oidc, defaultRole: viewer });
  await platform.create("externalGroupRoleMappings", other.uid, {
    externalGroupId: "staff",
    roleUid: viewer,
    scope: platform.root,
  });
  await platform.create("groupInvites", engineering, { roleUid: viewer, ttl: "3600s", email: "zoe@acme.example" });
  const expired = await platform.create("groupInvites", engineering, { roleUid: viewer, ttl: "3600s" });
  await platform.change("groupInvites", expired.uid, { expirationTime: "2020-01-01T00:00:00Z" });
  await platform.create("accountAssociations", engineering, { name: "aws", amazon: { account: "3".repeat(12) } });
  const lines = [
    `viewer → whoever signs in at ${acme}/sso for the first time  (from ${acme}/)`,
    `viewer → members of "staff" at ${acme}/sales/other  (from ${acme}/)`,
    `viewer → "zoe@acme.example", by an invite  (from ${acme}/engineering/)`,
    `account association → AWS account 333333333333  (from ${acme}/engineering/)`,
  ];
  const [tree, below, ofGroup, text] = [
    (await run("--root", shop)).stdout,
    await json("--root", shop),
    await json("--group", shop),
    (await run("--group", shop, "--why")).stdout,
  ];
  for (const line of lines) {
    expect(tree).toContain(line);
    const [role = "", who = "", from = ""] = line.split(/ → | {2}\(from /);
    expect(text).toMatch(new RegExp(`^${role} +${who}  \\(inherited from ${from.slice(0, -2)}\\)$`, "m"));
  }
  for (const shown of [tree, text, JSON.stringify(below)]) expect(shown).not.toContain(expired.uid);
  expect(below.grants).toEqual(ofGroup.grants);
  expect(tree.split("\n").filter((line) => line.includes(" → ")).length).toBe(below.grants.length);
  expect(below.unreadable).toEqual([]);
  expect(ofGroup.grants.find(({ through }) => through.uid === sso.uid)?.identity).toEqual({
    identityProviderUid: sso.uid,
    identityProviderPath: `${acme}/sso`,
    login: { oidc: expect.objectContaining(oidc) as unknown },
  });
});

test("what does not exist is an error that says what was meant; nothing is printed as a result", async () => {
  const acme = await root();
  const wrong = await run("--identity", `${acme}/engineering/shop/cj`, "--json");
  expect(wrong).toMatchObject({ code: 1, stdout: "" });
  expect(wrong.stderr).toContain('Did you mean "ci"?');
  expect(await run("--group", `${shop}/0000000000000000`)).toMatchObject({ code: 1, stdout: "" });
  // Lists were sent to look for it.
  expect((await run("--group", "nope")).stderr).toMatch(
    /^--group "nope": no root organisation .* Nothing was changed\. \[NOT_FOUND\]\n$/,
  );
});

test.each([
  [["--identity", "a/b", "--group", "a"], "Pass only one of --identity and --group."],
  [["--why"], "--why needs --identity or --group."],
])("%j is a wrong command line", async (args, expected) => {
  const { code, stderr } = await run(...args);
  expect([code, stderr]).toEqual([2, expect.stringContaining(expected)]);
});

test("credentials that cannot see everything: what is hidden is listed, never silence", async () => {
  await platform.fault({ method: "GET", path: "externalGroupRoleMappings" }, { status: 403 }, { times: 2 });
  const { unreadable } = await json("--group", shop);
  const { stdout } = await run("--group", shop);
  await platform.clearFaults();
  expect(unreadable.map(({ what }) => what).join()).toContain("externalGroupRoleMappings in");
  expect(stdout).toContain("Not shown:\n- externalGroupRoleMappings in");
});

test("the tree names each kind that it could not read", async () => {
  await platform.fault({ method: "GET", path: "/groupInvites$" }, { status: 403, code: 7 }, { times: 0 });
  const { code, stdout } = await run();
  await platform.clearFaults();
  expect(code).toBe(0);
  expect(stdout).toContain(`${await root()}/\n`);
  expect(stdout).toMatch(/\n\nNot shown:\n- groupInvites in acme\.example: .*PERMISSION_DENIED/);
});
