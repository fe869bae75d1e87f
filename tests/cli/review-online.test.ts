import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import type { ReviewDocument } from "../../cli/documents/review";
import { run } from "../support/cli";
import { step } from "../support/preview-steps";
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
