import { runBuilt } from "../../support/cli";
import { platform, project, useProject } from "../use-project";
import { succeed } from "../succeed";

interface RehearseDocument {
  changes: { effect: string; severity: string; message: string; urn?: string }[];
  undecided: { what: string; reason: string }[];
  errors: string[];
  rehearsal: { exitCode: number; isSandboxed: boolean; calls: { verb: string; kind: string; at: string; isDone: boolean }[] };
}

const team = `
  const eng = new Group("engineering", { parentUid: root });
  const ci = new Identity("ci", { parentUid: eng.uid, claimMatch: platform.githubActions({ repository: "acme/shop", branch: "main" }) });
`;

useProject(team);

const rehearseBuilt = (...args: string[]) =>
  runBuilt(["rehearse", "--stack", "test", ...args], project.variables, { folder: project.folder });

async function rehearse(...args: string[]): Promise<RehearseDocument> {
  const { stdout, stderr } = await rehearseBuilt("--json", ...args);
  if (stdout === "") throw new Error(stderr);
  return JSON.parse(stdout) as RehearseDocument;
}

test("the access of new objects is what the update gives", async () => {
  await succeed(project.up());
  await project.program(`${team} new RoleBinding("ci", { parentUid: eng.uid, identityUid: ci.uid, roleName: "editor" });`);
  const { changes, errors, undecided } = await rehearse();
  expect({ errors, undecided, messages: changes.map(({ message }) => message) }).toEqual({
    errors: [],
    undecided: [],
    messages: [""],
  });
});
