import { succeed } from "../succeed";
import { platform, project, useProject } from "../use-project";

const program = `
  const puller = new platform.RegistryCredentials("puller", { registry: "registry.example.com" });
  exports.password = puller.password;
  exports.expiry = puller.expiry;
`;

useProject(program);

test("a token is kept until it is about to expire, renewed by up, never drift, encrypted, and announced when deleted", async () => {
  expect((await succeed(project.up())).steps).toEqual(["create RegistryCredentials puller"]);
  const first = await project.output("expiry");
  expect((await succeed(project.up("--expect-no-changes"))).steps).toEqual([]);
  expect(await project.output("expiry")).toBe(first);

  await platform.settings({ apiTokenLifetimeSeconds: 600 });
  expect((await succeed(project.up("--replace", "**puller"))).output).toContain("The token works until");
  const short = await project.output("expiry");
  expect(await succeed(project.drift())).toMatchObject({ code: 0, steps: [] });
  expect((await succeed(project.up())).steps).toEqual(["update RegistryCredentials puller"]);
  expect(await project.output("expiry")).not.toBe(short);

  const { output: state } = await succeed(project.pulumi("stack", "export"));
  expect(state).toContain("RegistryCredentials");
  expect(state).not.toMatch(/eyJ[A-Za-z0-9_-]{20,}/);
  const { output } = await succeed(project.destroy());
  expect(output).toContain("nothing was revoked. The token works until");
  expect(output).not.toMatch(/eyJ[A-Za-z0-9_-]{20,}/);
});
