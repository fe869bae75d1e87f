import { succeed } from "../succeed";
import { platform, project, useProject } from "../use-project";

const organization = `
const division = (name) => new Group(name, { parentUid: root }).uid;
module.exports = { groups: { engineering: division("engineering"), security: division("security") } };
`;

useProject(organization, { shared: true });

test("examples/teams: stacks of several teams run at once, each in its own part of the organisation", async () => {
  await succeed(project.up());
  await project.example("teams");
  const teams: [string, string, string[]][] = [
    ["checkout", "engineering", ["basket", "prices"]],
    ["watch", "security", ["scanner"]],
  ];
  for (const [team, division, services] of teams) {
    await succeed(project.pulumi("stack", "init", team));
    const values = { organizationStack: "organization/test/test", division };
    for (const [key, value] of Object.entries(values))
      await succeed(project.pulumi("config", "set", "--stack", team, key, value));
    for (const [index, service] of services.entries())
      await succeed(project.pulumi("config", "set", "--stack", team, "--path", `services[${index}]`, service));
  }
  await Promise.all(teams.map(([team]) => succeed(project.pulumi("up", "--yes", "--skip-preview", "--stack", team))));
  expect(await platform.groupNames()).toEqual(["basket", "checkout", "engineering", "prices", "scanner", "security", "watch"]);
  const [basket, checkout] = [await platform.named("groups", "basket"), await platform.named("groups", "checkout")];
  expect(basket.uid.startsWith(`${checkout.uid}/`)).toBe(true);
  expect(await platform.named("identities", "basket-release")).toMatchObject({
    claimMatch: { subject: "repo:acme/basket:environment:production" },
  });
  const again = teams.map(([team]) => succeed(project.pulumi("up", "--yes", "--expect-no-changes", "--stack", team)));
  await Promise.all(again);
});
