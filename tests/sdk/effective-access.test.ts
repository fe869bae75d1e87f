import { getEffectiveAccess, getEffectiveAccessOutput } from "../../sdk";
import { runErrorOf, settled, usePlatform } from "./support";

const { platform, configure } = usePlatform();

let team: string;
let shop: string;
let ci: string;
let bot: string;
let viewer: string;
let owner: string;
const claimMatch = { issuer: "https://issuer.example.com", subject: "repo:acme/shop" };

beforeAll(async () => {
  const make = async (kind: string, parent: string, fields: object) => (await platform.create(kind, parent, fields)).uid;
  [viewer, owner] = [await platform.role("viewer"), await platform.role("owner")];
  team = await make("groups", platform.root, { name: "team" });
  shop = await make("groups", team, { name: "shop" });
  ci = await make("identities", team, { name: "ci", claimMatch });
  bot = await make("identities", shop, { name: "bot", claimMatch: { ...claimMatch, subject: "bot" } });
  await make("roleBindings", team, { identityUid: ci, roleUid: viewer });
  await make("roleBindings", shop, { identityUid: bot, roleUid: owner });
});

beforeEach(async () => {
  await platform.clearFaults();
  await platform.settings({ denials: "byOrganization" });
  configure();
  await platform.clearRequests();
});

const ofIdentity = async (uid: string) => {
  const { grants, unreadable } = await getEffectiveAccess({ identity: uid });
  return { grants: grants.map(({ role, at, inheritedFrom }) => [role.name, at.uid, inheritedFrom?.uid]), unreadable };
};

let readers = 0;
/** Reads as an identity that has `role` in `group` only. */
async function as(role: string, group: string): Promise<void> {
  const name = `reader-${++readers}`;
  const { uid } = await platform.create("identities", platform.root, { name, claimMatch });
  await platform.create("roleBindings", group, { identityUid: uid, roleUid: await platform.role(role) });
  delete process.env["PLATFORM_OIDC_TOKEN_FILE"];
  delete process.env["PLATFORM_IDENTITY"];
  process.env["PLATFORM_TOKEN"] = await platform.apiToken({ identity: uid });
}

const missing = (unreadable: readonly { what: string }[]) => unreadable.map(({ what }) => what);

test("of a group: who has which role there, granted there or above, with what grants it", async () => {
  const { grants, unreadable } = await getEffectiveAccess({ group: shop });
  const own = grants.filter(({ identity }) => [ci, bot].includes(identity.uid ?? ""));
  const name = (await platform.objects("groups")).find(({ uid }) => uid === platform.root)?.name ?? "";
  const bindings = await platform.objects("roleBindings");
  const through = (who: string) => ({
    kind: "roleBinding",
    uid: bindings.find((row) => (row["identity"] as { uid: string }).uid === who)?.uid,
  });
  expect(own).toEqual([
    {
      identity: { uid: ci, path: `${name}/team/ci`, login: { claimMatch: expect.objectContaining(claimMatch) as unknown } },
      role: { uid: viewer, name: "viewer", capabilities: expect.arrayContaining(["CAP_IAM_GROUPS_LIST"]) as unknown },
      at: { uid: shop, path: `${name}/team/shop` },
      inheritedFrom: { uid: team, path: `${name}/team` },
      through: through(ci),
    },
    expect.objectContaining({ identity: expect.objectContaining({ uid: bot }) as unknown, through: through(bot) }),
  ]);
  expect(own[1]).not.toHaveProperty("inheritedFrom");
  expect(unreadable).toEqual([]);
});

test("of an identity: every group in which its roles hold", async () => {
  expect(await ofIdentity(ci)).toEqual({
    grants: [
      ["viewer", team, undefined],
      ["viewer", shop, team],
    ],
    unreadable: [],
  });
  expect((await ofIdentity(bot)).grants).toEqual([["owner", shop, undefined]]);
});

test("only Lists are read", async () => {
  await getEffectiveAccess({ group: shop });
  await getEffectiveAccess({ identity: ci });
  const requests = await platform.requests();
  expect(requests).not.toEqual([]);
  for (const { method, path } of requests)
    expect([method, path]).toEqual(["GET", expect.stringMatching(/^\/iam\/v2beta1\/\w+$/)]);
});

