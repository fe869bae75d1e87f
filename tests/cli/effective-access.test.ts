import Ajv from "ajv";
import { documentSchemas } from "../../cli/documents";
import type { AccessDocument } from "../../cli/documents/access";
import { connect, readConfiguration } from "../../provider/credentials";
import { expectEnd, run } from "../support/cli";
import { TestPlatform } from "../support/test-platform";

const validate = new Ajv().compile(documentSchemas()["access"] as object);

const platform = TestPlatform.forFile();
let [acme, engineering, shop, ci] = ["", "", "", ""];

beforeAll(async () => {
  acme = (await platform.objects("groups")).find(({ uid }) => uid === platform.root)?.name ?? "";
  engineering = (await platform.create("groups", platform.root, { name: "engineering" })).uid;
  shop = (await platform.create("groups", engineering, { name: "shop" })).uid;
  const claimMatch = { issuer: "https://token.actions.githubusercontent.com", subject: "repo:acme/shop:ref:refs/heads/main" };
  ci = (await platform.create("identities", shop, { name: "ci", claimMatch })).uid;
  await platform.create("roleBindings", engineering, { identityUid: ci, roleUid: await platform.role("viewer") });
});

const access = (...args: string[]) => run(["access", ...args], platform.environment);
const textOf = async (...args: string[]) => expectEnd(await access(...args), 0, { stderr: [] }).stdout;

async function json(...args: string[]): Promise<AccessDocument> {
  const document = JSON.parse(await textOf(...args, "--json")) as AccessDocument;
  expect([validate(document), validate.errors]).toEqual([true, null]);
  return document;
}

test("an identity by path or uid: its roles where they are bound and in every group below, and how it logs in", async () => {
  const byPath = await textOf("--identity", `${acme}/engineering/shop/ci`);
  expect(byPath).toContain(`${acme}/engineering/shop/ci (${ci})\nlogs in: GitHub acme/shop, branch main\n`);
  expect(byPath).toContain(`viewer  ${acme}/engineering\n`);
  expect(byPath).toContain(`viewer  ${acme}/engineering/shop  (inherited from ${acme}/engineering)\n`);
  expect(await textOf("--identity", ci)).toBe(byPath);
});

