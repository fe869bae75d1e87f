import { messageOf } from "../../../provider/client/errors";
import { unknownValue } from "../../../provider/schema/inputs";
import type { Inputs, Kind } from "../../../provider/schema/kind";
import { NamesFixture, update } from "../../support/names-fixture";
import { expectFailure, failureOf, group, identity, role, roleBinding } from "../../support/resource-fixture";

const names = NamesFixture.forFile();

describe("create", () => {
  test("resolves every name, and state holds the text and the uid", async () => {
    const { id, inputs, outs } = await names.made(roleBinding, names.named());
    expect(inputs).toEqual({ ...names.named(), ...names.uids() });
    expect(outs).toMatchObject({
      ...names.named(),
      parentUid: names.team.uid,
      identityUid: names.ci.uid,
      roleUid: names.resources.viewer,
    });
    expect(await names.roleOf(id)).toBe(names.resources.viewer);
    expect(await names.platform.writes()).toMatchObject([{ method: "POST" }]);
  });

  test("asks for each List once, however many resources need it", async () => {
    const process = names.process();
    const roles = ["viewer", "editor", "owner"];
    await Promise.all(roles.map((roleName) => names.made(roleBinding, { ...names.named(), roleName }, process)));
    const lists = (await names.platform.requests()).filter(
      ({ method, path }) => method === "GET" && /\/(roles|identities|groups)$/.test(path),
    );
    expect(lists.map(({ path, query }) => `${path}?${query}`).sort()).toEqual(
      [...new Set(lists.map(({ path, query }) => `${path}?${query}`))].sort(),
    );
  });

  test.each([
    ["a group", group, {}],
    ["a role", role, { capabilities: ["CAP_REPO_LIST"] }],
    ["an identity", identity, { claimMatch: { issuer: "https://issuer.example", subject: "x" } }],
  ])("makes %s under parentPath", async (_what, kind, more) => {
    const { id, outs } = await names.made(kind, { parentPath: names.place, name: names.resources.name(), ...more });
    expect(id.startsWith(`${names.team.uid}/`)).toBe(true);
    expect(outs).toMatchObject({ parentPath: names.place, parentUid: names.team.uid });
  });
});

describe("roleName", () => {
  const custom = (parent: string, name: string) => names.customRole(parent, name);
  const builtIn = async (name: string) =>
    (await names.platform.objects("roles")).find((row) => row["name"] === name && !row.uid.includes("/"))?.uid ?? "";
  const bound = async (roleName: string) => (await names.made(roleBinding, { ...names.named(), roleName })).outs["roleUid"];
  const refused = async (roleName: string) => (await failureOf(names.made(roleBinding, { ...names.named(), roleName }))).message;

  test("is a built-in role before a custom one of the same name", async () => {
    await custom(names.team.uid, "owner");
    expect(await bound("owner")).toBe(await builtIn("owner"));
  });

  test("is never a custom role in the place of a built-in one that the platform does not show", async () => {
    const other = await custom(names.team.uid, "guardener.admin");
    await names.platform.delete("roles", await builtIn("guardener.admin"));
    const message = await refused("guardener.admin");
    expect(message).toContain("no built-in role of that name");
    expect(message).not.toContain(other.uid);
  });

  test("is never a custom role where the platform shows no built-in role at all: a newer one may have the name", async () => {
    const other = await custom(names.team.uid, "auditor");
    names.resources.proxy.interfere = async ({ method, path }, forward) => {
      const answer = await forward();
      if (method !== "GET" || !path.endsWith("/roles")) return answer;
      const { roles } = JSON.parse(answer.body) as { roles: { uid: string }[] };
      return { ...answer, body: JSON.stringify({ roles: roles.filter(({ uid }) => uid.includes("/")) }) };
    };
    const message = await refused("auditor");
    expect(message).toContain("no built-in role. Pass");
    expect(message).not.toContain(other.uid);
  });

  test("is a custom role of the group or of one above, not of a neighbour", async () => {
    const [here, above, elsewhere] = [
      names.resources.name("here"),
      names.resources.name("above"),
      names.resources.name("elsewhere"),
    ];
    const made = [
      await custom(names.team.uid, here),
      await custom(names.platform.root, above),
      await custom(await names.resources.parent(), elsewhere),
    ];
    expect(await bound(here)).toBe(made[0]?.uid);
    expect(await bound(above)).toBe(made[1]?.uid);
    expect(await refused(elsewhere)).toContain(`only elsewhere (${made[2]?.uid})`);
  });

  test("with several candidates is refused, with the uid of each", async () => {
    const name = names.resources.name("deployer");
    const [one, other] = [await custom(names.team.uid, name), await custom(names.platform.root, name)];
    const message = await refused(name);
    expect(message).toContain(one.uid);
    expect(message).toContain(other.uid);
    expect(message).toContain("Nothing was changed.");
    expect(await names.platform.writes()).toEqual([]);
  });

  test("that nothing has is refused, with the nearest name", async () => {
    expect(await refused("veiwer")).toContain('Did you mean "viewer"?');
    expect(await refused("zzzzzzzzzzzz")).toContain("The roles are ");
  });

  test("that is the uid of a role is refused with that advice", async () => {
    expect(await refused(names.resources.viewer)).toContain("Pass it as roleUid");
  });

  test("is found although it is newer than the List that this run shares", async () => {
    const process = names.process();
    await names.made(roleBinding, names.named(), process);
    const name = names.resources.name("late");
    const late = await custom(names.team.uid, name);
    const { outs } = await names.made(roleBinding, { ...names.named(), roleName: name }, process);
    expect(outs["roleUid"]).toBe(late.uid);
  });
});

