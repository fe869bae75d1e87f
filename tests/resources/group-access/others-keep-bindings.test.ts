import { AccessFixture, type AccessStack, type Declared } from "../../support/access-fixture";
import { expectFailure, failureOf } from "../../support/resource-fixture";

const access = AccessFixture.forFile();

const keep = (members: Record<string, string[]>, more: Partial<Declared> = {}): Declared => ({
  access: members,
  others: "keep",
  ...more,
});

describe("somebody else has made the binding of a member again", () => {
  /** A stack with "zoe owner", whose binding belongs to somebody else by now. */
  async function lost(): Promise<AccessStack> {
    const stack = await access.brought(keep({ owner: ["zoe"] }));
    await access.platform.delete("roleBindings", stack.binding("zoe", "owner"));
    await access.bind(stack.groupUid, "zoe", "owner");
    return stack;
  }

  test("an update does not take it over without adopt", async () => {
    const stack = await lost();
    await expectFailure(stack.up(keep({ owner: ["zoe"], viewer: ["eva"] })), "KEY_TAKEN", "zoe");
  });

  test("an update that drops the member does not remove it", async () => {
    const stack = await lost();
    await stack.up(keep({ viewer: ["eva"] }));
    expect(await stack.members()).toEqual(["eva viewer", "zoe owner"]);
  });

  test("destroy does not remove it", async () => {
    const stack = await lost();
    await stack.destroy();
    expect(await stack.members()).toEqual(["zoe owner"]);
  });

  test("a refresh shows that the member is gone", async () => {
    const stack = await lost();
    expect(await stack.refresh()).toBe(true);
    await stack.destroy();
    expect(await stack.members()).toEqual(["zoe owner"]);
  });

  test("a binding that this resource makes again is in the state, even if a removal fails", async () => {
    const stack = await access.brought(keep({ owner: ["zoe", "eva"] }));
    await access.platform.delete("roleBindings", stack.binding("zoe", "owner"));
    await access.platform.fault({ method: "DELETE" }, { status: 403, code: 7 }, { times: 0 });
    await failureOf(stack.up(keep({ owner: ["zoe"] })));
    await access.platform.clearFaults();
    await stack.up(keep({ owner: ["zoe"] }));
    expect([stack.known, await stack.members()]).toEqual([["zoe owner"], ["zoe owner"]]);
  });
});

describe("somebody has put another identity into a binding of the state", () => {
  /** A stack with "zoe owner", whose binding is for max by now. */
  async function changed(): Promise<AccessStack> {
    const stack = await access.brought(keep({ owner: ["zoe"] }));
    await access.platform.change("roleBindings", stack.binding("zoe", "owner"), { identityUid: await access.person("max") });
    expect(await stack.members()).toEqual(["max owner"]);
    return stack;
  }

  test("a refresh shows it as drift, and the update after it removes that access", async () => {
    const stack = await changed();
    expect(await stack.refresh()).toBe(true);
    expect(stack.known).toEqual(["max owner"]);
    await stack.up(keep({ owner: ["zoe"] }));
    expect(await stack.members()).toEqual(["zoe owner"]);
  });

  test("an update that drops the member removes the binding", async () => {
    const stack = await changed();
    await stack.up(keep({ viewer: ["eva"] }));
    expect([stack.known, await stack.members()]).toEqual([["eva viewer"], ["eva viewer"]]);
  });

  test("an update that keeps the member fails; one that overwrites removes the binding", async () => {
    const stack = await changed();
    await expectFailure(stack.up(keep({ owner: ["zoe"], viewer: ["eva"] })), "CHANGED_MEANWHILE");
    const run = access.fixture.run({ overwrites: true });
    await stack.up(keep({ owner: ["zoe"], viewer: ["eva"] }), { run });
    expect(await stack.members()).toEqual(["eva viewer", "zoe owner"]);
  });

  test("a binding that an update cannot remove stays in the state", async () => {
    const stack = await changed();
    await access.platform.fault({ method: "DELETE" }, { status: 403, code: 7 }, { times: 0 });
    await failureOf(stack.up(keep({ viewer: ["eva"] })));
    await access.platform.clearFaults();
    await stack.destroy();
    expect(await stack.members()).toEqual([]);
  });
});

describe("from keep to remove", () => {
  test("a member of its own that the update drops is no access of others", async () => {
    const stack = await access.brought(keep({ owner: ["zoe", "max"] }));
    await stack.up({ access: { owner: ["zoe"] } });
    expect(await stack.members()).toEqual(["zoe owner"]);
  });

  test("an update with adopt that failed half-way has not shown the others: the next one removes none of them", async () => {
    const stack = await access.brought(keep({ owner: ["zoe", "eva"] }));
    await access.bind(stack.groupUid, "max", "owner");
    const declared = { access: { owner: ["zoe"], viewer: ["ida"] } };
    await access.platform.fault({ method: "DELETE" }, { status: 403, code: 7 }, { times: 0 });
    await failureOf(stack.up({ ...declared, adopt: true }));
    await access.platform.clearFaults();
    await expectFailure(stack.up(declared), "KEY_TAKEN", "others have access", "max");
    await stack.up({ ...declared, adopt: true });
    expect(await stack.members()).toEqual(["ida viewer", "max owner", "zoe owner"]);
  });
});
