import { AccessFixture, type AccessStack, type Declared } from "../../support/access-fixture";
import { expectFailure } from "../../support/resource-fixture";

const access = AccessFixture.forFile();

const zoe: Declared = { access: { owner: ["zoe"] } };

const rejected = {
  status: 400,
  headers: { "content-type": "application/json" },
  body: JSON.stringify({ code: 3, message: "no" }),
};

/** The methods of the requests that change something. */
async function writes(): Promise<string[]> {
  return (await access.platform.writes()).map(({ method }) => method);
}

describe("an update that begins to manage more", () => {
  const before: [string, Partial<Declared>][] = [
    ["all roles", { roles: ["owner"] }],
    ["an identity that was exempt", { exempt: { identities: ["max"] } }],
    ["a role that was exempt", { exempt: { roles: ["viewer"] } }],
  ];
  test.each(before)("%s: nobody loses access that no preview has shown", async (_what, narrower) => {
    const stack = await access.stack();
    await access.bind(stack.groupUid, "max", "viewer");
    await stack.up({ ...zoe, ...narrower });
    await access.platform.clearRequests();
    await expectFailure(stack.up(zoe), "KEY_TAKEN", "others have access", "max");
    expect(await writes()).toEqual([]);
    await stack.up({ ...zoe, adopt: true });
    expect(await stack.members()).toEqual(["max viewer", "zoe owner"]);
    expect(await stack.refresh()).toBe(true);
    await stack.up(zoe);
    expect(await stack.members()).toEqual(["zoe owner"]);
  });

  test("access given since the last run to a role that it managed before is removed, as ever", async () => {
    const stack = await access.stack();
    await stack.up({ ...zoe, roles: ["owner"] });
    await access.bind(stack.groupUid, "eve", "owner");
    await stack.up(zoe);
    expect(await stack.members()).toEqual(["zoe owner"]);
  });
});

describe("access that a run has kept by `adopt`", () => {
  const more: Declared = { access: { owner: ["zoe"], viewer: ["eve"] } };

  test.each<[string, (stack: AccessStack) => Promise<void>]>([
    ["a create", (stack) => stack.up({ ...zoe, adopt: true })],
    [
      "an update",
      async (stack) => {
        await stack.up({ access: {}, roles: ["owner"] });
        await stack.up({ ...zoe, adopt: true });
      },
    ],
    [
      "a create that failed half-way",
      async (stack) => {
        const eve = await access.person("eve");
        access.fixture.proxy.interfere = ({ method, body }) => (method === "POST" && body.includes(eve) ? rejected : undefined);
        await expectFailure(stack.up({ ...more, adopt: true }), "INVALID_ARGUMENT");
        access.fixture.proxy.interfere = () => undefined;
        expect(await stack.members()).toEqual(["max viewer", "zoe owner"]);
      },
    ],
  ])("%s: no later run without it takes it before a refresh has shown it", async (_what, keep) => {
    const stack = await access.stack();
    await access.bind(stack.groupUid, "max", "viewer");
    await keep(stack);
    await access.platform.clearRequests();
    await expectFailure(stack.up(more), "KEY_TAKEN", "others have access", "max");
    expect(await writes()).toEqual([]);
    expect(await stack.refresh()).toBe(true);
    await stack.up(more);
    expect(await stack.members()).toEqual(["eve viewer", "zoe owner"]);
  });

  test("what others give up meanwhile stops nothing", async () => {
    const stack = await access.stack();
    const binding = await access.bind(stack.groupUid, "max", "viewer");
    await stack.up({ ...zoe, adopt: true });
    await access.platform.delete("roleBindings", binding);
    await stack.up(more);
    expect(await stack.members()).toEqual(["eve viewer", "zoe owner"]);
  });
});
