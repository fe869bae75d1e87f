import { Platform } from "./platform";
import { claimMatch, organization } from "./programs";
import { Project } from "./project";
import { fail, succeed } from "./succeed";

jest.setTimeout(300_000);

let platform: Platform;
let project: Project;

beforeEach(async () => {
  platform = await Platform.start();
  project = await Project.create(organization(), platform.environment);
  await succeed(project.up());
});

afterEach(async () => {
  await platform.close();
  await project.remove();
});

/** A change behind the provider's back: which field of which object, and what it was. */
const changes: { what: string; collection: string; name: string; change: () => Promise<object> | object }[] = [
  { what: "a group's name", collection: "groups", name: "engineering", change: () => ({ name: "renamed" }) },
  {
    what: "a group's description",
    collection: "groups",
    name: "engineering",
    change: () => ({ description: "Changed by hand" }),
  },
  {
    what: "a description that was not there",
    collection: "groups",
    name: "team",
    change: () => ({ description: "Added by hand" }),
  },
  { what: "an identity's name", collection: "identities", name: "ci", change: () => ({ name: "renamed" }) },
  { what: "an identity's description", collection: "identities", name: "ci", change: () => ({ description: "" }) },
  {
    what: "a claim",
    collection: "identities",
    name: "ci",
    change: () => ({ claimMatch: { ...claimMatch, subject: "repo:mallory/shop:ref:refs/heads/main" } }),
  },
];

test("drift of every field is found with exit code 7 and repaired by up --refresh", async () => {
  for (const { what, collection, name, change } of changes) {
    const object = await platform.named(collection, name);
    const fields = await change();
    await platform.change(collection, object.uid, fields);
    const drift = await project.drift();
    expect([what, drift.code]).toEqual([what, 7]);
    await succeed(project.up("--refresh", "--run-program"));
    const repaired = (await platform.objects(collection)).find((row) => row.uid === object.uid);
    for (const field of Object.keys(fields)) expect([what, repaired?.[field]]).toEqual([what, object[field]]);
    expect([what, (await project.drift()).code]).toEqual([what, 0]);
  }
});

test("a binding that was given another role or identity is found and put right in place", async () => {
  const team = await platform.named("groups", "team");
  const [binding] = (await platform.objects("roleBindings")).filter((row) => row.uid.startsWith(`${team.uid}/`));
  const nightly = await platform.named("identities", "nightly");
  const ci = await platform.named("identities", "ci");
  const uid = binding?.uid ?? "";
  await platform.change("roleBindings", uid, { roleUid: await platform.role("owner"), identityUid: nightly.uid });
  expect((await project.drift()).code).toBe(7);
  await succeed(project.up("--refresh", "--run-program"));
  const repaired = (await platform.objects("roleBindings")).find((row) => row.uid === uid);
  expect(repaired).toMatchObject({ identity: { uid: ci.uid }, role: { name: "viewer" } });
});

test("a claim match widened by hand is found and wholly repaired", async () => {
  const ci = await platform.named("identities", "ci");
  await platform.change("identities", ci.uid, {
    claimMatch: { issuer: claimMatch.issuer, subjectPattern: ".*", audience: "anyone" },
  });
  expect((await project.drift()).code).toBe(7);
  await platform.clearRequests();
  await succeed(project.up("--refresh", "--run-program"));
  expect((await platform.writes()).map(({ query, body }) => ({ query, body }))).toEqual([
    { query: "updateMask=claim_match", body: { claimMatch } },
  ]);
  const repaired = (await platform.named("identities", "ci"))["claimMatch"];
  expect(repaired).toMatchObject(claimMatch);
  expect(repaired).not.toHaveProperty("subjectPattern");
  expect(repaired).not.toHaveProperty("audience");
});

