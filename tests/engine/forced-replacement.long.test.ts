import { fail, succeed } from "./succeed";
import { platform, project, useProject } from "./use-project";

/** Uid of the group `team`. */
let uid: string;

useProject("", { shared: true });

const urn = "urn:pulumi:test::test::pulumi-nodejs:dynamic/platform/iam:Group::team";

function program({ args = "", options = "" } = {}): Promise<void> {
  return project.program(`new Group("team", { parentUid: root, name: "team", ${args} }, { ${options} });`);
}

/** Makes the group of this program. */
async function made(): Promise<void> {
  await program();
  await succeed(project.up());
  ({ uid } = await platform.named("groups", "team"));
  await platform.clearRequests();
}

const forced: [string, () => Promise<string[]>][] = [
  ["up --replace", () => Promise.resolve(["--replace", urn])],
  [
    "state taint",
    async () => {
      await succeed(project.pulumi("state", "taint", urn));
      return [];
    },
  ],
];

test.each(forced)(
  "%s fails without deleteBeforeReplace and names it; with adopt keeps the object and says so; with deleteBeforeReplace replaces it",
  async (_command, prepare) => {
    await made();
    await fail(project.up(...(await prepare())), uid, "deleteBeforeReplace: true", "[KEY_TAKEN]");
    expect(await platform.writes()).toEqual([]);

    await program({ args: "adopt: true" });
    const adopted = await succeed(project.up(...(await prepare())));
    expect(adopted.output).toContain("deleteBeforeReplace: true");
    expect(await platform.writes()).toEqual([]);
    expect((await project.resources()).map(({ id }) => id)).toEqual([uid]);
    expect((await succeed(project.drift())).steps).toEqual([]);

    await program({ options: "deleteBeforeReplace: true" });
    await succeed(project.up(...(await prepare())));
    expect((await platform.writes()).map(({ method }) => method)).toEqual(["DELETE", "POST"]);
    expect((await platform.named("groups", "team")).uid).not.toBe(uid);
    expect((await succeed(project.drift())).steps).toEqual([]);
  },
);

test("a replacement whose create failed after the delete is resumed by the next up, and is no duplicate", async () => {
  await made();
  await program({ options: "deleteBeforeReplace: true" });
  await platform.fault({ method: "POST" }, { status: 400, code: 3 });
  await fail(project.up("--replace", urn));
  await platform.clearFaults();
  expect(await platform.groupNames()).toEqual([]);
  await succeed(project.preview());
  await succeed(project.up());
  expect(await platform.groupNames()).toEqual(["team"]);
  expect((await succeed(project.drift())).steps).toEqual([]);
});

test("an identity with keys of its own is renewed as its warning says, and its binding is made again", async () => {
  const keys = `staticKeys: { issuer: "https://issuer.example", subject: "ci", issuerKeys: '{"keys":[{"kty":"RSA","kid":"1","n":"AQAB","e":"AQAB"}]}' }`;
  const identity = (options: string) =>
    project.program(`const ci = new Identity("ci", { parentUid: root, ${keys} }, ${options});
      new RoleBinding("ci-viewer", { parentUid: root, identityUid: ci.uid, roleName: "viewer" });`);
  await identity("{}");
  await succeed(project.up());
  const before = await platform.named("identities", "ci");
  await identity("{ deleteBeforeReplace: true }");
  await succeed(project.up("--replace", "urn:pulumi:test::test::pulumi-nodejs:dynamic/platform/iam:Identity::ci"));
  const after = await platform.named("identities", "ci");
  expect(after.uid).not.toBe(before.uid);
  expect(JSON.stringify(await platform.objects("roleBindings"))).toContain(after.uid);
  expect((await succeed(project.drift())).steps).toEqual([]);
});
