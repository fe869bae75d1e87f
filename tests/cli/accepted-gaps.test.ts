import { writeFile } from "node:fs/promises";
import path from "node:path";
import type { DriftDocument } from "../../cli/documents/drift";
import type { ReportDocument } from "../../cli/documents/report";
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
  await platform.fault({ method: "GET", path: "subscriptions" }, { status: 403, code: 7 }, { times: 0 });
});

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