test("fields that the platform moves by itself are never drift", async () => {
  const ci = await platform.named("identities", "ci");
  await platform.change("identities", ci.uid, { lastSeenTime: "2031-01-01T00:00:00.000Z" });
  expect((await project.drift()).code).toBe(0);
  expect((await project.preview("--refresh", "--run-program", "--expect-no-changes")).code).toBe(0);
});

test("an object deleted behind the provider's back is found and made again", async () => {
  const team = await platform.named("groups", "team");
  const ci = await platform.named("identities", "ci");
  await platform.delete("groups", team.uid);
  const drift = await project.drift();
  expect(drift.code).toBe(7);
  await succeed(project.up("--refresh", "--run-program"));
  const again = await platform.named("groups", "team");
  expect(again.uid).not.toBe(team.uid);
  expect((await platform.named("identities", "ci")).uid).not.toBe(ci.uid);
  expect((await project.drift()).code).toBe(0);
});

test("a platform that answers 404 to everything deletes nothing from state, on refresh or destroy", async () => {
  const before = (await project.resources()).map((resource) => resource.id);
  await platform.fault({ path: "^/(iam|registry)/" }, { status: 404, code: 5, message: "Not Found" }, { times: 0 });
  const refresh = await fail(project.refresh());
  expect(refresh.output).toContain("does not prove");
  await fail(project.destroy());
  await platform.clearFaults();
  expect((await project.resources()).map((resource) => resource.id)).toEqual(before);
  expect(await platform.groupNames()).toEqual(["engineering", "security", "team"]);
});

test.each(["", '{"status":"ok"}'])("a server that answers success %j to everything empties no state", async (body) => {
  const before = (await project.resources()).map((resource) => resource.id);
  await platform.fault({ path: "^/(iam|registry)/" }, { status: 200, body }, { times: 0 });
  await fail(project.destroy());
  await platform.clearFaults();
  expect((await project.resources()).map((resource) => resource.id)).toEqual(before);
  expect(await platform.groupNames()).toEqual(["engineering", "security", "team"]);
});

test("with another address, refresh and destroy with --run-program act there, and drop nothing that is merely invisible", async () => {
  const before = (await project.resources()).map((resource) => resource.id);
  const elsewhere = await Platform.start();
  try {
    Object.assign(project.environment, elsewhere.environment, { PLATFORM_ORGANIZATION: platform.root });
    const { output } = await fail(project.refresh());
    expect(output).toContain("cannot see");
    await fail(project.destroy());
    expect((await project.resources()).map((resource) => resource.id)).toEqual(before);
    // Asked to delete at the wrong address, the provider sent no delete that the other platform could have taken for done.
    expect((await elsewhere.writes()).filter((request) => request.status !== 404)).toEqual([]);
    Object.assign(project.environment, platform.environment);
    await succeed(project.destroy("--run-program"));
    expect(await platform.groupNames()).toEqual([]);
  } finally {
    await elsewhere.close();
  }
});

test("settings in the stack's config reach refresh and destroy of the present by --run-program", async () => {
  const configured = await Project.create(`new Group("configured", { parentUid: ${JSON.stringify(platform.root)} });`, {});
  const second = await Platform.start();
  try {
    const settings = {
      "platform:baseUrl": platform.baseUrl,
      "platform:identity": platform.identity,
      "platform:oidcTokenFile": platform.oidcTokenFile,
    };
    await configured.config(settings);
    await succeed(configured.up());
    await configured.config({ "platform:baseUrl": `${platform.baseUrl}/` });
    await succeed(configured.drift());
    await configured.config({
      "platform:baseUrl": second.baseUrl,
      "platform:oidcTokenFile": second.oidcTokenFile,
      "platform:identity": second.identity,
    });
    expect((await fail(configured.drift())).output).toContain("cannot see");
    await configured.config(settings);
    await succeed(configured.destroy("--run-program"));
    expect(await platform.groupNames()).not.toContain("configured");
  } finally {
    await configured.remove();
    await second.close();
  }
});
