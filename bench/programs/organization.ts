import type * as pulumi from "@pulumi/pulumi";

/** An object's uid, known or not yet. */
type Uid = pulumi.Input<string>;

/** A declared resource. */
interface Made {
  readonly id: Uid;
}

/**
 * A resource class. Classes are used instead of functions, because the engine's SDK traces every frame between a program and its resources.
 */
type Kind<Args> = new (name: string, args: Args) => Made;

/** One way of writing the three kinds. */
export interface Kinds {
  Group: Kind<{ parentUid: Uid; name: string; description: string }>;
  Identity: Kind<{ parentUid: Uid; name: string; description: string; claimMatch: { issuer: string; subject: string } }>;
  RoleBinding: Kind<{ parentUid: Uid; identityUid: Uid; roleUid: Uid }>;
  /** Uid of the role of every binding. */
  viewer: Uid;
}

/** A variable that the benchmark sets. */
export function setting(name: string): string {
  const value = process.env[name];
  if (value === undefined) throw new Error(`${name} is not set: npm run bench sets it.`);
  return value;
}

/**
 * Declares BENCH_COUNT resources, a third of each kind. They are teams under the root, nine projects in each, and for each group a robot of
 * the team that may look at it. terraform/main.tf declares the same.
 */
export function declareOrganization({ Group, Identity, RoleBinding, viewer }: Kinds): void {
  const count = Number(setting("BENCH_COUNT"));
  const root = setting("PLATFORM_ORGANIZATION");
  let team: Uid = root;
  for (let n = 0; 3 * n < count; n++) {
    const isTeam = n % 10 === 0;
    const name = isTeam ? `team-${n}` : `project-${n}`;
    const group: Made = new Group(name, { parentUid: isTeam ? root : team, name, description: `Owns what number ${n} runs` });
    if (isTeam) team = group.id;
    if (3 * n + 1 === count) return;
    const robot = new Identity(`robot-${n}`, {
      parentUid: team,
      name: `robot-${n}`,
      description: `Deploys number ${n}`,
      claimMatch: {
        issuer: "https://token.actions.githubusercontent.com",
        subject: `repo:acme/service-${n}:ref:refs/heads/main`,
      },
    });
    if (3 * n + 2 === count) return;
    new RoleBinding(`robot-${n}-viewer`, { parentUid: team, identityUid: robot.id, roleUid: viewer });
  }
}