describe("parentPath", () => {
  const refused = async (parentPath: string) => (await failureOf(names.made(group, { parentPath, name: "x" }))).message;

  test("that does not exist is refused, with how far it does and what is there", async () => {
    const shop = names.resources.name("shop");
    await names.platform.create("groups", names.team.uid, { name: shop });
    expect(await refused(`${names.place}/${shop}x/y`)).toMatch(
      new RegExp(`"${names.place}" exists \\(${names.team.uid}\\), but it has no group "${shop}x".*Did you mean "${shop}"\\?`),
    );
    expect(await refused("no-such-root/a")).toContain('no root organisation "no-such-root" is visible');
    expect(await names.platform.writes()).toEqual([]);
  });

  test("that means several groups is refused, with their uids", async () => {
    await names.platform.settings({ duplicateNames: true });
    const twin = await names.platform.create("groups", names.platform.root, { name: names.team["name"] });
    const message = await refused(names.place);
    expect(message).toContain(twin.uid);
    expect(message).toContain(names.team.uid);
  });

  test("of a group that this program declares is refused, before and after it exists", async () => {
    const process = names.process();
    const declared = { parentUid: names.team.uid, name: "shop" };
    const { inputs } = await process.of(group).check({}, { ...declared, ...update });
    const child = { parentPath: `${names.place}/shop`, name: "child" };
    await expectFailure(names.made(group, child, process), "INVALID_INPUT", "Pass the `uid` of that resource");
    await process.of(group).create(inputs);
    await expectFailure(
      names.made(group, { ...child, name: "other" }, process),
      "INVALID_INPUT",
      "Pass the `uid` of that resource",
    );
    expect(await names.resources.children(group, names.team.uid)).toHaveLength(1);
  });

  test.each(["the group first", "the other resource first"])(
    "of a group in the same program is refused in previews too: %s",
    async (order) => {
      const shop = await names.made(group, { parentUid: names.team.uid, name: names.resources.name("shop") });
      const child = await names.made(group, { parentPath: `${names.place}/${String(shop.outs["name"])}`, name: "child" });
      const preview = names.process();
      await names.platform.clearRequests();
      const both = [shop, child].sort(() => (order === "the group first" ? 1 : -1)).reverse();
      const messages: string[] = [];
      for (const each of both) {
        await names.diffed(group, each, each.inputs, {}, preview).catch((error: unknown) => messages.push(messageOf(error)));
      }
      expect(messages).toEqual([expect.stringContaining("this program itself declares")]);
      expect(await names.platform.requests()).toEqual([]);
    },
  );
});

