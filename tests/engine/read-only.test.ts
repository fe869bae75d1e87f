import { TestPlatform } from "../support/test-platform";
import { Project } from "./project";
import { fail, succeed } from "./succeed";

const program = (description: string) => `
  new Group("engineering", { parentUid: root, description: "${description}" });
  return {};`;

test("in a run that may only read, preview and refresh work, and up is refused with the platform unchanged", async () => {
  const platform = await TestPlatform.start();
  const reader = await platform.create("identities", platform.root, {
    name: "preview",
    claimMatch: { issuer: platform.issuer, subject: "preview" },
  });
  await platform.create("roleBindings", platform.root, { identityUid: reader.uid, roleUid: await platform.role("viewer") });
  const project = await Project.create(`module.exports = (async () => { ${program("before")} })();`, platform.environment);
  try {
    await succeed(project.up());
    delete project.environment["PLATFORM_OIDC_TOKEN_FILE"];
    delete project.environment["PLATFORM_IDENTITY"];
    Object.assign(project.environment, {
      PLATFORM_READ_ONLY: "true",
      PLATFORM_READ_ONLY_IDENTITY: reader.uid,
      PLATFORM_OIDC_TOKEN: await platform.oidcToken({ subject: "preview" }),
    });
    await project.program(`module.exports = (async () => { ${program("after")} })();`);
    await platform.clearRequests();
    await succeed(project.preview("--refresh"));
    const refused = await fail(project.up());
    expect(refused.output).toContain("PLATFORM_READ_ONLY is set, so this run may only read. Nothing was sent.");
    expect(await platform.writes()).toEqual([]);
    expect(await platform.named("groups", "engineering")).toMatchObject({ description: "before" });
  } finally {
    await project.remove();
    await platform.close();
  }
});
