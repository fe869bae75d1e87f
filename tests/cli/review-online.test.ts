import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import type { ReviewDocument } from "../../cli/documents/review";
import { run } from "../support/cli";
import { stays, step } from "../support/preview-steps";
import { TestPlatform } from "../support/test-platform";

let platform: TestPlatform;
let folder: string;

beforeAll(async () => {
  platform = await TestPlatform.start();
  folder = await mkdtemp(path.join(tmpdir(), "review-online-"));
});
afterAll(async () => {
  await platform.close();
  await rm(folder, { recursive: true });
});

test("a first preview that has no uid finds by paths and names what other programs have in the configured organisation", async () => {
  const acme = (await platform.objects("groups")).find(({ uid }) => uid === platform.root)?.["name"];
  const team = await platform.create("groups", platform.root, { name: "team" });
  const claimMatch = { issuer: "https://issuer.example.com", subject: "ci" };
  const ci = await platform.create("identities", team.uid, { name: "ci", claimMatch });
  await platform.create("roles", platform.root, { name: "puller", capabilities: ["CAP_REPO_LIST"] });
  const inputs = { parentPath: `${String(acme)}/team`, identityRef: `${String(acme)}/team/ci`, roleName: "puller" };
  const file = path.join(folder, "preview.json");
  await writeFile(file, JSON.stringify({ steps: [step("RoleBinding", "pull", undefined, inputs)] }));
  const { stdout } = await run(["review", "--file", file, "--json"], {
    ...platform.environment,
    PLATFORM_ORGANIZATION: platform.root,
  });
  expect(JSON.parse(stdout) as ReviewDocument).toMatchObject({
    changes: [{ severity: "low", role: "puller", identity: { uid: ci.uid }, at: { uid: team.uid } }],
    unknown: [],
    bounds: "exact",
  });
});

test("a review knows whose access it runs with, and which identities are marked, by whatever setting", async () => {
  const claimMatch = { issuer: platform.issuer, subject: "runner" };
  const { uid } = await platform.create("identities", platform.root, { name: "runner", claimMatch });
  const bound = { identityUid: uid, roleUid: await platform.role("viewer") };
  const { uid: binding } = await platform.create("roleBindings", platform.root, bound);
  const { newState: _, ...removed } = stays("RoleBinding", "own", { parentUid: platform.root, ...bound });
  Object.assign(removed.oldState ?? {}, { id: binding });
  const file = path.join(folder, "own.json");
  await writeFile(file, JSON.stringify({ steps: [{ ...removed, op: "delete" }] }));
  const asRunner = {
    ...platform.environment,
    PLATFORM_IDENTITY: uid,
    PLATFORM_OIDC_TOKEN: await platform.oidcToken({ subject: "runner" }),
    PLATFORM_OIDC_TOKEN_FILE: "",
  };
  const alarms = async (environment: object, ...options: string[]) => {
    const { stdout } = await run(["review", "--file", file, "--json", ...options], { ...asRunner, ...environment });
    return (JSON.parse(stdout) as ReviewDocument).changes.map((change) => change.alarms);
  };
  expect(await alarms({ PLATFORM_BREAK_GLASS: uid })).toEqual([["ownAccess", "breakGlass"]]);
  expect(await alarms({ PLATFORM_BREAK_GLASS: uid, PLATFORM_IDENTITY: "" }, "--offline")).toEqual([["breakGlass"]]);
  expect(await run(["review", "--file", file, "--offline"], { PLATFORM_BREAK_GLASS: "no;uid" })).toMatchObject({ code: 1 });
});

test("a built-in role that a program reads is no organisation to look for", async () => {
  const viewer = stays("Role", "viewer", {}, "");
  const uid = await platform.role("viewer");
  for (const state of [viewer.oldState ?? {}, viewer.newState]) Object.assign(state, { external: true, id: uid });
  const file = path.join(folder, "built-in.json");
  const group = step("Group", "new", undefined, { parentUid: platform.root, name: "new" });
  await writeFile(file, JSON.stringify({ steps: [{ ...viewer, op: "read" }, group] }));
  const gate = ["review", "--file", file, "--fail-on", "any"];
  expect(await run(gate, platform.environment)).toMatchObject({ code: 0, stdout: "No access changes.\n" });
});

test("a new role says which organisation it is in", async () => {
  const inputs = { parentUid: platform.root, name: "new", capabilities: ["CAP_REPO_LIST"] };
  const file = path.join(folder, "new-role.json");
  await writeFile(file, JSON.stringify({ steps: [step("Role", "new", undefined, inputs)] }));
  const { code, stderr } = await run(["review", "--file", file, "--fail-on", "high"], {
    ...platform.environment,
    PLATFORM_ORGANIZATION: "",
  });
  expect([code, stderr]).toEqual([0, ""]);
});

test("a gate does not pass where nothing says which organisation to read", async () => {
  const file = path.join(folder, "by-path.json");
  const inputs = { parentPath: "acme/team", identityRef: "acme/team/unseen", roleName: "viewer" };
  await writeFile(file, JSON.stringify({ steps: [step("RoleBinding", "new", undefined, inputs)] }));
  const gate = ["review", "--file", file, "--fail-on", "medium"];
  const { code, stderr } = await run(gate, { ...platform.environment, PLATFORM_ORGANIZATION: "" });
  expect([code, stderr]).toEqual([
    1,
    expect.stringContaining("- the organisation: neither the preview nor PLATFORM_ORGANIZATION"),
  ]);
});

test("a gate passes for a viewer of the organisation, and not where a List that shows access is forbidden", async () => {
  const viewer = await platform.create("identities", platform.root, {
    name: "gatekeeper",
    claimMatch: { issuer: platform.issuer, subject: "gatekeeper" },
  });
  await platform.create("roleBindings", platform.root, { identityUid: viewer.uid, roleUid: await platform.role("viewer") });
  const file = path.join(folder, "group.json");
  await writeFile(file, JSON.stringify({ steps: [step("Group", "new", undefined, { parentUid: platform.root, name: "new" })] }));
  const environment = {
    ...platform.environment,
    PLATFORM_IDENTITY: viewer.uid,
    PLATFORM_OIDC_TOKEN: await platform.oidcToken({ subject: "gatekeeper" }),
    PLATFORM_OIDC_TOKEN_FILE: "",
  };
  const gate = () => run(["review", "--file", file, "--fail-on", "any"], environment);
  expect(await gate()).toMatchObject({ code: 0, stdout: "No access changes.\n" });
  await platform.fault({ method: "GET", path: "/iam/v2beta1/externalGroupRoleMappings" }, { status: 403 });
  const { code, stderr } = await gate();
  await platform.clearFaults();
  expect([code, stderr]).toEqual([1, expect.stringContaining("- externalGroupRoleMappings in ")]);
});
