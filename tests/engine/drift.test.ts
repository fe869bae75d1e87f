import { TestPlatform, type WireObject } from "../support/test-platform";
import { claimMatch, organization } from "./programs";
import { Project } from "./project";
import { fail, succeed } from "./succeed";
import { platform, project, useProject } from "./use-project";
import { longTest } from "../support/tier";

useProject(organization());

/** Collections by the class of the resource. */
const collections: Record<string, string> = { Group: "groups", Identity: "identities", RoleBinding: "roleBindings" };

/** The declared objects as the platform has them, by logical name and without the times that change on their own. */
async function declaredObjects(): Promise<Map<string, { collection: string; uid: string; fields: object }>> {
  const found = (await project.resources()).map(async ({ urn, type, id = "" }) => {
    const collection = collections[type.split(":").at(-1) ?? ""] ?? "";
    const object: Partial<WireObject> = (await platform.objects(collection)).find(({ uid }) => uid === id) ?? {};
    const { updateTime: _, lastSeenTime: __, ...fields } = object;
    return [urn.split("::").at(-1) ?? "", { collection, uid: id, fields }] as const;
  });
  return new Map(await Promise.all(found));
}

/** One changed field: of which resource, as it is called by the engine; its new value; and the mask that repairs it. */
type Change = [resource: string, fields: (owner: string, nightly: string) => object, mask: string];

/** Every field of every kind; the changes of one round are made together, each to another object. */
const rounds: Change[][] = [
  [
    ["Group engineering", () => ({ name: "renamed" }), "name"],
    ["Group team", () => ({ description: "Added by hand" }), "description"],
    ["Identity ci", () => ({ name: "renamed" }), "name"],
    ["Identity nightly", () => ({ claimMatch: { issuer: "https://gitlab.example" } }), "claim_match"],
    ["RoleBinding binding", (owner) => ({ roleUid: owner }), "role_uid"],
  ],
  [
    ["Group engineering", () => ({ description: "Changed by hand" }), "description"],
    ["Identity ci", () => ({ description: "" }), "description"],
    ["Identity nightly", () => ({ claimMatch: { subject: "project_path:mallory/shop" } }), "claim_match"],
    ["RoleBinding binding", (_owner, nightly) => ({ identityUid: nightly }), "identity_uid"],
  ],
];

test("drift of every field of every kind, and of a whole claim match, is found with exit code 7, named, and repaired in place by up --refresh; what the platform changes on its own is none", async () => {
  await succeed(project.up());
  const before = await declaredObjects();
  const owner = await platform.role("owner");
  const nightly = before.get("nightly")?.uid ?? "";
  for (const changes of rounds) {
    for (const [resource, fields] of changes) {
      const { collection = "", uid = "" } = before.get(resource.split(" ")[1] ?? "") ?? {};
      await platform.change(collection, uid, fields(owner, nightly));
    }
    await platform.clearRequests();
    const { code, steps } = await project.drift();
    expect(code).toBe(7);
    expect(steps.sort()).toEqual(changes.map(([resource]) => `update ${resource}`).sort());
    expect(await platform.writes()).toEqual([]);
    await succeed(project.up("--refresh", "--run-program"));
    expect((await platform.writes()).map(({ query }) => query).sort()).toEqual(
      changes.map(([, , mask]) => `updateMask=${mask}`).sort(),
    );
    expect(await declaredObjects()).toEqual(before);
  }

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

  await platform.change("identities", ci.uid, { lastSeenTime: "2031-01-01T00:00:00.000Z" });
  expect((await succeed(project.drift())).steps).toEqual([]);
  expect((await project.preview("--refresh", "--run-program", "--expect-no-changes")).code).toBe(0);
});

test("a login that somebody else has changed stops a plain up of something else; preview --refresh and an unattended up --refresh show it, each once", async () => {
  await succeed(project.up());
  const { uid } = await platform.named("identities", "ci");
  await platform.change("identities", uid, {
    claimMatch: { issuer: "https://evil.example", subject: null, subjectPattern: ".*" },
  });
  await project.program(organization({ identityDescription: "Another" }));
  const { output } = await fail(project.up());
  for (const part of [uid, "https://evil.example", '".*"', claimMatch.issuer, "Nothing was sent", "up --refresh --run-program"])
    expect(output).toContain(part);
  expect((await platform.named("identities", "ci"))["claimMatch"]).toMatchObject({ issuer: "https://evil.example" });

  // While it runs, the engine repeats the last message beside the resource.
  const told = (text: string) => (text.split("Diagnostics:")[1] ?? "").split("somebody else has changed it").length - 1;
  expect(told((await succeed(project.preview("--refresh", "--run-program"))).output)).toBe(1);
  const repair = await succeed(project.up("--refresh", "--run-program"));
  expect([told(repair.output), repair.output.includes("https://evil.example")]).toEqual([1, true]);
  expect((await platform.named("identities", "ci"))["claimMatch"]).toMatchObject(claimMatch);
  expect((await succeed(project.up())).steps).toEqual([]);
});

longTest("an object deleted behind the provider's back is found and made again", async () => {
  await succeed(project.up());
  const team = await platform.named("groups", "team");
  const ci = await platform.named("identities", "ci");
  await platform.delete("groups", team.uid);
  await platform.letTimePass();
  const drift = await project.drift();
  expect(drift.code).toBe(7);
  await succeed(project.up("--refresh", "--run-program"));
  const again = await platform.named("groups", "team");
  expect(again.uid).not.toBe(team.uid);
  expect((await platform.named("identities", "ci")).uid).not.toBe(ci.uid);
  expect((await project.drift()).code).toBe(0);
});

longTest(
  "a platform that answers 404 or success to everything, or another address, empties no state and deletes nothing, on refresh or destroy; --run-program acts at the present address",
  async () => {
    await succeed(project.up());
    const ids = async () => (await project.resources()).map((resource) => resource.id);
    const before = await ids();
    await platform.letTimePass();
    await platform.fault({ path: "^/(iam|registry)/" }, { status: 404, code: 5, message: "Not Found" }, { times: 0 });
    const refresh = await fail(project.refresh());
    expect(refresh.output).toContain("does not prove");
    await fail(project.destroy());
    expect(await ids()).toEqual(before);
    for (const body of ["", '{"status":"ok"}']) {
      await platform.clearFaults();
      await platform.fault({ path: "^/(iam|registry)/" }, { status: 200, body }, { times: 0 });
      await fail(project.destroy());
      expect([body, await ids()]).toEqual([body, before]);
    }
    await platform.clearFaults();
    expect(await platform.groupNames()).toEqual(["engineering", "security", "team"]);

    const elsewhere = await TestPlatform.start();
    await elsewhere.letTimePass();
    try {
      Object.assign(project.environment, elsewhere.environment, { PLATFORM_ORGANIZATION: platform.root });
      const { output } = await fail(project.refresh());
      expect(output).toContain("cannot see");
      await fail(project.destroy());
      expect(await ids()).toEqual(before);
      // Asked to delete at the wrong address, the provider sent no delete that the other platform could have taken for done.
      expect((await elsewhere.writes()).filter((request) => request.status !== 404)).toEqual([]);
      Object.assign(project.environment, platform.environment);
      await succeed(project.destroy("--run-program"));
      expect(await platform.groupNames()).toEqual([]);
    } finally {
      await elsewhere.close();
    }
  },
);

longTest("settings in the stack's config reach refresh and destroy of the present by --run-program", async () => {
  const configured = await Project.create(`new Group("configured", { parentUid: ${JSON.stringify(platform.root)} });`, {});
  const second = await TestPlatform.start();
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
