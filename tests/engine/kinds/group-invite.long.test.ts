import { endWith, succeed } from "../succeed";
import { platform, project, useProject } from "../use-project";

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

const inTeam = async (kind: string) => {
  const team = await platform.named("groups", "team");
  return (await platform.objects(kind)).filter(({ uid }) => uid.startsWith(`${team.uid}/`));
};

test("up makes both; the code is a secret output and encrypted in state; then nothing changes; what is deleted by hand is made again; destroy leaves nothing", async () => {
  const { steps, output } = await succeed(project.up());
  expect(steps.sort()).toEqual(["create Group team", "create GroupInvite jo", "create Subscription audit"]);
  const [invite] = await inTeam("groupInvites");
  const code = String(invite?.["code"]);
  expect((await succeed(project.pulumi("stack", "output", "code"))).stdout.trim()).toBe("[secret]");
  expect((await succeed(project.pulumi("stack", "output", "code", "--show-secrets"))).stdout.trim()).toBe(code);
  expect(output).not.toContain(code);
  expect(await project.storedState()).not.toContain(code);
  await platform.clearRequests();
  expect((await succeed(project.up("--expect-no-changes"))).steps).toEqual([]);
  expect(await succeed(project.drift())).toMatchObject({ steps: [] });

  for (const kind of ["groupInvites", "subscriptions"])
    for (const { uid } of await inTeam(kind)) await platform.delete(kind, uid);
  await platform.letTimePass();
  await endWith(7, project.drift());
  await succeed(project.up("--refresh", "--run-program"));
  expect([await inTeam("groupInvites"), await inTeam("subscriptions")].map((rows) => rows.length)).toEqual([1, 1]);
  expect(await succeed(project.drift())).toMatchObject({ steps: [] });

  await succeed(project.destroy("--run-program"));
  expect(await project.resources()).toEqual([]);
  expect(await platform.groupNames()).toEqual([]);
});

test("every change makes another invite or subscription and deletes the old one; a changed trigger renews the invite", async () => {
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
});

test("an invite that is accepted is no drift and no error, is not made again, and is destroyed", async () => {
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
  expect((await succeed(project.drift())).steps).toEqual([]);
  const { steps } = await succeed(project.up("--refresh", "--run-program", "--expect-no-changes"));
  expect(steps.filter((step) => !step.startsWith("refresh "))).toEqual([]);
  expect(await inTeam("groupInvites")).toEqual([]);
  expect((await project.resources()).map(({ urn }) => urn.split("::").at(-1)).sort()).toEqual(["audit", "jo", "team"]);
  // Whoever has accepted keeps the role, in a binding that this stack does not manage.
  for (const binding of await inTeam("roleBindings")) await platform.delete("roleBindings", binding.uid);
  await succeed(project.destroy("--run-program"));
  expect(await project.resources()).toEqual([]);
});
