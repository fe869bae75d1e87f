import { type Door } from "../../support/door";
import { succeed } from "../succeed";
import { platform, project, useProject } from "../use-project";

const ci = `claimMatch: { issuer: "https://gitlab.example", subject: "ci" }`;

/** A tree with access in two groups, given by resources of the class `accessAs`. */
const tree = (accessAs: "RoleBinding" | "GroupAccess") => `
  new platform.Organization("acme", { parentUid: root, accessAs: "${accessAs}", groups: {
    eng: { identities: { ci: { ${ci} } }, access: { viewer: ["ci"], editor: ["ci"] } },
    ops: { access: { viewer: ["acme/eng/ci"] } },
  } });`;

/** The role bindings that the program made. */
async function bindings(): Promise<string[]> {
  const uids = (await platform.objects("roleBindings")).map(({ uid }) => uid);
  return uids.filter((uid) => uid.split("/").length > 2).sort();
}

describe.each<[Door]>([["dynamic"], ["native"]])("through the %s door", (door) => {
  useProject(tree("RoleBinding"), { door });

  test("a stack moves to GroupAccess in one update, with adopt, and back: nothing is written, and a review finds no change", async () => {
    await succeed(project.up());
    const before = await bindings();
    expect(before).toHaveLength(3);
    await platform.clearRequests();

    await project.program(tree("GroupAccess"));
    const without = await project.up();
    expect(without.output).toMatch(/already exists/);
    expect(await bindings()).toEqual(before);
    project.environment["PLATFORM_ADOPT"] = "true";
    const review = await project.command("review", "--stack", "test");
    expect([review.code, review.stdout]).toEqual([0, expect.stringContaining("No access changes")]);
    await succeed(project.up());
    delete project.environment["PLATFORM_ADOPT"];
    expect(await bindings()).toEqual(before);
    expect((await project.resources()).map(({ type }) => type.split(/[:/]/).at(-1))).not.toContain("RoleBinding");
    await succeed(project.up("--refresh", "--run-program", "--expect-no-changes"));

    await project.program(tree("RoleBinding"));
    project.environment["PLATFORM_ADOPT"] = "true";
    await succeed(project.up());
    expect(await bindings()).toEqual(before);
    expect(await platform.writes()).toEqual([]);
    await succeed(project.destroy("--run-program"));
    expect(await platform.groupNames()).toEqual([]);
  });

  test("a move that fails, and goes on after errors, deletes no binding; a target ends a part of it, the next update the rest", async () => {
    await succeed(project.up());
    const before = await bindings();
    const ops = await platform.named("groups", "ops");
    await project.program(tree("GroupAccess"));
    const failed = await project.up("--continue-on-error");
    expect(failed.code).not.toBe(0);
    expect(await bindings()).toEqual(before);

    project.environment["PLATFORM_ADOPT"] = "true";
    await platform.fault({ path: "/roleBindings$", query: ops.uid.split("/").at(-1) }, { status: 403, code: 7 }, { times: 0 });
    expect((await project.up()).code).not.toBe(0);
    await platform.clearFaults();
    expect(await bindings()).toEqual(before);
    const moved = (await project.resources()).filter(({ type }) => type.includes("GroupAccess"));
    expect(moved).toHaveLength(1);

    await succeed(project.up("--target", "**GroupAccess::acme/ops"));
    expect(await bindings()).toEqual(before);
    await succeed(project.up());
    expect(await bindings()).toEqual(before);
    await succeed(project.destroy("--run-program"));
    expect(await platform.groupNames()).toEqual([]);
  });
});