describe("identityRef", () => {
  const bound = async (identityRef: unknown) =>
    (await names.made(roleBinding, { ...names.named(), identityRef })).outs["identityUid"];

  test("finds an identity by exactly its issuer and subject, never by a pattern", async () => {
    await names.identity("any", { issuer: names.login.issuer, subjectPattern: ".*" });
    expect(await bound(names.login)).toBe(names.ci.uid);
  });

  test("is a person where no identity has that login", async () => {
    const process = names.process();
    const { outs } = await names.made(
      roleBinding,
      { ...names.named(), identityRef: { issuer: "https://people.example", subject: "zoe" } },
      process,
    );
    expect(outs["identityUid"]).not.toContain("/");
    expect(process.printed).toEqual([expect.stringContaining("it means the person")]);
  });

  test("is never a person where this program declares an identity with that login", async () => {
    const login = { issuer: names.login.issuer, subject: names.resources.name("changed") };
    const process = names.process();
    const changed = { parentUid: names.team.uid, name: "ci", claimMatch: login };
    await names.diffed(identity, { id: names.ci.uid, inputs: changed, outs: changed }, changed, update, process);
    await expectFailure(
      names.made(roleBinding, { ...names.named(), identityRef: login }, process),
      "INVALID_INPUT",
      "this program declares an identity with that issuer and subject",
    );
    expect(await names.resources.children(roleBinding, names.team.uid)).toEqual([]);
  });

  test("does not move a role from an identity to a person", async () => {
    const made = await names.made(roleBinding, { ...names.named(), identityRef: names.login });
    const person = { issuer: names.login.issuer, subject: "misspelt" };
    const news = { ...names.named(), identityRef: person };
    await expectFailure(
      names.diffed(roleBinding, made, news, update),
      "INVALID_INPUT",
      `and no longer the identity ${names.ci.uid}. Pass the uid of the one you mean as identityUid.`,
    );
  });

  test("with several candidates is refused, with path and uid of each", async () => {
    const twin = await names.identity("twin", names.login, await names.resources.parent());
    await expectFailure(bound(names.login), "AMBIGUOUS", `"${names.place}/ci" (${names.ci.uid})`, twin.uid);
  });

  test("that does not exist is refused with the nearest name", async () => {
    await names.identity("deployer", { issuer: "https://i.example", subject: "d" });
    await expectFailure(bound(`${names.place}/deploier`), "NOT_FOUND", 'Did you mean "deployer"?');
  });
});

describe("check", () => {
  const reasons = async (kind: Kind, news: Inputs) =>
    (await names.process().of(kind).check({}, news)).failures.map(({ reason }) => reason);

  test("wants exactly one of each pair", async () => {
    expect(await reasons(roleBinding, { parentUid: "a", identityUid: "a/b" })).toEqual([
      "roleUid or roleName is required [INVALID_INPUT]",
    ]);
    expect(await reasons(roleBinding, { ...names.named(), roleUid: "r" })).toEqual([
      "exactly one of roleUid and roleName must be set; roleUid and roleName are set [INVALID_INPUT]",
    ]);
    expect(await reasons(roleBinding, { ...names.named(), roleUid: unknownValue })).toHaveLength(1);
    expect(await reasons(roleBinding, { ...names.named(), roleUid: null })).toEqual([]);
    expect(await reasons(roleBinding, { ...names.named(), roleName: unknownValue })).toEqual([]);
    expect(await reasons(roleBinding, { ...names.named(), identityRef: { issuer: unknownValue, subject: "a" } })).toEqual([]);
  });

  test.each([
    [{ roleName: "" }, "roleName must not be empty"],
    [{ roleName: 7 }, "roleName must be a string"],
    [{ parentPath: "/acme" }, 'parentPath "/acme" must be names joined by single slashes'],
    [{ parentPath: "a//b" }, 'parentPath "a//b" must be names joined by single slashes'],
    [{ parentPath: "0123456789abcdef0123456789abcdef01234567/a" }, "is a uid"],
    [{ identityRef: "ci" }, 'identityRef "ci" must be the path of a group and the name of an identity in it'],
    [{ identityRef: 7 }, "identityRef must be a path"],
    [{ identityRef: { issuer: "https://i.example" } }, "identityRef.subject is required"],
    [{ identityRef: { issuer: "i", subject: "s" } }, "identityRef.issuer must be an https URL"],
    [
      { identityRef: { issuer: "https://i.example", subject: "s", uid: "x" } },
      "identityRef must be { issuer, subject } and nothing else",
    ],
  ])("refuses %j", async (wrong, message) => {
    const found = await reasons(roleBinding, { ...names.named(), ...wrong });
    expect(found.join("; ")).toContain(message);
  });

  test("finds two resources with the same texts, before anything exists", async () => {
    const { of } = names.process();
    const declared = (name: string) => ({ ...names.named(), __logicalName: `platform:iam:RoleBinding::${name}` });
    expect((await of(roleBinding).check({}, declared("one"))).failures).toEqual([]);
    expect((await of(roleBinding).check({}, declared("two"))).failures).toMatchObject([
      { reason: expect.stringContaining('"one" and "two"') as string },
    ]);
    expect((await of(roleBinding).check({}, { ...names.named(), roleName: "editor" })).failures).toEqual([]);
  });

  test("finds a resource with the uids of what another one names, once that is in state", async () => {
    const old = await names.made(roleBinding, names.named());
    const preview = names.process();
    await names.diffed(roleBinding, old, { ...names.named(), __logicalName: "platform:iam:RoleBinding::one" }, {}, preview);
    const uids = { parentUid: names.team.uid, identityUid: names.ci.uid, roleUid: names.resources.viewer };
    expect(
      (await preview.of(roleBinding).check({}, { ...uids, __logicalName: "platform:iam:RoleBinding::two" })).failures,
    ).toHaveLength(1);
  });
});
