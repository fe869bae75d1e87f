import { writeFile } from "node:fs/promises";
import path from "node:path";
import type { DriftDocument } from "../../cli/documents/drift";
import type { ReportDocument } from "../../cli/documents/report";
import { readReport } from "../../cli/report/read";
import { Progress } from "../../cli/shell/progress";
import { kindNamed, listedKinds } from "../../inventory/kinds";
import { type Ended, run, runBuilt } from "../support/cli";
import { scratchFolder } from "../support/scratch-folder";
import { TestPlatform } from "../support/test-platform";

const folder = scratchFolder();
const platform = TestPlatform.forFile();

const fileOf = (name: string) => path.join(folder, name);
const gap = `- kind: events:Subscription\n  owner: ops\n  reason: of the data team\n  expiry: 9999-12-31\n`;
const accepted = ["--ignore", fileOf("ignore.yaml")];

beforeAll(async () => {
  await writeFile(fileOf("ignore.yaml"), gap);
  const inputs = { parentUid: platform.root, name: "managed" };
  const { uid: id } = await platform.create("groups", platform.root, { name: inputs.name });
  const type = "platform:iam:Group";
  const group = { urn: `urn:pulumi:prod::acme::${type}::managed`, type, custom: true, id, inputs, outputs: inputs };
  await writeFile(fileOf("state.json"), JSON.stringify({ version: 3, deployment: { resources: [group] } }));
});

/** Every List of a kind is refused but those without which nothing can be read: of the root, and of the caller's own rights. */
async function refuse(kind: string): Promise<void> {
  const query = /:(?:Group|Role|RoleBinding)$/.test(kind) ? "descendants_of|children_of" : "";
  const match = { method: "GET", path: `/${kindNamed(kind).collection.segment}$`, query };
  await platform.fault(match, { status: 403, code: 7 }, { times: 0 });
}

afterEach(() => platform.clearFaults());

const commands: Record<string, (...args: string[]) => Promise<Ended>> = {
  drift: (...args) =>
    run(["drift", "--state-file", fileOf("state.json"), "--root", platform.root, "--json", ...args], platform.environment),
  report: (...args) => runBuilt(["report", "--output", fileOf("page.html"), "--json", ...args], platform.environment),
  export: (...args) => run(["export", "--output", fileOf(`program${args.length}`), "--json", ...args], platform.environment),
};

test.each(Object.keys(commands))(
  "%s ends with 1 if a kind cannot be listed, and not if somebody answers for that",
  async (name) => {
    const command = commands[name];
    if (command === undefined) throw new Error(name);
    await refuse("events:Subscription");
    const refused = await command();
    expect(refused).toMatchObject({ code: 1 });
    expect(refused.stdout + refused.stderr).toMatch(/subscriptions in acme\.example/);
    const { stdout, stderr } = await command(...accepted);
    expect(stderr).toMatch(/Not (?:compared|read): .*ignore\.yaml:1 accepts that until 9999-12-31: of the data team \(ops\)/);
    const document = JSON.parse(stdout) as Partial<DriftDocument & ReportDocument>;
    expect(document.findings ?? []).not.toContainEqual(expect.objectContaining({ class: "unreadable" }));
    expect(document.unreadable ?? []).toEqual([]);
  },
);

describe("a report lacks nothing but what somebody answers for, wherever something refers to what is hidden", () => {
  let team = "";
  beforeAll(async () => {
    Object.assign(process.env, platform.environment);
    team = (await platform.create("groups", platform.root, { name: "team" })).uid;
    const claimMatch = { issuer: "https://issuer.example.com", subject: "ci" };
    const identityUid = (await platform.create("identities", platform.root, { name: "ci", claimMatch })).uid;
    const role = await platform.create("roles", platform.root, { name: "puller", capabilities: ["CAP_REPO_LIST"] });
    for (const group of [platform.root, team]) await platform.create("roleBindings", group, { identityUid, roleUid: role.uid });
  });

  const read = async (root: string, ignore?: string) =>
    (await readReport({ settings: undefined, stacks: [], files: [] }, { root, ...(ignore && { ignore }) }, new Progress()))
      .unreadable;

  test.each([...listedKinds.keys()])("%s", async (kind) => {
    const file = fileOf("kind.yaml");
    await writeFile(file, gap.replace("events:Subscription", kind));
    await refuse(kind);
    for (const root of [platform.root, team]) {
      expect(await read(root)).not.toEqual([]);
      expect(await read(root, file)).toEqual([]);
    }
  });

  test("of several kinds that are hidden in one place, each needs its own entry", async () => {
    await refuse("iam:GroupInvite");
    await refuse("iam:IdentityProvider");
    await writeFile(fileOf("kind.yaml"), gap.replace("events:Subscription", "iam:GroupInvite"));
    expect((await read(team, fileOf("kind.yaml"))).map(({ what }) => what)).toEqual([
      "identityProviders in acme.example/team",
      "identityProviders and groupInvites in acme.example, above",
      "details of identityProviders",
    ]);
  });
});
