import { AccessFixture, type Declared } from "../../support/access-fixture";
import { expectFailure } from "../../support/resource-fixture";

const access = AccessFixture.forFile();

const zoe: Declared = { access: { owner: ["zoe"] } };

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
