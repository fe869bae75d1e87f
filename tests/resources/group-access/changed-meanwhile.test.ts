import { AccessFixture } from "../../support/access-fixture";
import { expectFailure } from "../../support/resource-fixture";

const access = AccessFixture.forFile();

/** A stack of which somebody else has made the viewer `max` an owner, and what its next run says. */
async function promoted() {
  const stack = await access.brought({ access: { owner: ["zoe"], viewer: ["max"] } });
  const binding = stack.binding("max", "viewer");
  await access.platform.change("roleBindings", binding, { roleUid: access.roles.get("owner") });
  await access.platform.clearRequests();
  const notes: string[] = [];
  const run = (overwrites = false) => access.fixture.run({ overwrites, notify: (note) => notes.push(note) });
  return { stack, binding, notes, run };
}

test.each([
  ["another member", { owner: ["zoe", "ann"], viewer: ["max"] }],
  ["that member's role", { owner: ["zoe"], editor: ["max"] }],
])(
  "a declared member whose role somebody else has changed stops a change of %s, and nothing is sent",
  async (_what, declared) => {
    const { stack, binding, run } = await promoted();
    await access.person("ann");
    await access.platform.clearRequests();
    await expectFailure(
      stack.up({ access: declared }, { run: run() }),
      "CHANGED_MEANWHILE",
      stack.groupUid,
      '"max" as viewer',
      binding,
      "as owner",
      "Nothing was sent",
      "up --refresh --run-program",
    );
    expect(await access.platform.writes()).toEqual([]);
  },
);

test("a run that has refreshed repairs it, and names who has got what, once", async () => {
  const { stack, binding, notes, run } = await promoted();
  await stack.up({ access: { owner: ["zoe"], viewer: ["max"] } }, { run: run(), refresh: true });
  expect(await stack.members()).toEqual(["max viewer", "zoe owner"]);
  expect(notes).toEqual([expect.stringMatching(new RegExp(`"max".*as owner.*${binding}`))]);
});

test("PLATFORM_OVERWRITE goes on, and says what it was", async () => {
  const { stack, binding, notes, run } = await promoted();
  await stack.up({ access: { owner: ["zoe", "ann"], viewer: ["max"] } }, { run: run(true) });
  expect(notes.join()).toContain(binding);
});

test("one who is not declared any more loses what somebody else has made of the access, and the run says what it was", async () => {
  const { stack, binding, notes, run } = await promoted();
  await stack.up({ access: { owner: ["zoe"] } }, { run: run() });
  expect(await access.bindings(stack.groupUid)).not.toContain(binding);
  expect(notes.join()).toContain(binding);
});

test("a destroy leaves a binding to which somebody else has given an exempt identity", async () => {
  const stack = await access.brought({ access: { owner: ["zoe"], viewer: ["max"] }, exempt: { identities: ["ann"] } });
  await access.platform.change("roleBindings", stack.binding("max", "viewer"), { identityUid: await access.person("ann") });
  await stack.destroy();
  expect(await stack.members()).toEqual(["ann viewer"]);
});
