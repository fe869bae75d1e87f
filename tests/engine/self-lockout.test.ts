import type { Outcome } from "./project";
import { fail, succeed } from "./succeed";
import { platform, project, useProject } from "./use-project";
import { longTest } from "../support/tier";

const subject = "runner";

/** A stack that declares the identity that manages it, and the binding that this identity lives on. */
const program = (issuer: string, { isBound = true, isLast = false, role = "owner" } = {}) => `
  module.exports = (async () => {
    const role = platform.getRoleOutput({ name: "${role}" }).uid;
    const viewer = platform.getRoleOutput({ name: "viewer" }).uid;
    const claimMatch = { issuer: ${JSON.stringify(issuer)}, subject: "${subject}" };
    const runner = new Identity("runner", { parentUid: root, claimMatch });
    const own = ${isBound ? `new RoleBinding("runner-owner", { parentUid: root, identityUid: runner.uid, roleUid: role })` : "undefined"};
    const options = ${isLast ? "{ dependsOn: own }" : "{}"};
    const engineering = new Group("engineering", { parentUid: root }, options);
    for (const name of ["shop", "search"]) new Group(name, { parentUid: engineering.uid }, options);
    new Group("security", { parentUid: root }, options);
    const ci = new Identity("ci", { parentUid: engineering.uid, claimMatch: { ...claimMatch, subject: "ci" } }, options);
    new RoleBinding("ci-viewer", { parentUid: engineering.uid, identityUid: ci.uid, roleUid: viewer }, options);
    return {};
  })();`;

useProject(() => program(platform.issuer));

/** Makes the stack, and lets the runner run what follows, on a platform that denies as `settings` say. */
async function asRunner(settings: object): Promise<string> {
  await succeed(project.up());
  const { uid } = await platform.named("identities", "runner");
  await platform.settings(settings);
  await platform.letTimePass();
  delete project.environment["PLATFORM_OIDC_TOKEN_FILE"];
  Object.assign(project.environment, {
    PLATFORM_IDENTITY: uid,
    PLATFORM_OIDC_TOKEN: await platform.oidcToken({ subject }),
  });
  return uid;
}

/** Uids of the stack's objects that the platform has. */
async function onPlatform(made: readonly string[]): Promise<string[]> {
  const all = await Promise.all(["groups", "identities", "roleBindings"].map((collection) => platform.objects(collection)));
  return all.flatMap((rows) => rows.map(({ uid }) => uid)).filter((uid) => made.includes(uid));
}

const inState = async () => (await project.resources()).flatMap(({ id }) => id ?? []);

/** Expects that state still knows everything that the platform has, and that a success left nothing. */
async function expectNothingForgotten(made: readonly string[], { code }: Outcome): Promise<string[]> {
  const [left, known] = [await onPlatform(made), await inState()];
  expect(left.filter((uid) => !known.includes(uid))).toEqual([]);
  if (code === 0) expect(left).toEqual([]);
  return left;
}

const ways = ["hidden", "refused"].flatMap((denials) => ["live", "snapshot"].map((tokenGrants) => ({ denials, tokenGrants })));

longTest.each(ways)(
  "a runner destroys its own stack, denials $denials, grants $tokenGrants: its own access stays unless that is allowed, and nothing is forgotten",
  async (settings) => {
    await asRunner(settings);
    const [made, own] = [await inState(), (await bindings())[0]?.uid ?? ""];
    const ways = ["PLATFORM_ALLOW_SELF_LOCKOUT=true", "retainOnDelete", "--exclude", "dependsOn", "another identity"];
    const refused = await fail(project.destroy("--run-program"), "runner-owner", ...ways);
    expect(await expectNothingForgotten(made, refused)).toContain(own);

    project.environment["PLATFORM_ALLOW_SELF_LOCKOUT"] = "true";
    const allowed = await project.destroy("--run-program");
    const left = await expectNothingForgotten(made, allowed);
    expect(left).not.toContain(own);
    if (settings.tokenGrants === "live") {
      expect(allowed.code).not.toBe(0);
      expect(left).not.toEqual([]);
      // The binding went alone, and what is left can be destroyed by another identity.
      Object.assign(project.environment, platform.environment);
      delete project.environment["PLATFORM_OIDC_TOKEN"];
      await succeed(project.destroy("--run-program"));
      expect(await expectNothingForgotten(made, { ...allowed, code: 0 })).toEqual([]);
    } else expect(allowed.code).toBe(0);
  },
);

/** The bindings of the runner. */
async function bindings() {
  const { uid } = await platform.named("identities", "runner");
  const rows = (await platform.objects("roleBindings")) as unknown as {
    uid: string;
    identityUid: string;
    identity?: { uid: string };
  }[];
  return rows.filter((row) => row.identityUid === uid || row.identity?.uid === uid);
}

longTest("with dependsOn the rest of the stack goes first, and only the runner's own access stays", async () => {
  await project.program(program(platform.issuer, { isLast: true }));
  const runner = await asRunner({ denials: "hidden" });
  await fail(project.destroy("--run-program"));
  const own = (await bindings())[0]?.uid;
  expect((await inState()).sort()).toEqual([runner, own].sort());
});

test("an up that weakens or removes the runner's grant is rejected, as its preview warns, and one that runs without its access drops nothing", async () => {
  await asRunner({ denials: "hidden" });
  const made = await inState();
  await project.program(program(platform.issuer, { role: "viewer" }));
  const weakened = await fail(project.up("--skip-preview=false"), "[SELF_LOCKOUT]", "Nothing was sent");
  // The engine prints a message when it comes, and again at the end of each phase.
  const diagnostics = weakened.output.slice(weakened.output.indexOf("Diagnostics:"));
  expect(diagnostics.match(/warning: update role binding .* SELF_LOCKOUT/g)).toHaveLength(1);

  await project.program(program(platform.issuer, { isBound: false }));
  await fail(project.up(), "PLATFORM_ALLOW_SELF_LOCKOUT=true");
  const [own, ...others] = await bindings();
  expect(others).toEqual([]);
  await platform.delete("roleBindings", own?.uid ?? "");
  await expectNothingForgotten(made, await fail(project.refresh("--run-program"), platform.root));
});
