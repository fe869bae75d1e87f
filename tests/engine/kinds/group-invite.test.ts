import { fail, succeed } from "../succeed";
import { platform, project, useProject } from "../use-project";
import { longTest } from "../../support/tier";

useProject(program);

/** An invite and a subscription in a group of their own. */
function program(invite: object = {}, sink = "https://events.example/a", period = "2026"): string {
  return `
    const { GroupInvite, Subscription } = platform;
    const team = new Group("team", { parentUid: root });
    const viewer = platform.getRoleOutput({ name: "viewer" });
    const jo = new GroupInvite("jo", { parentUid: team.uid, roleUid: viewer.uid, ttl: "3600s", ...${JSON.stringify(invite)} },
      { replacementTrigger: "${period}" });
    new Subscription("audit", { parentUid: team.uid, sink: ${JSON.stringify(sink)} });
    exports.code = jo.code;
    exports.until = jo.expirationTime;
  `;
}

const invites = () => platform.objects("groupInvites");
const inTeam = async (kind: string) => {
  const team = await platform.named("groups", "team");
  return (await platform.objects(kind)).filter(({ uid }) => uid.startsWith(`${team.uid}/`));
};
const names = async () => (await project.resources()).map(({ urn }) => urn.split("::").at(-1)).sort();

test("up makes both; the code is a secret output and encrypted in state; then nothing changes; what is deleted by hand is made again; destroy leaves nothing", async () => {
  const { steps, output } = await succeed(project.up());
  expect(steps.sort()).toEqual(["create Group team", "create GroupInvite jo", "create Subscription audit"]);
  const [invite] = await inTeam("groupInvites");
  const code = String(invite?.["code"]);
  expect(await project.output("code")).toBe("[secret]");
  expect((await project.pulumi("stack", "output", "code", "--show-secrets")).output.trim()).toBe(code);
  expect(output).not.toContain(code);
  expect((await project.pulumi("stack", "export")).output).not.toContain(code);
  await platform.clearRequests();
  expect((await succeed(project.up("--expect-no-changes"))).steps).toEqual([]);
  expect(await succeed(project.drift())).toMatchObject({ steps: [] });

  for (const kind of ["groupInvites", "subscriptions"])
    for (const { uid } of await inTeam(kind)) await platform.delete(kind, uid);
  await platform.letTimePass();
  expect((await project.drift()).code).toBe(7);
  await succeed(project.up("--refresh", "--run-program"));
  const [again] = await inTeam("groupInvites");
  expect([await inTeam("groupInvites"), await inTeam("subscriptions")].map((rows) => rows.length)).toEqual([1, 1]);
  expect(await succeed(project.drift())).toMatchObject({ steps: [] });

  await succeed(project.destroy("--run-program"));
  expect([await project.resources(), (await invites()).filter(({ uid }) => uid === again?.uid)]).toEqual([[], []]);
  expect(await platform.groupNames()).not.toContain("team");
});

longTest(
  "every change makes another invite or subscription and deletes the old one; a changed trigger renews the invite",
  async () => {
    await succeed(project.up());
    const [before] = await inTeam("groupInvites");
    await project.program(program({ singleUse: true }, "https://events.example/b"));
    expect((await succeed(project.up())).steps.filter((step) => /^(create|update|delete) /.test(step))).toEqual([]);
    const [after, ...others] = await inTeam("groupInvites");
    expect(others).toEqual([]);
    expect(after?.["code"]).not.toBe(before?.["code"]);
    expect(after).toMatchObject({ singleUse: true });
    expect(await inTeam("subscriptions")).toMatchObject([{ sink: "https://events.example/b" }]);
    await project.program(program({ singleUse: true }, "https://events.example/b", "2027"));
    await succeed(project.up());
    const [renewed, ...more] = await inTeam("groupInvites");
    expect(more).toEqual([]);
    expect(renewed?.["code"]).not.toBe(after?.["code"]);
  },
);

