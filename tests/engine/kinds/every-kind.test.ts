import type { DriftDocument } from "../../../cli/documents/drift";
import * as provider from "../../../provider";
import { endWith, succeed } from "../succeed";
import { platform, project, useProject } from "../use-project";

useProject("", { shared: true, door: "dynamic" });

const secret = "the-secret-of-the-studio";
const collections = [
  "groups",
  "identities",
  "roles",
  "roleBindings",
  "identityProviders",
  "externalGroupRoleMappings",
  "accountAssociations",
  "groupInvites",
  "subscriptions",
  "repos",
  "tags",
] as const;

/** The uids of everything on the platform, by collection. */
const everything = async () =>
  Object.fromEntries(
    await Promise.all(
      collections.map(async (kind) => [kind, (await platform.objects(kind)).map(({ uid }) => uid).sort()] as const),
    ),
  );
const inStudio = async (kind: string) => {
  const { uid: studio } = await platform.named("groups", "studio");
  const found = (await platform.objects(kind)).filter(({ uid }) => uid === studio || uid.startsWith(`${studio}/`));
  return found;
};
const only = async (kind: string) => {
  const [found, ...others] = await inStudio(kind);
  if (found === undefined || others.length > 0) throw new Error(`${others.length + 1} or no ${kind}`);
  return found;
};

let before: Awaited<ReturnType<typeof everything>>;

beforeAll(async () => {
  await project.example("every-kind");
  await succeed(project.pulumi("config", "set", "--secret", "clientSecret", secret));
  before = await everything();
});

test("examples/every-kind: each kind of the package is made, with its secrets encrypted, unchanged, found when it drifts, and repaired", async () => {
  await succeed(project.up());
  const invite = await only("groupInvites");
  for (const hidden of [secret, String(invite["code"])]) expect(await project.storedState()).not.toContain(hidden);
  const declared = new Set((await project.resources()).map(({ type }) => type.split(":").at(-1)));
  expect([...declared].sort()).toEqual(
    Object.keys(provider)
      .map((name) => name.replace(/^./, (letter) => letter.toUpperCase()))
      .sort(),
  );
  expect((await succeed(project.up("--expect-no-changes"))).steps).toEqual([]);

  expect(await project.output("runsAs")).toBe(platform.identity);

  // Objects that the platform can change in place are changed by hand, the others are deleted by hand.
  const owner = await platform.role("owner");
  const { uid: studio } = await platform.named("groups", "studio");
  const { uid: images } = await platform.named("groups", "images");
  const { uid: staff } = await platform.named("identityProviders", "staff");
  const mapping = await only("externalGroupRoleMappings");
  const subscription = await only("subscriptions");
  await platform.change("groups", studio, { description: "by hand" });
  await platform.change("identities", (await platform.named("identities", "release")).uid, {
    claimMatch: { subject: null, subjectPattern: ".*" },
  });
  await platform.change("roles", (await platform.named("roles", "curator")).uid, { capabilities: ["CAP_REPO_DELETE"] });
  const binding = (await inStudio("roleBindings")).find(({ uid }) => uid.split("/").length === 3 && uid.startsWith(`${studio}/`));
  await platform.change("roleBindings", binding?.uid ?? "", { roleUid: owner });
  await platform.create("roleBindings", images, { identityUid: platform.identity, roleUid: owner });
  await platform.change("identityProviders", staff, { defaultRole: owner });
  await platform.change("accountAssociations", studio, { amazon: { account: "999999999999" } });
  await platform.change("repos", (await platform.named("repos", "posters")).uid, { description: "by hand" });
  await platform.change("tags", (await platform.named("tags", "season")).uid, { deprecated: true });
  for (const [kind, { uid }] of Object.entries({
    groupInvites: invite,
    externalGroupRoleMappings: mapping,
    subscriptions: subscription,
  }))
    await platform.delete(kind, uid);
  await platform.letTimePass();

  // An invite for a single use that is gone has been accepted, which is no drift.
  const { steps } = await endWith(7, project.drift());
  expect(steps.sort()).toEqual([
    "delete ExternalGroupRoleMapping curators",
    "delete Subscription audit",
    "update AccountAssociation accounts",
    "update Group studio",
    "update GroupAccess images",
    "update Identity release",
    "update IdentityProvider staff",
    "update Repo posters",
    "update Role curator",
    "update RoleBinding ingester-viewer",
    "update Tag season",
  ]);

  // The command finds the same, and what is beside the stack.
  const { stdout } = await endWith(7, project.command("drift", "--stack", "test", "--json"));
  const { findings } = JSON.parse(stdout) as DriftDocument;
  const found = findings.filter((finding) => finding.path.includes("/studio"));
  expect(found.map(({ class: what, kind }) => `${what} ${kind}`).sort()).toEqual([
    "changed iam:AccountAssociation",
    "changed iam:Group",
    "changed iam:Identity",
    "changed iam:IdentityProvider",
    "changed iam:Role",
    "changed iam:RoleBinding",
    "changed registry:Repo",
    "changed registry:Tag",
    "missing events:Subscription",
    "missing iam:ExternalGroupRoleMapping",
    "settled iam:GroupInvite",
    "unmanaged iam:RoleBinding",
  ]);

  await succeed(project.up("--refresh", "--run-program"));
  expect((await succeed(project.drift())).steps).toEqual([]);
  expect(await platform.named("groups", "studio")).toMatchObject({ uid: studio, description: "Makes pictures" });
  const { claimMatch } = await platform.named("identities", "release");
  expect(claimMatch).toMatchObject({ subject: "repo:studio/images:environment:production" });
  expect(JSON.stringify(claimMatch)).not.toContain(".*");
  const owners = (await inStudio("roleBindings")).filter(({ role }) => (role as { uid: string }).uid === owner);
  expect(owners).toHaveLength(1);
  expect(owners[0]?.["identity"]).not.toMatchObject({ uid: platform.identity });
  expect(await only("subscriptions")).toMatchObject({ sink: "https://events.studio.example/platform" });
  expect(await inStudio("groupInvites")).toEqual([]);
});

test("a changed import moves every kind to the plugin without a step or a write to the platform; destroyed there, nothing is left", async () => {
  const ids = async () => (await project.resources()).map(({ id }) => id).sort();
  const known = await ids();
  await platform.clearRequests();
  await project.example("every-kind", "native");
  expect((await succeed(project.up())).steps).toEqual([]);
  expect(await ids()).toEqual(known);
  expect((await project.resources()).filter(({ type }) => !type.startsWith("platform:"))).toEqual([]);
  await succeed(project.preview("--refresh", "--expect-no-changes"));
  expect(await platform.writes()).toEqual([]);
  await succeed(project.destroy("--run-program"));
  expect(await project.resources()).toEqual([]);
  expect(await everything()).toEqual(before);
});
