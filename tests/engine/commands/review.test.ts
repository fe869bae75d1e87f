import { execFile } from "node:child_process";
import path from "node:path";
import { succeed } from "../succeed";
import { platform, project, useProject } from "../use-project";
import { longTest } from "../../support/tier";

interface Change {
  effect: string;
  severity: string;
  message: string;
  role: string;
  reach: number;
}

interface ReviewDocument {
  changes: Change[];
  renames: { how: string; before: string; after: string }[];
  warnings: { message: string }[];
  unknown: object[];
  bounds: string;
}

/** What can change from one test to the other. */
interface Variant {
  name?: string;
  place?: string;
  parent?: string;
  role?: string;
  match?: string;
  capabilities?: string;
  more?: string;
  members?: string;
  issuer?: string;
}

const program = ({ name = "engineering", parent = "eng", role = "editor", ...variant }: Variant) => `
  module.exports = (async () => {
    const eng = new Group("engineering", { ${variant.place ?? "parentUid: root"}, name: "${name}" });
    const ops = new Group("ops", { parentUid: root });
    const shop = new Group("shop", { parentUid: ${parent}.uid });
    const ci = new Identity("ci-shop", { parentUid: root, ${
      variant.match ?? 'claimMatch: platform.githubActions({ repository: "acme/shop", branch: "main" })'
    } });
    const zoe = new Identity("zoe", { parentUid: root, claimMatch: { issuer: "https://gitlab.com", subject: "zoe" } });
    const deployer = new Role("deployer", { parentUid: root, capabilities: ["CAP_REPO_LIST"${variant.capabilities ?? ""}] });
    new RoleBinding("ci-shop", { parentUid: eng.uid, identityUid: ci.uid, roleUid: (await platform.getRole({ name: "${role}" })).uid });
    new RoleBinding("zoe-deployer", { parentUid: ops.uid, identityUid: zoe.uid, roleUid: deployer.uid });
    new RoleBinding("zoe-viewer", { parentUid: eng.uid, identityUid: zoe.uid, roleName: "viewer" });
    ${variant.more ?? 'new RoleBinding("zoe-shop", { parentUid: shop.uid, identityUid: zoe.uid, roleName: "viewer" });'}
    new platform.IdentityProvider("sso", {
      parentUid: ops.uid, defaultRoleName: "viewer",
      oidc: { issuer: "${variant.issuer ?? "https://login.example"}", clientId: "c", clientSecret: "the-client-secret" },
    });
    new GroupAccess("ops", { parentUid: ops.uid, roles: ["viewer"], access: { viewer: ${variant.members ?? "{ zoe: zoe.uid, ci: ci.uid }"} } });
  })();`;

useProject(() => program({}), { shared: true });

/** The review of a preview that the engine writes. @param offline whether the platform is asked */
async function review(variant: Variant, { flags = ["--show-sames"], offline = false } = {}): Promise<ReviewDocument> {
  await project.program(program(variant));
  const file = path.join(project.folder, "preview.json");
  const preview = await succeed(project.pulumi("preview", "--json", ...flags));
  await project.file("preview.json", preview.output);
  const parameters = [path.resolve(__dirname, "../../../dist/cli/main.js"), "review", "--file", file, "--json"];
  return new Promise((resolve, reject) => {
    const environment = { ...process.env, ...(offline ? { PLATFORM_BASE_URL: "" } : project.environment) };
    execFile(process.execPath, parameters, { env: environment }, (error, output, errors) => {
      if (error === null) resolve(JSON.parse(output) as ReviewDocument);
      else reject(new Error(errors));
    });
  });
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

longTest("a place that is written as its path changes nothing, though the preview replaces the group and all in it", async () => {
  expect(await review({ place: 'parentPath: "acme.example"' })).toMatchObject({
    changes: [],
    renames: [],
    warnings: [],
    unknown: [],
  });
});

test("an editor becomes an owner, in a group that is renamed", async () => {
  const owner = await review({ role: "owner", name: "eng" });
  expect(essence(owner)).toEqual([
    "gain high: acme.example/ci-shop (GitHub acme/shop, branch main) becomes owner of acme.example/eng and 1 group below",
  ]);
  expect(owner.renames).toMatchObject([{ how: "renamed", before: "acme.example/engineering", after: "acme.example/eng" }]);
  expect(owner.bounds).toBe("exact");
});

longTest("without the platform and --show-sames, an owner is still an owner, and there may be more", async () => {
  const partial = await review({ role: "owner", name: "eng" }, { flags: [], offline: true });
  expect(partial.bounds).toBe("lower");
  expect(essence(partial)[0]).toMatch(/^gain high: .*ci-shop.* becomes owner of .*eng/);
});

longTest("a broader match, another issuer and a role that allows more are gains of what holders have already", async () => {
  const open = `claimMatch: { issuer: "https://token.actions.githubusercontent.com", subjectPattern: ".*" }, allowAnySubject: true`;
  const wider = await review({ match: open, capabilities: ', "CAP_REPO_CREATE"', issuer: "https://evil.example" });
  expect(wider).toMatchObject({ unknown: [], bounds: "exact" });
  expect(essence(wider)).toEqual(
    expect.arrayContaining([
      expect.stringMatching(
        /^gain critical: anybody whose token of GitHub .* can now log in as acme\.example\/ci-shop, editor of .*engineering/,
      ),
      expect.stringMatching(/^gain high: people who sign in at https:\/\/evil\.example can now log in as .*sso.*viewer of .*ops/),
      expect.stringMatching(
        /^gain medium: acme\.example\/zoe .*deployer of acme\.example\/ops, can now also do CAP_REPO_CREATE$/,
      ),
    ]),
  );
});

longTest(
  "a binding that goes while its role is inherited is no loss, and a member of a GroupAccess that goes is one",
  async () => {
    const fewer = await review({ more: "", members: "{ zoe: zoe.uid }" });
    expect(essence(fewer)).toEqual([
      "loss low: acme.example/ci-shop (GitHub acme/shop, branch main) is no longer viewer of acme.example/ops",
    ]);
  },
);

longTest("a group that moves is replaced, and inherits something else", async () => {
  const moved = await review({ parent: "ops" });
  expect(moved.renames).toMatchObject([
    { how: "moved", before: "acme.example/engineering/shop", after: "acme.example/ops/shop" },
  ]);
  expect(moved.warnings[0]?.message).toContain("acme.example/engineering/shop is replaced");
  expect(essence(moved)).toContainEqual(
    expect.stringMatching(/^loss low: acme\.example\/ci-shop .* is no longer editor of acme\.example\/engineering\/shop$/),
  );
  // It allows nothing that zoe could not do there as a viewer.
  const gained = moved.changes.filter(({ effect }) => effect === "gain");
  expect(gained).toContainEqual(expect.objectContaining({ severity: "info", role: "deployer" }));
});

test("with --refresh, access that was given by hand and that the update takes back is a loss", async () => {
  const claimMatch = { issuer: "https://gitlab.com", subject: "mallory" };
  const mallory = await platform.create("identities", platform.root, { name: "mallory", claimMatch });
  const [ops, viewer] = [await platform.named("groups", "ops"), await platform.role("viewer")];
  await platform.create("roleBindings", ops.uid, { identityUid: mallory.uid, roleUid: viewer });
  expect((await review({})).changes).toEqual([]);
  expect(essence(await review({}, { flags: ["--show-sames", "--refresh"] }))).toEqual([
    'loss low: acme.example/mallory (whoever has the subject "mallory" at GitLab) is no longer viewer of acme.example/ops',
  ]);
});