/** Expects that an invite which is no longer open is neither drift nor made again. */
async function expectSettled(): Promise<void> {
  const before = (await inTeam("groupInvites")).map(({ uid }) => uid);
  expect(await succeed(project.drift())).toMatchObject({ steps: [] });
  const { steps } = await succeed(project.up("--refresh", "--run-program", "--expect-no-changes"));
  expect(steps.filter((step) => !step.startsWith("refresh "))).toEqual([]);
  expect(before).toEqual(expect.arrayContaining((await inTeam("groupInvites")).map(({ uid }) => uid)));
  expect(await names()).toEqual(["audit", "jo", "team"]);
}

longTest("an invite that is accepted is no drift and no error, is not made again, and is destroyed", async () => {
  await project.program(program({ singleUse: true }));
  await succeed(project.up());
  const [invite] = await inTeam("groupInvites");
  const { uid: identity } = await platform.create("identities", platform.root, {
    name: "jo",
    claimMatch: { issuer: "https://issuer.example", subject: "jo" },
  });
  await platform.admin("POST", "invite-acceptances", { code: invite?.["code"], identity });
  expect(await inTeam("groupInvites")).toEqual([]);
  await platform.letTimePass();
  await expectSettled();
  expect((await succeed(project.preview())).steps).toEqual([]);
  // Whoever has accepted keeps the role, in a binding that this stack does not manage.
  for (const binding of await inTeam("roleBindings")) await platform.delete("roleBindings", binding.uid);
  await succeed(project.destroy("--run-program"));
  expect(await project.resources()).toEqual([]);
});

longTest.each(["kept", "removed"])(
  "an invite that is expired and %s is no drift and no error, is not made again, and is destroyed",
  async (expiredInvites) => {
    await project.program(program({ ttl: "60s" }));
    await succeed(project.up());
    await platform.settings({ clockOffsetSeconds: 120, expiredInvites });
    await expectSettled();
    await succeed(project.destroy("--run-program"));
    expect(await project.resources()).toEqual([]);
  },
);

longTest(
  "a lost answer: the invite is named and not made twice until it is deleted; the subscription is taken back",
  async () => {
    await platform.fault({ method: "POST", path: "/groupInvites/" }, { reset: "after" });
    await platform.fault({ method: "POST", path: "/subscriptions/" }, { reset: "after" });
    const first = await fail(project.up());
    const [lost] = await inTeam("groupInvites");
    expect(first.output).toContain(`Delete ${lost?.uid ?? "?"}`);
    const second = await fail(project.up());
    expect(second.output).toContain(`Delete ${lost?.uid ?? "?"}`);
    expect(await inTeam("groupInvites")).toHaveLength(1);
    await platform.delete("groupInvites", lost?.uid ?? "");
    await succeed(project.up());
    expect([await inTeam("groupInvites"), await inTeam("subscriptions")].map((rows) => rows.length)).toEqual([1, 1]);
    expect(await succeed(project.drift())).toMatchObject({ steps: [] });
  },
);

longTest("adopt takes over a subscription with this sink, and is rejected for an invite", async () => {
  const text = (more: object) => `
    const team = new Group("team", { parentUid: root });
    new platform.Subscription("audit", { parentUid: team.uid, sink: "https://events.example/a", ...${JSON.stringify(more)} });
  `;
  await project.program('new Group("team", { parentUid: root });');
  await succeed(project.up());
  const theirs = await platform.create("subscriptions", (await platform.named("groups", "team")).uid, {
    sink: "https://events.example/a",
  });
  await project.program(text({}));
  expect((await fail(project.up())).output).toContain(theirs.uid);
  await project.program(text({ adopt: true }));
  await succeed(project.up());
  expect((await project.resources()).map(({ id }) => id)).toContain(theirs.uid);
  await project.program(program({ adopt: true }));
  expect((await fail(project.preview())).output).toContain("adopt cannot be used");
});
