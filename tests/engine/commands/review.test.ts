import { existsSync } from "node:fs";
import path from "node:path";
import { startServer } from "../../support/http-double";
import { endWith, succeed } from "../succeed";
import { platform, project, useProject } from "../use-project";
import { longTest } from "../../support/tier";

interface Change {
  effect: string;
  severity: string;
  message: string;
}

interface ReviewDocument {
  changes: Change[];
  renames: { how: string; before: string; after: string }[];
  warnings: { message: string }[];
  unknown: object[];
  bounds: string;
}

/** The parts that can change from one preview to the other. */
interface Variant {
  name?: string;
  place?: string;
  role?: string;
}

const program = ({ name = "engineering", place = "parentUid: root", role = "editor" }: Variant) => `
  module.exports = (async () => {
    const eng = new Group("engineering", { ${place}, name: "${name}" });
    const ops = new Group("ops", { parentUid: root });
    const shop = new Group("shop", { parentUid: eng.uid });
    const match = platform.githubActions({ repository: "acme/shop", branch: "main" });
    const ci = new Identity("ci-shop", { parentUid: root, claimMatch: match });
    const zoe = new Identity("zoe", { parentUid: root, claimMatch: { issuer: "https://gitlab.example", subject: "zoe" } });
    const deployer = new Role("deployer", { parentUid: root, capabilities: ["CAP_REPO_LIST"] });
    new RoleBinding("ci-shop", { parentUid: eng.uid, identityUid: ci.uid, roleUid: (await platform.getRole({ name: "${role}" })).uid });
    new RoleBinding("zoe-deployer", { parentUid: ops.uid, identityUid: zoe.uid, roleUid: deployer.uid });
    new RoleBinding("zoe-viewer", { parentUid: eng.uid, identityUid: zoe.uid, roleName: "viewer" });
    new RoleBinding("zoe-shop", { parentUid: shop.uid, identityUid: zoe.uid, roleName: "viewer" });
    new platform.IdentityProvider("sso", {
      parentUid: ops.uid, defaultRoleName: "viewer",
      oidc: { issuer: "https://login.example", clientId: "c", clientSecret: "the-client-secret" },
    });
    new GroupAccess("ops", { parentUid: ops.uid, roles: ["viewer"], access: { viewer: { zoe: zoe.uid, ci: ci.uid } } });
  })();`;

useProject(() => program({}), { shared: true });

/** The review of a preview that the engine writes. */
async function review(variant: Variant, flags: readonly string[] = []): Promise<ReviewDocument> {
  await project.program(program(variant));
  const preview = await succeed(project.pulumi("preview", "--json", "--show-sames", ...flags));
  await project.file("preview.json", preview.stdout);
  const { stdout } = await succeed(project.command("review", "--file", "preview.json", "--json"));
  return JSON.parse(stdout) as ReviewDocument;
}

const essence = ({ changes }: ReviewDocument) =>
  changes
    .filter(({ severity }) => severity !== "info")
    .map(({ effect, severity, message }) => `${effect} ${severity}: ${message}`);

test("a first preview has gains only, and none is left after the up", async () => {
  const first = await review({});
  expect(first.unknown).toEqual([]);
  expect(essence(first)).toContainEqual(
    expect.stringMatching(
      /^gain medium: acme\.example\/ci-shop \(GitHub acme\/shop, branch main\) becomes editor of .*engineering and 1 group below$/,
    ),
  );
  expect(first.changes.every(({ effect }) => effect === "gain")).toBe(true);
  await succeed(project.up());
  expect(await review({})).toMatchObject({ changes: [], renames: [], warnings: [], unknown: [], bounds: "exact" });
});

test("an editor becomes an owner, in a group that is renamed; with --refresh, access that was given by hand and that the update takes back is a loss", async () => {
  const claimMatch = { issuer: "https://gitlab.example", subject: "mallory" };
  const mallory = await platform.create("identities", platform.root, { name: "mallory", claimMatch });
  const [ops, viewer] = [await platform.named("groups", "ops"), await platform.role("viewer")];
  const byHand = await platform.create("roleBindings", ops.uid, { identityUid: mallory.uid, roleUid: viewer });
  const owner = await review({ role: "owner", name: "eng" }, ["--refresh"]);
  expect(essence(owner)).toEqual([
    "gain high: acme.example/ci-shop (GitHub acme/shop, branch main) becomes owner of acme.example/eng and 1 group below",
    'loss low: acme.example/mallory (whoever has the subject "mallory" at https://gitlab.example) is no longer viewer of acme.example/ops',
  ]);
  expect(owner.renames).toMatchObject([{ how: "renamed", before: "acme.example/engineering", after: "acme.example/eng" }]);
  expect(owner.bounds).toBe("exact");
  await platform.delete("roleBindings", byHand.uid);
});

longTest("a place that is written as its path changes nothing, though the preview replaces the group and all in it", async () => {
  expect(await review({ place: 'parentPath: "acme.example"' })).toMatchObject({
    changes: [],
    renames: [],
    warnings: [],
    unknown: [],
  });
});

test("a pull request whose stack has another address, or a command, gets no token of the job that reviews its preview, and runs nothing there", async () => {
  const stranger = await startServer(() => ({ body: { token: "x.y.z" } }));
  const reviewed = (...options: string[]) => project.command("review", "--stack", "test", ...options);
  await project.file("preview.json", (await succeed(project.pulumi("preview", "--json", "--show-sames"))).stdout);
  await project.config({ "platform:baseUrl": stranger.url });
  const { stderr } = await endWith(1, reviewed("--file", "preview.json"));
  expect(stderr).toContain(`platform:baseUrl is "${stranger.url}", PLATFORM_BASE_URL is "${platform.baseUrl}"`);
  await project.config({ "platform:baseUrl": platform.baseUrl, "platform:tokenCommand": "touch written" });
  expect((await endWith(1, reviewed("--file", "preview.json"))).stderr).toContain("Nothing was run or sent.");
  expect(stranger.seen).toEqual([]);
  expect(existsSync(path.join(project.folder, "written"))).toBe(false);
});
