import { dynamicProvider } from "../../../provider/host/dynamic";
import type { Run } from "../../../provider/resources/run/run";
import { unknownValue } from "../../../provider/schema/inputs";
import { AccessFixture, accessProvider, type Declared } from "../../support/access-fixture";
import { expectFailure, roleBinding } from "../../support/resource-fixture";

const access = AccessFixture.forFile();

const keep = (members: Record<string, string[]>, more: Partial<Declared> = {}): Declared => ({
  access: members,
  others: "keep",
  ...more,
});

const reasons = ({ failures }: { failures: { reason: string }[] }) => failures.map(({ reason }) => reason).join();

/** The methods of the requests that change something. */
async function writes(): Promise<string[]> {
  return (await access.platform.requests()).map(({ method }) => method).filter((method) => method !== "GET");
}

describe("it gives, keeps and takes back what it lists, and nothing else", () => {
  test("create, update and destroy leave the access of others alone", async () => {
    const stack = await access.stack();
    await access.bind(stack.groupUid, "max", "owner");
    await stack.up(keep({ owner: ["zoe"], viewer: ["eva"] }));
    expect(await stack.members()).toEqual(["eva viewer", "max owner", "zoe owner"]);
    await access.bind(stack.groupUid, "ida", "viewer");
    await stack.up(keep({ viewer: ["zoe", "eva"] }));
    expect(await stack.members()).toEqual(["eva viewer", "ida viewer", "max owner", "zoe viewer"]);
    await stack.destroy();
    expect(await stack.members()).toEqual(["ida viewer", "max owner"]);
  });

  test("a refresh finds no drift in the access of others, and that a member is gone", async () => {
    const stack = await access.brought(keep({ owner: ["zoe", "eva"] }));
    await access.bind(stack.groupUid, "max", "owner");
    expect(await stack.refresh()).toBe(false);
    expect(stack.known).toEqual(["eva owner", "zoe owner"]);
    await access.platform.delete("roleBindings", stack.binding("eva", "owner"));
    expect(await stack.refresh()).toBe(true);
    expect(stack.known).toEqual(["zoe owner"]);
    await stack.up(keep({ owner: ["zoe", "eva"] }));
    expect(await stack.members()).toEqual(["eva owner", "max owner", "zoe owner"]);
  });

  test("a preview says nothing about others, not even in the root of the organisation", async () => {
    const stack = await access.brought(keep({ owner: ["zoe"] }));
    await access.bind(stack.groupUid, "max", "owner");
    expect(await stack.preview(keep({ owner: ["zoe"] }))).toEqual({ changes: false, said: "" });
  });
});

test("the words about a removal do not name `exempt`, which it rejects", async () => {
  const stack = await access.stack(access.platform.root);
  await stack.up(keep({ viewer: ["eva"] }));
  const { said } = await stack.preview(keep({}));
  await stack.destroy();
  expect(said).toContain("list the member in `access`.");
});

describe("a member that already has the role belongs to somebody else", () => {
  test("it is rejected, and nothing is sent", async () => {
    const stack = await access.stack();
    await access.bind(stack.groupUid, "zoe", "owner");
    await access.platform.clearRequests();
    await expectFailure(stack.up(keep({ owner: ["zoe"] })), "KEY_TAKEN", '"zoe" as owner', "already exists", "adopt");
    expect(await writes()).toEqual([]);
    expect(stack.state).toBeUndefined();
  });

  test("with adopt it is taken over, and destroy takes it back", async () => {
    const stack = await access.stack();
    const binding = await access.bind(stack.groupUid, "zoe", "owner");
    await access.platform.clearRequests();
    await stack.up(keep({ owner: ["zoe"] }, { adopt: true }));
    expect([stack.binding("zoe", "owner"), await writes()]).toEqual([binding, []]);
    await stack.destroy();
    expect(await stack.members()).toEqual([]);
  });

  test("a member added later is rejected too, and the others keep what they have", async () => {
    const stack = await access.brought(keep({ owner: ["zoe"] }));
    await access.bind(stack.groupUid, "max", "viewer");
    await expectFailure(stack.up(keep({ owner: ["zoe"], viewer: ["max"] })), "KEY_TAKEN", '"max" as viewer');
    expect(stack.known).toEqual(["zoe owner"]);
    await stack.up(keep({ owner: ["zoe"], viewer: ["max"] }, { adopt: true }));
    expect(stack.known).toEqual(["max viewer", "zoe owner"]);
  });
});

