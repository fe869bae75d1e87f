import { TestPlatform, type WireObject } from "../support/test-platform";
import { claimMatch, organization } from "./programs";
import { Project } from "./project";
import { endWith, fail, succeed } from "./succeed";
import { platform, project, useProject } from "./use-project";
import { longTest } from "../support/tier";

useProject(organization());

/** Collections by the class of the resource. */
const collections: Record<string, string> = { Group: "groups", Identity: "identities", RoleBinding: "roleBindings" };

/** A declared object as the platform has it, without the times that change on their own. */
interface Declared {
  collection: string;
  uid: string;
  fields: object;
}

/** The declared objects by logical name. */
async function declaredObjects(): Promise<Record<string, Declared>> {
  const found = (await project.resources()).map(async ({ urn, type, id = "" }): Promise<[string, Declared]> => {
    const collection = collections[type.split(":").at(-1) ?? ""] ?? "";
    const object: Partial<WireObject> = (await platform.objects(collection)).find(({ uid }) => uid === id) ?? {};
    const { updateTime: _, lastSeenTime: __, ...fields } = object;
    return [urn.split("::").at(-1) ?? "", { collection, uid: id, fields }];
  });
  return Object.fromEntries(await Promise.all(found));
}

/** One changed field: of which resource, as it is called by the engine; its new value; and the mask that repairs it. */
type Change = [resource: string, fields: object, mask: string];

const broad = { issuer: "https://evil.example", subject: null, subjectPattern: ".*", audience: "anyone" };

test("drift of every kind is found with exit code 7, named, and repaired in place by up --refresh; a login that somebody else has changed stops a plain up of something else, and is shown once; what the platform changes on its own is no drift", async () => {
  await succeed(project.up());
  const before = await declaredObjects();
  const changes: Change[] = [
    ["Group engineering", { name: "renamed" }, "name"],
    ["Group team", { description: "Added by hand" }, "description"],
    ["Identity ci", { claimMatch: broad }, "claim_match"],
    ["Identity nightly", { name: "renamed" }, "name"],
    ["RoleBinding binding", { roleUid: await platform.role("owner") }, "role_uid"],
  ];
  for (const [resource, fields] of changes) {
    const { collection = "", uid = "" } = before[resource.split(" ")[1] ?? ""] ?? {};
    await platform.change(collection, uid, fields);
  }
  await platform.clearRequests();
  const { steps } = await endWith(7, project.drift());
  expect(steps.sort()).toEqual(changes.map(([resource]) => `update ${resource}`).sort());
  const { uid } = before["ci"] ?? { uid: "" };
  await project.program(organization({ identityDescription: "Another" }));
  await fail(project.up(), uid, broad.issuer, '".*"', claimMatch.issuer, "up --refresh --run-program", "Nothing was sent");
  expect(await platform.writes()).toEqual([]);

  // While it runs, the engine repeats the last message beside the resource.
  const told = (text: string) => (text.split("Diagnostics:")[1] ?? "").split(broad.issuer).length - 1;
  expect(told((await succeed(project.preview("--refresh", "--run-program"))).output)).toBe(1);
  await project.program(organization());
  const repair = await succeed(project.up("--refresh", "--run-program"));
  expect(told(repair.output)).toBe(1);
  expect((await platform.writes()).map(({ query }) => query).sort()).toEqual(
    changes.map(([, , mask]) => `updateMask=${mask}`).sort(),
  );
  expect(await declaredObjects()).toEqual(before);

  await platform.change("identities", uid, { lastSeenTime: "2031-01-01T00:00:00.000Z" });
  expect((await succeed(project.drift())).steps).toEqual([]);
});

longTest(
  "a platform that answers 404 or success to everything, or another address, empties no state and deletes nothing, on refresh or destroy; --run-program acts at the present address",
  async () => {
    await succeed(project.up());
    const ids = async () => (await project.resources()).map((resource) => resource.id);
    const before = await ids();
    await platform.letTimePass();
    await platform.fault({ path: "^/(iam|registry)/" }, { status: 404, code: 5, message: "Not Found" }, { times: 0 });
    await fail(project.refresh(), "[NOT_GONE]");
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
      await fail(project.refresh(), platform.root);
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
    await fail(configured.drift(), platform.root);
    await configured.config(settings);
    await succeed(configured.destroy("--run-program"));
    expect(await platform.groupNames()).not.toContain("configured");
  } finally {
    await configured.remove();
    await second.close();
  }
});
