import type { Door } from "../support/door";
import { organization } from "./programs";
import { fail, succeed } from "./succeed";
import { platform, project, useProject } from "./use-project";

const ways = ["not in the organisation", "PLATFORM_ALLOW_OTHER_ORGANIZATION=true", "platform:organization"];

/** Everything that the platform has, without the time that a log-in moves. */
const everything = async () =>
  Object.values(await platform.allObjects()).flatMap((rows) => rows.map(({ lastSeenTime: _, ...row }) => row));

describe.each<Door>(["dynamic", "native"])("through the %s door", (door) => {
  useProject(organization(), { door });

  test("a stack pointed at another organisation by a slip: the preview warns, up and destroy send nothing, and with the setting corrected all works", async () => {
    await succeed(project.up());
    const { uid: other } = await platform.create("groups", "", { name: "other" });
    const owner = { identityUid: platform.identity, roleUid: await platform.role("owner") };
    await platform.create("roleBindings", other, owner);
    const before = await everything();
    await platform.clearRequests();

    project.environment["PLATFORM_ORGANIZATION"] = other;
    const preview = await succeed(project.preview());
    for (const part of ["warning: ", ...ways]) expect(preview.output).toContain(part);
    await fail(project.up(), "[INVALID_INPUT]", ...ways);
    await fail(project.destroy(), "[INVALID_INPUT]", ...ways);
    expect(await platform.writes()).toEqual([]);
    expect(await everything()).toEqual(before);

    project.environment["PLATFORM_ORGANIZATION"] = platform.root;
    const clean = await succeed(project.up("--skip-preview=false", "--expect-no-changes"));
    expect(clean.output).not.toContain("not in the organisation");
    await succeed(project.destroy());
    expect(await platform.groupNames()).toEqual([]);
  });
});
