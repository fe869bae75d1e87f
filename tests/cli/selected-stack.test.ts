import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { type Ended, expectEnd, pulumiIn, run } from "../support/cli";
import { deleted, previewText, stays } from "../support/preview-steps";
import { scratchFolder } from "../support/scratch-folder";
import { TestPlatform } from "../support/test-platform";

const folder = scratchFolder();
const platform = TestPlatform.forFile();
const project = path.join(folder, "project");
const inside = path.join(project, "src");
const asked = path.join(folder, "asked");
const announced = 'Using the selected stack "dev"';
/** An identity that the stack marks as break-glass, and its only role binding. */
let [marked, binding] = ["", ""];
let environment: Record<string, string>;

/** A project whose `pulumi` notes that it was asked, and says that `selected` is selected. */
function select(selected: string | undefined): void {
  const config = JSON.stringify({
    "platform:baseUrl": { value: platform.baseUrl },
    "platform:oidcTokenFile": { value: platform.oidcTokenFile },
    "platform:organization": { value: platform.root },
    "platform:breakGlass": { value: marked },
  });
  const answer = selected === undefined ? "echo 'error: no stack selected' >&2; exit 255" : `echo ${selected}`;
  const PATH = pulumiIn(
    folder,
    `echo "$*" >> ${asked}; case "$1 $2 $4" in "stack --show-name "*) ${answer} ;; "config --json dev") echo '${config}' ;; *) exit 1 ;; esac`,
  );
  environment = { PATH };
}

beforeAll(async () => {
  const claimMatch = { issuer: "https://issuer.example", subject: "break-glass" };
  marked = (await platform.create("identities", platform.root, { name: "break-glass", claimMatch })).uid;
  const bound = { identityUid: marked, roleUid: await platform.role("viewer") };
  binding = (await platform.create("roleBindings", platform.root, bound)).uid;
});

beforeEach(() => {
  mkdirSync(inside, { recursive: true });
  writeFileSync(path.join(project, "Pulumi.yaml"), "name: shop\nruntime: nodejs\n");
  rmSync(asked, { force: true });
  select("dev");
});

test.each([
  [["access"]],
  [["whoami"]],
  [["doctor"]],
  [["report", "--output", path.join(folder, "r.html"), "--state-file", "none"]],
])("%j in a folder of a project uses the selected stack, and says so once", async (args) => {
  const { stderr } = await run(args, environment, inside);
  expect(stderr.split(announced)).toHaveLength(2);
});

test("the configuration of the selected stack is used as that of --stack is", async () => {
  // Each command has a token of its own.
  const seen = ({ stdout }: Ended) => ({ ...(JSON.parse(stdout) as object), token: undefined });
  const selected = seen(expectEnd(await run(["whoami", "--json"], environment, project), 0, { stderr: announced }));
  expect(selected).toMatchObject({ baseUrl: platform.baseUrl, organization: platform.root, problems: [] });
  expect(seen(expectEnd(await run(["whoami", "--json", "--stack", "dev"], environment, project), 0, { stderr: [] }))).toEqual(
    selected,
  );
});

describe("the review of a file", () => {
  const alone = "Reviewed alone: neither the platform nor the settings of the stack are known.";

  /** The review of the preview of a stack, as a gate for critical changes: a marked identity loses a role. */
  const review = async (of: string, ...options: string[]) => {
    const file = path.join(folder, "preview.json");
    const bound = { parentUid: platform.root, identityUid: marked, roleUid: await platform.role("viewer") };
    const outputs = { ...bound, role: { name: "viewer" } };
    const steps = [deleted(stays("RoleBinding", "last", bound), { id: binding, outputs })];
    writeFileSync(file, previewText(steps).replaceAll("urn:pulumi:a::b", `urn:pulumi:${of}`));
    return run(["review", "--file", file, "--fail-on", "critical", ...options], environment, inside);
  };

  test("of the selected stack, or of one that is named, is refused where only its settings say where the platform is", async () => {
    const stderr = "Set PLATFORM_BASE_URL in the environment";
    expectEnd(await review("dev::shop"), 1, { stdout: [], stderr: [announced, stderr] });
    expectEnd(await review("dev::shop", "--stack", "dev"), 1, { stdout: [], stderr });
  });

  test("of a named stack uses its settings: the credentials, and the identities that are marked as break-glass", async () => {
    environment = { ...environment, PLATFORM_BASE_URL: platform.baseUrl };
    expectEnd(await review("dev::shop", "--stack", "dev"), 7, { stdout: "critical", stderr: [] });
  });

  test.each([
    ["of another stack", "live::shop", 'Pass --stack "live" in the folder of project "shop", or'],
    ["of another project", "dev::store", 'Pass --stack "dev" in the folder of project "store", or'],
  ])("%s uses none, and says so and how to name it", async (_, of, stderr) => {
    const ended = await review(of);
    expectEnd(ended, 0, { stderr: [alone, stderr] });
    expect(ended.stderr).not.toContain("Using");
  });

  test("asks for no stack with --offline, which is a review of the preview alone", async () => {
    expectEnd(await review("dev::shop", "--offline"), 0, { stderr: [] });
    expect(existsSync(asked)).toBe(false);
  });
});

test("an environment that names a platform comes before the selected stack, which nothing asks for", async () => {
  const own = { ...platform.environment, ...environment };
  expectEnd(await run(["access"], own, project), 0, { stdout: "owner", stderr: [] });
  expect(existsSync(asked)).toBe(false);
});

test("outside of a project nothing asks for a selected stack", async () => {
  expectEnd(await run(["access"], environment, folder), 1, { stdout: [], stderr: "Set PLATFORM_BASE_URL" });
  expect(existsSync(asked)).toBe(false);
});

test.each([
  ["a project without a selected stack", () => select(undefined)],
  ["a machine without the Pulumi CLI", () => (environment = { PATH: "/nowhere" })],
])("on %s, commands say what they said before", async (_, prepare) => {
  prepare();
  const before = await run(["access"], environment, folder);
  expect(await run(["access"], environment, project)).toEqual(before);
});
