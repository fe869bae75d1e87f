import path from "node:path";
import { platform, project, useProject } from "./use-project";
import { fail, succeed } from "./succeed";
import { longTest } from "../support/tier";

// `pulumi up --plan` fails where the update does something else than its preview, after it has done it.

useProject("", { door: "dynamic" });

/** Two groups, an identity that logs in by `form`, and its binding outside of both. @param place of the identity */
const program = (place: string, form = `claimMatch: { issuer: "https://issuer.example", subject: "ci" }`, options = "{}") => `
  const [one, two] = ["one", "two"].map((name) => new Group(name, { parentUid: root }));
  const ci = new Identity("ci", { parentUid: ${place}.uid, ${form} }, ${options});
  new RoleBinding("ci-viewer", { parentUid: root, identityUid: ci.uid, roleName: "viewer" });`;
const keys = `staticKeys: { issuer: "https://issuer.example", subject: "ci", issuerKeys: '{"keys":[{"kty":"RSA","kid":"1","n":"AQAB","e":"AQAB"}]}' }`;

async function planned(body: string): Promise<string[]> {
  await project.program(body);
  const plan = path.join(project.folder, "plan.json");
  await succeed(project.preview("--save-plan", plan));
  return (await succeed(project.up("--plan", plan))).steps;
}

test("an identity that moves is replaced, its binding follows in place, and the update does what its preview planned", async () => {
  await project.program(program("one"));
  await succeed(project.up());
  const steps = await planned(program("two"));
  expect(steps).toContain("update RoleBinding ci-viewer");
  expect(steps).toContain("create-replacement Identity ci");
});

longTest("an identity that must be deleted first takes its binding along, as planned", async () => {
  await project.program(program("one"));
  await succeed(project.up());
  for (const next of [program("one", keys), program("two", keys, "{ deleteBeforeReplace: true }")])
    expect(await planned(next)).toEqual(
      expect.arrayContaining(["create-replacement Identity ci", "create-replacement RoleBinding ci-viewer"]),
    );
});

longTest("a computed parent that stays the same is planned as a replacement, and the update says so at its end", async () => {
  const groups = (parent: string) => `
    const [one, third] = ["one", "third"].map((name) => new Group(name, { parentUid: root }));
    new Group("inner", { parentUid: ${parent} });`;
  await project.program('const one = new Group("one", { parentUid: root }); new Group("inner", { parentUid: one.uid });');
  await succeed(project.up());
  await project.program(groups("pulumi.all([third.uid, one.uid]).apply(([, uid]) => uid)"));
  const plan = path.join(project.folder, "plan.json");
  expect((await succeed(project.preview("--save-plan", plan))).steps).toContain("create-replacement Group inner");
  await fail(project.up("--plan", plan), "inner", "expected resource operations");
});

longTest(
  "a path that a preview cannot look up is planned as a replacement, and the update stops before it changes the group",
  async () => {
    const outside = await platform.create("groups", platform.root, { name: "outside" });
    await project.program(`new Group("inner", { parentUid: "${outside.uid}" });`);
    await succeed(project.up());
    const { name: root = "" } = (await platform.objects("groups")).find(({ uid }) => uid === platform.root) ?? {};
    await project.program(`new Group("inner", { parentPath: "${root}/outside" });`);
    await platform.fault({ method: "GET", path: "/groups$" }, { status: 403, code: 7 }, { times: 0 });
    const plan = path.join(project.folder, "plan.json");
    const { steps } = await succeed(project.preview("--save-plan", plan));
    expect(steps).toContain("create-replacement Group inner");
    await platform.clearFaults();
    await platform.clearRequests();
    await fail(project.up("--plan", plan), "inner", "violates plan");
    expect(await platform.writes()).toEqual([]);
  },
);
