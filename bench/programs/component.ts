import { type GroupEntry, Organization } from "pulumi-platform";
import { setting } from "./organization";

/** BENCH_COUNT objects: a tenth are groups, each with three identities that have two roles. terraform/grants.tf declares the same. */
const teams = Number(setting("BENCH_COUNT")) / 100;

const identity = (n: number) => ({
  claimMatch: { issuer: "https://token.actions.githubusercontent.com", subject: `repo:acme/service-${n}:ref:refs/heads/main` },
});

function group(n: number, more: Partial<GroupEntry> = {}): GroupEntry {
  const robots = [0, 1, 2].map((at) => `robot-${3 * n + at}`);
  return {
    description: `Owns what number ${n} runs`,
    identities: Object.fromEntries(robots.map((name, at) => [name, identity(3 * n + at)])),
    access: { viewer: robots, editor: robots },
    ...more,
  };
}

const projects = (team: number) =>
  Object.fromEntries(Array.from({ length: 9 }, (_, at) => [`project-${10 * team + at + 1}`, group(10 * team + at + 1)]));

new Organization("bench", {
  parentUid: setting("PLATFORM_ORGANIZATION"),
  accessAs: "GroupAccess",
  groups: Object.fromEntries(
    Array.from({ length: teams }, (_, team) => [`team-${10 * team}`, group(10 * team, { groups: projects(team) })]),
  ),
});
