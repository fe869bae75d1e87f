import type { ReviewDocument } from "../../cli/documents/review";
import { connect, readConfiguration } from "../../provider/credentials";
import { expectEnd } from "../support/cli";
import { deleted, made, reads, stays } from "../support/preview-steps";
import { review } from "../support/review-gate";
import { TestPlatform } from "../support/test-platform";

const platform = TestPlatform.forFile();

/** An identity with a role in the organisation, and the environment of a run that logs in as it. */
async function runner(name: string) {
  const claimMatch = { issuer: platform.issuer, subject: name };
  const { uid } = await platform.create("identities", platform.root, { name, claimMatch });
  const bound = { identityUid: uid, roleUid: await platform.role("viewer") };
  const binding = await platform.create("roleBindings", platform.root, bound);
  const token = { PLATFORM_OIDC_TOKEN: await platform.oidcToken({ subject: name }), PLATFORM_OIDC_TOKEN_FILE: "" };
  return { uid, bound, binding: binding.uid, environment: { ...platform.environment, PLATFORM_IDENTITY: uid, ...token } };
}

test("a first preview finds by the uids beside paths and names what other programs have in the configured organisation", async () => {
  const acme = (await platform.objects("groups")).find(({ uid }) => uid === platform.root)?.name ?? "";
  const team = await platform.create("groups", platform.root, { name: "team" });
  const claimMatch = { issuer: "https://issuer.example.com", subject: "ci" };
  const ci = await platform.create("identities", team.uid, { name: "ci", claimMatch });
  const puller = await platform.create("roles", platform.root, { name: "puller", capabilities: ["CAP_REPO_LIST"] });
  const binding = made("RoleBinding", "pull", {
    parentPath: `${acme}/team`,
    parentUid: team.uid,
    identityRef: `${acme}/team/ci`,
    identityUid: ci.uid,
    roleName: "puller",
    roleUid: puller.uid,
  });
  const { stdout } = await review([binding], ["--json"], platform.environment);
  expect(JSON.parse(stdout)).toMatchObject({
    changes: [{ severity: "low", role: "puller", identity: { uid: ci.uid }, at: { uid: team.uid } }],
    unknown: [],
    bounds: "exact",
  });
});

test("a review knows whose access it runs with, and which identities are marked, by whatever setting", async () => {
  const { uid, bound, binding, environment } = await runner("runner");
  const steps = [deleted(stays("RoleBinding", "own", { parentUid: platform.root, ...bound }), { id: binding })];
  const alarms = async (more: Record<string, string>, ...options: string[]) => {
    const { stdout } = await review(steps, ["--json", ...options], { ...environment, ...more });
    return (JSON.parse(stdout) as ReviewDocument).changes.map((change) => change.alarms);
  };
  expect(await alarms({ PLATFORM_BREAK_GLASS: uid })).toEqual([["ownAccess", "breakGlass"]]);
  const asAdmin = { ...platform.environment, PLATFORM_OIDC_TOKEN: "" };
  expect(await alarms(asAdmin)).toEqual([undefined]);
  expect(await alarms(asAdmin, "--as", uid)).toEqual([["ownAccess"]]);
  // Offline, nothing says what a role allows of which the preview has only the uid.
  const alone = await alarms({ PLATFORM_BREAK_GLASS: uid, PLATFORM_IDENTITY: "" }, "--offline");
  expect(alone).toEqual([["breakGlass", "rootControl"]]);
  expectEnd(await review(steps, ["--offline"], { PLATFORM_BREAK_GLASS: "no;uid" }), 1);
});