describe("a person", () => {
  const okta = "https://okta.acme.example";
  const eva = { issuer: okta, subject: "eva" };
  let [early, late] = ["", ""];

  beforeAll(async () => {
    early = await connect(readConfiguration(undefined, platform.environment)).lookUpIdentity(okta, "eva");
    late = (
      await platform.create("identities", "", { name: "zoe", claimMatch: { ...eva, subject: "zoe" }, email: "zoe@acme.example" })
    ).uid;
    const roleUid = await platform.role("viewer");
    for (const identityUid of [early, late]) await platform.create("roleBindings", shop, { identityUid, roleUid });
  });

  test("is known by the login before signing up, in the tree, for a group and for themselves", async () => {
    expect(await textOf()).toContain("viewer → eva (okta.acme.example)\n");
    expect(await textOf("--group", shop)).toMatch(/^viewer +eva \(okta\.acme\.example\)$/m);
    const own = await textOf("--identity", early);
    expect(own).toContain(`eva (okta.acme.example) (${early})\n`);
    expect(own).toContain(`viewer  ${acme}/engineering/shop\n`);
    expect((await json("--group", shop)).unreadable).toEqual([]);
  });

  test("is found by issuer and subject, and by the verified address", async () => {
    expect(await textOf("--identity", `${okta} eva`)).toBe(await textOf("--identity", early));
    expect(await textOf("--identity", "Zoe@acme.example")).toContain(`zoe@acme.example (zoe at okta.acme.example) (${late})\n`);
  });

  test.each(["zoe@acme.example", `${okta} eva`])(
    "without an organisation, %s means nobody, and the error says what to set",
    async (named) => {
      const { PLATFORM_ORGANIZATION: _, ...environment } = platform.environment;
      expectEnd(await run(["access", "--identity", named], environment), 1, {
        stdout: [],
        stderr: "Set PLATFORM_ORGANIZATION, or pass a uid",
      });
    },
  );

  test("is listed with the login where several have one verified address", async () => {
    const other = { issuer: "https://login.acme.example", subject: "1042" };
    const { uid } = await platform.create("identities", "", { name: "x", claimMatch: other, email: "zoe@acme.example" });
    const bound = await platform.create("roleBindings", shop, { identityUid: uid, roleUid: await platform.role("viewer") });
    const { stderr } = expectEnd(await access("--identity", "zoe@acme.example"), 1, { stdout: [] });
    await platform.delete("roleBindings", bound.uid);
    for (const [who, each] of [["zoe at okta.acme.example", late] as const, ["1042 at login.acme.example", uid] as const])
      expect(stderr).toContain(`zoe@acme.example (${who}) (${each})`);
  });

  test("who has no role is called by what was typed, and by the uid that it means", async () => {
    const nobody = await connect(readConfiguration(undefined, platform.environment)).lookUpIdentity(okta, "nobody");
    const { stderr } = expectEnd(await access("--identity", `${okta} nobody`), 1, { stdout: [] });
    expect(stderr).toContain(`Read identity "${okta} nobody" (${nobody}): no role binding`);
  });

  test("whom nothing shows is not found, and the error names the other way", async () => {
    const { stderr } = expectEnd(await access("--identity", "bob@acme.example"), 1);
    expect(stderr).toMatch(/NOT_FOUND|--identity "https:/);
  });
});

test("a group: every role that holds in it; --why says through what, what it allows and who logs in", async () => {
  const text = await textOf("--group", `${acme}/engineering/shop`, "--why");
  expect(text).toMatch(new RegExp(`viewer +${acme}/engineering/shop/ci +\\(inherited from ${acme}/engineering\\)`));
  expect(text).toMatch(new RegExp(`through: role binding ${engineering}/\\w+, in ${acme}/engineering\n +allows: read`));
  expect(text).toContain("logs in: GitHub acme/shop, branch main");
  expect(text).toMatch(/owner .*\(inherited from/);
});

test("the document of an identity and of a group has where each role is inherited from", async () => {
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
  expect(await json("--root", `${acme}/engineering/shop`)).toEqual(below);
  expect(await json("--organization", shop)).toEqual(below);
});

test("every format has the same grants, those made above too; an invite that has expired gives nothing", async () => {
  const [viewer, oidc] = [await platform.role("viewer"), { issuer: "https://sso.example.com", clientId: "c", pkceEnabled: true }];
  const sales = await platform.create("groups", platform.root, { name: "sales" });
  const sso = await platform.create("identityProviders", platform.root, { name: "sso", oidc, defaultRole: viewer });
  const other = await platform.create("identityProviders", sales.uid, { name: "other", oidc, defaultRole: viewer });
  const mapping = { externalGroupId: "staff", roleUid: viewer, scope: platform.root };
  await platform.create("externalGroupRoleMappings", other.uid, mapping);
  await platform.create("groupInvites", engineering, { roleUid: viewer, ttl: "3600s", email: "zoe@acme.example" });
  const expired = await platform.create("groupInvites", engineering, { roleUid: viewer, ttl: "3600s" });
  await platform.change("groupInvites", expired.uid, { expirationTime: "2020-01-01T00:00:00Z" });
  await platform.create("accountAssociations", engineering, { name: "aws", amazon: { account: "3".repeat(12) } });

  const [tree, text] = [await textOf("--root", shop), await textOf("--group", shop, "--why")];
  const [below, ofGroup] = [await json("--root", shop), await json("--group", shop)];
  for (const [role, who, from] of [
    ["viewer", `whoever signs in at ${acme}/sso for the first time`, acme],
    ["viewer", `members of "staff" at ${acme}/sales/other`, acme],
    ["viewer", '"zoe@acme.example", by an invite', `${acme}/engineering`],
    ["account association", "AWS account 333333333333", `${acme}/engineering`],
  ] as const) {
    expect(tree).toContain(`${role} → ${who}  (from ${from}/)`);
    expect(text).toMatch(new RegExp(`^${role} +${who}  \\(inherited from ${from}\\)$`, "m"));
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

test.each([
  ["an identity, with what may be meant", () => ["--identity", `${acme}/engineering/shop/cj`, "--json"], 'Did you mean "ci"?'],
  ["the uid of a group", () => ["--group", `${shop}/0000000000000000`], "[NOT_FOUND]"],
  // Lists were sent to look for it.
  ["the path of a group", () => ["--group", "nope"], /^--group "nope": (?![^]*Nothing was changed).* \[NOT_FOUND\]\n/],
])("what does not exist is an error, and nothing is printed as a result: %s", async (_, args, stderr) => {
  expectEnd(await access(...args()), 1, { stdout: [], stderr });
});

test("credentials that cannot see everything: what is hidden is listed in every form, never silence", async () => {
  await platform.fault({ method: "GET", path: "externalGroupRoleMappings" }, { status: 403, code: 7 }, { times: 0 });
  const { unreadable } = await json("--group", shop);
  const texts = [await textOf("--group", shop), await textOf()];
  await platform.clearFaults();
  expect(unreadable.map(({ what }) => what).join()).toContain("externalGroupRoleMappings in");
  for (const text of texts)
    expect(text).toMatch(/\n\nNot shown:\n- externalGroupRoleMappings in acme\.example.*: .*PERMISSION_DENIED/);
});

describe("a List that fails is in the exit code, because roles or logins may be missing", () => {
  const modes: [string, () => string[]][] = [
    ["a group", () => ["--group", shop]],
    ["an identity", () => ["--identity", ci]],
    ["the tree", () => []],
    ["a document", () => ["--group", shop, "--json"]],
  ];
  const lost = ["roleBindings", "identities"];
  const answers = [
    { status: 414, code: 3 },
    { status: 404, code: 5 },
  ];
  const cases = modes
    .flatMap(([mode, args]) => lost.flatMap((path) => answers.map((answer) => [mode, path, answer, args] as const)))
    // An identity that cannot be read at all is an error.
    .filter(([mode, path]) => mode !== "an identity" || path !== "identities");

  test.each(cases)("%s, %s, %j", async (mode, path, answer, args) => {
    await platform.fault({ method: "GET", path }, answer, { times: 0 });
    const { code, stdout, stderr } = await access(...args());
    await platform.clearFaults();
    expect(code).toBe(1);
    expect(stderr).toContain("may be missing");
    expect(stdout).toMatch(mode === "a document" ? /"unreadable": ?\[\s*\{/ : /\nNot shown:\n- /);
  });
});
