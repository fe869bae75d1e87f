import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { type Ended, expectEnd, pulumiIn, run } from "../support/cli";
import { scratchFolder } from "../support/scratch-folder";
import { TestPlatform } from "../support/test-platform";

const folder = scratchFolder();
const platform = TestPlatform.forFile();
const project = path.join(folder, "project");
const inside = path.join(project, "src");
const asked = path.join(folder, "asked");
const announced = 'Using the selected stack "dev"';
let environment: Record<string, string>;

/** A project whose `pulumi` notes that it was asked, and says that `selected` is selected. */
function select(selected: string | undefined): void {
  const config = JSON.stringify({
    "platform:baseUrl": { value: platform.baseUrl },
    "platform:oidcTokenFile": { value: platform.oidcTokenFile },
    "platform:organization": { value: platform.root },
  });
  const answer = selected === undefined ? "echo 'error: no stack selected' >&2; exit 255" : `echo ${selected}`;
  const PATH = pulumiIn(
    folder,
    `echo "$*" >> ${asked}; case "$1 $2 $4" in "stack --show-name "*) ${answer} ;; "config --json dev") echo '${config}' ;; *) exit 1 ;; esac`,
  );
  environment = { PATH };
}

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