test("who is bound by login for the first time is known by it, and undecided beside a new identity with that login", async () => {
  const eve = { issuer: "https://okta.acme.example", subject: "eve" };
  const viewing = { parentUid: platform.root, roleUid: await platform.role("viewer") };
  const client = connect(readConfiguration(undefined, platform.environment));
  const person = await client.lookUpIdentity(eve.issuer, eve.subject);
  const binding = made("RoleBinding", "eve", { ...viewing, identityRef: eve, identityUid: person });
  const document = async (...steps: readonly object[]) => {
    const { stdout } = await review(steps, ["--json"], platform.environment);
    return JSON.parse(stdout) as ReviewDocument;
  };
  const { changes, ...rest } = await document(binding);
  expect(changes.map(({ identity: who }) => who.match)).toEqual([expect.stringContaining("eve")]);
  expect(rest).toMatchObject({ unknown: [], bounds: "exact" });
  const own = made("Identity", "own", { parentUid: platform.root, name: "own", claimMatch: eve });
  const { undecided } = await document(own, binding);
  expect(undecided.map(({ what }) => what)).toEqual(["the identity of eve"]);
});

test("a built-in role that a program reads is no organisation to look for", async () => {
  const viewer = reads("Role", "viewer", await platform.role("viewer"));
  const steps = [viewer, made("Group", "new", { parentUid: platform.root, name: "new" })];
  expectEnd(await review(steps, ["--fail-on", "any"], platform.environment), 0, { stdout: /^No access changes\.\n/ });
});

const byName = { parentPath: "acme/team", identityRef: "acme/team/unseen", roleName: "viewer" };

test.each([
  ["passes where a new role says which organisation it is in", "Role", { name: "new", capabilities: ["CAP_REPO_LIST"] }, 0, []],
  ["does not where nothing says which to read", "RoleBinding", byName, 8, /^- the organisation: .*PLATFORM_ORGANIZATION/m],
])("without a configured organisation, a gate %s", async (_, kind, inputs, code, stderr) => {
  const place = code === 0 ? { parentUid: platform.root } : {};
  const environment = { ...platform.environment, PLATFORM_ORGANIZATION: "" };
  const steps = [made(kind, "new", { ...place, ...inputs })];
  expectEnd(await review(steps, ["--fail-on", "critical"], environment), code, { stderr });
});

test("a gate passes for a viewer of the organisation, and not where a List that shows access is forbidden", async () => {
  const { environment } = await runner("gatekeeper");
  const steps = [made("Group", "new", { parentUid: platform.root, name: "new" })];
  const gate = () => review(steps, ["--fail-on", "any"], environment);
  expectEnd(await gate(), 0, { stdout: /^No access changes\.\n/ });
  await platform.fault({ method: "GET", path: "/iam/v2beta1/externalGroupRoleMappings" }, { status: 403 });
  const forbidden = await gate();
  await platform.clearFaults();
  expectEnd(forbidden, 8, { stderr: "- externalGroupRoleMappings in " });
});

/** A gate for an update that makes a group. */
const gateAs = (environment: Record<string, string>, ...options: string[]) =>
  review(
    [made("Group", "new", { parentUid: platform.root, name: "new" })],
    ["--fail-on", "any", "--format", "markdown", ...options],
    environment,
  );

test("a gate tells what is refused to the identity of the runs, and counts it where the user asks for that identity", async () => {
  const { uid, environment } = await runner("reader");
  const refused = /^- refused:.* create group new:.* it lacks CAP\\_IAM\\_GROUPS\\_CREATE in /m;
  expectEnd(await gateAs(environment), 0, { stdout: refused });
  expectEnd(await gateAs(platform.environment, "--as", uid), 7, { stdout: refused });
  expectEnd(await gateAs(environment, "--as", platform.identity), 0, { stdout: "- no call is refused" });
});

test("a run that may only read checks the rights of the configured identity, or says that it does not know it", async () => {
  const { uid, environment } = await runner("previewer");
  const reading = { ...environment, PLATFORM_READ_ONLY: "true", PLATFORM_READ_ONLY_IDENTITY: uid };
  expectEnd(await gateAs(reading), 0, { stdout: /^- not checked:.* the rights of the caller:/m });
});

test.each([
  ["the platform is not asked", () => ({}), "acme/ci", 2, /--as needs the platform/],
  ["there is no such identity", () => platform.environment, "acme/nobody", 1, /--as "acme\/nobody"/],
])("--as fails where %s", async (_, environment, as, code, stderr) => {
  expectEnd(await gateAs(environment(), "--as", as), code, { stderr });
});