describe("from one to the other", () => {
  test("remove to keep: others keep what they have, members that leave lose it", async () => {
    const stack = await access.brought({ access: { owner: ["zoe", "eva"] } });
    await access.bind(stack.groupUid, "max", "owner");
    await stack.up(keep({ owner: ["zoe"] }));
    expect(await stack.members()).toEqual(["max owner", "zoe owner"]);
  });

  test("keep to remove: what no preview has shown is not removed", async () => {
    const stack = await access.brought(keep({ owner: ["zoe"] }));
    await access.bind(stack.groupUid, "max", "owner");
    await access.platform.clearRequests();
    await expectFailure(stack.up({ access: { owner: ["zoe"] } }), "KEY_TAKEN", "others have access", "max");
    expect(await writes()).toEqual([]);
    await stack.up({ access: { owner: ["zoe"] }, adopt: true });
    expect(await stack.members()).toEqual(["max owner", "zoe owner"]);
    expect(await stack.refresh()).toBe(true);
    expect(stack.known).toEqual(["max owner", "zoe owner"]);
    await stack.up({ access: { owner: ["zoe"] } });
    expect(await stack.members()).toEqual(["zoe owner"]);
  });

  test('"remove" is the default: writing it is no difference', async () => {
    const stack = await access.brought({ access: { owner: ["zoe"] } });
    expect(await stack.preview({ access: { owner: ["zoe"] }, others: "remove" })).toMatchObject({ changes: false });
  });
});

describe("beside other resources of the program", () => {
  type Check = (run: Run, groupUid: string) => Promise<string>;
  const given =
    (name: string, declared: Declared): Check =>
    async (run, groupUid) =>
      reasons(await accessProvider(run).check({}, await (await access.stack(groupUid, name)).declares(declared)));
  const bound =
    (name: string, role: string): Check =>
    async (run, parentUid) => {
      const inputs = { parentUid, identityUid: await access.person(name), roleUid: access.roles.get(role) };
      return reasons(
        await dynamicProvider(roleBinding, () => run).check({}, { ...inputs, __logicalName: "platform:iam:RoleBinding::one" }),
      );
    };
  /** Roles by uid, which a check knows. */
  const byUid = (role: string) => access.roles.get(role) ?? "";
  const cases: [string, () => [Check, Check], RegExp][] = [
    [
      "other members in another one",
      () => [given("a", keep({ [byUid("owner")]: ["zoe"] })), given("b", keep({ [byUid("owner")]: ["max"] }))],
      /^$/,
    ],
    [
      "a member in two",
      () => [given("a", keep({ [byUid("owner")]: ["zoe"] })), given("b", keep({ [byUid("owner")]: ["max", "zoe"] }))],
      /GroupAccess "[ab]" and GroupAccess "[ab]" give "zoe" the role .* in one of the two\./,
    ],
    ["another binding", () => [given("a", keep({ [byUid("owner")]: ["zoe"] })), bound("max", "owner")], /^$/],
    [
      "a binding of a member",
      () => [given("a", keep({ [byUid("owner")]: ["zoe"] })), bound("zoe", "owner")],
      /RoleBinding "one" gives what GroupAccess "a" lists .* Remove one of the two\./,
    ],
    [
      "one that removes others",
      () => [given("a", keep({ [byUid("owner")]: ["zoe"] })), given("b", { access: {} })],
      /manage the same roles/,
    ],
    [
      "one that removes others of another role",
      () => [given("a", keep({ [byUid("owner")]: ["zoe"] })), given("b", { access: {}, roles: [byUid("viewer")] })],
      /^$/,
    ],
    [
      "the same labels in another one",
      () => [given("a", keep({ owner: ["zoe"] })), given("b", keep({ owner: ["zoe"] }))],
      /both declare the same labels/,
    ],
  ];
  test.each(
    cases.flatMap(([what, checks, expected]) => [false, true].map((isTurned) => [what, isTurned, checks, expected] as const)),
  )("%s; the other way round: %s", async (_what, isTurned, checks, expected) => {
    const run = access.fixture.run();
    const groupUid = await access.fixture.parent();
    const [first, second] = isTurned ? checks().toReversed() : checks();
    expect(await first?.(run, groupUid)).toBe("");
    expect(await second?.(run, groupUid)).toMatch(expected);
  });
});

test("a preview that does not know yet whether they keep others rejects none of two", async () => {
  const run = access.fixture.run();
  const stack = await access.stack();
  for (const [name, who] of [
    ["a", "zoe"],
    ["b", "max"],
  ] as const) {
    const inputs = await (await access.stack(stack.groupUid, name)).declares({ access: { owner: [who] } });
    const { failures } = await accessProvider(run).check({}, { ...inputs, others: unknownValue });
    expect(failures).toEqual([]);
  }
});

test.each<[string, Partial<Declared>]>([
  ["roles", { roles: ["owner"] }],
  ["exempt", { exempt: { roles: ["owner"] } }],
])("%s beside it is rejected: nothing else is removed anyway", async (name, more) => {
  const stack = await access.stack();
  const { failures } = await accessProvider(access.fixture.run()).check({}, await stack.declares(keep({}, more)));
  expect(failures).toMatchObject([{ property: name }]);
});

test("any other text is rejected", async () => {
  const stack = await access.stack();
  const inputs = { ...(await stack.declares({ access: {} })), others: "ignore" };
  expect(reasons(await accessProvider(access.fixture.run()).check({}, inputs))).toMatch(/"remove" or "keep"/);
});