test("a mapping of an external group is a grant, and what a person has by one is not known", async () => {
  const provider = await platform.create("identityProviders", platform.root, {
    name: "sso",
    oidc: { issuer: "https://sso.example.com", clientId: "c", clientSecret: "s3cret-of-the-client" },
    defaultRole: viewer,
  });
  const mapping = await platform.create("externalGroupRoleMappings", provider.uid, {
    externalGroupId: "admins",
    roleUid: owner,
    scope: platform.root,
  });
  const { grants } = await getEffectiveAccess({ group: shop });
  expect(grants.filter(({ through }) => through.uid === mapping.uid)).toEqual([
    expect.objectContaining({
      identity: expect.objectContaining({ externalGroupId: "admins", identityProviderUid: provider.uid }) as unknown,
      role: expect.objectContaining({ uid: owner, name: "owner" }) as unknown,
      inheritedFrom: expect.objectContaining({ uid: platform.root }) as unknown,
      through: { kind: "externalGroupRoleMapping", uid: mapping.uid },
    }),
  ]);
  const person = (await platform.create("identities", "", { name: "zoe", claimMatch: { ...claimMatch, subject: "zoe" } })).uid;
  await platform.create("roleBindings", team, { identityUid: person, roleUid: viewer });
  expect(missing((await ofIdentity(person)).unreadable)).toContain("roles of the identity through external group role mappings");
  await platform.delete("externalGroupRoleMappings", mapping.uid);
});

describe("what cannot be read is named", () => {
  test.each(["hidden", "refused"])("above the place of the caller, where everything is %s", async (denials) => {
    await as("viewer", team);
    await platform.settings({ denials });
    const { grants, unreadable } = await getEffectiveAccess({ group: shop });
    expect(grants.map(({ identity }) => identity.uid)).toEqual(expect.arrayContaining([ci, bot]));
    const { root } = platform;
    expect(missing(unreadable)).toEqual(
      expect.arrayContaining([expect.stringMatching(`^roleBindings, .* and externalGroupRoleMappings in ${root}, above$`)]),
    );
    expect(missing(unreadable).join("\n")).not.toContain(`in ${team}`);
    expect(missing((await ofIdentity(ci)).unreadable)).toContain(`other roleBindings of the identity in ${root}`);
  });

  test.each([
    ["roleBindings", "roleBindings in"],
    ["identityProviders", "identityProviders in"],
    ["groupInvites", "groupInvites in"],
    ["accountAssociations", "accountAssociations in"],
    ["roles", "details of roles"],
    ["identities", "details of identities"],
    ["externalGroupRoleMappings", "externalGroupRoleMappings in"],
  ])("where %s cannot be listed", async (collection, what) => {
    const fault = { status: 403, code: 7, message: "not yours" };
    await platform.fault({ method: "GET", path: `^/iam/v2beta1/${collection}$` }, fault, { times: 0 });
    const { unreadable } = await getEffectiveAccess({ group: shop });
    expect(missing(unreadable).join("\n")).toContain(what);
    expect(unreadable.find((each) => each.what.startsWith(what))?.reason).toContain("not yours");
    expect(new Set(missing(unreadable)).size).toBe(unreadable.length);
  });
});

test("a group or an identity that is not visible is an error, not an empty result", async () => {
  const { root } = platform;
  for (const args of [{ group: `${root}/0000000000000000` }, { identity: `${root}/0000000000000000` }])
    expect(await runErrorOf(getEffectiveAccess(args))).toMatch(/these credentials see no such (group|identity)/);
  await platform.fault({ method: "GET", path: "^/iam/v2beta1/groups$" }, { status: 403, code: 7, message: "no" }, { times: 0 });
  expect(await runErrorOf(getEffectiveAccess({ group: shop }))).toContain("no");
});

test("the Output form reads the same", async () => {
  const plain = await getEffectiveAccess({ group: shop });
  expect((await settled(getEffectiveAccessOutput({ group: shop }))).value).toEqual(plain);
});
