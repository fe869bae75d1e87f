import { readdirSync, readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import path from "node:path";
import type { DriftDocument } from "../../cli/documents/drift";
import { line } from "../../cli/watch/lines";
import { expectEnd, run, runBuilt } from "../support/cli";
import { deleted, made, previewText, stays } from "../support/preview-steps";
import { scratchFolder } from "../support/scratch-folder";
import { TestPlatform } from "../support/test-platform";

const folder = scratchFolder();
const platform = TestPlatform.forFile();
const state = path.join(folder, "state.json");
const preview = path.join(folder, "preview.json");

/** Names that a pipeline would run, if a line of its log began with them, or had the second anywhere. */
const hostile = ["::error::mistaken", "a ##[error]b ##vso[task.complete]c ##teamcity[buildStop]d"] as const;
/** A line that GitHub Actions, Azure Pipelines or TeamCity would run. */
const obeyed = /^\s*::|##[\w.-]*\[/m;

/** Objects in the organisation, each with hostile texts wherever the platform allows them. */
beforeAll(async () => {
  const { root } = platform;
  const viewer = await platform.role("viewer");
  const managed = await platform.create("groups", root, { name: "managed", description: hostile[0] });
  for (const [index, name] of hostile.entries()) {
    const described = { name, description: hostile[1 - index] };
    const { uid: roleUid } = await platform.create("roles", root, { ...described, capabilities: ["CAP_REPO_LIST"] });
    const oidc = { issuer: `https://login${index}.example`, clientId: name, pkceEnabled: true };
    const provider = await platform.create("identityProviders", root, { ...described, oidc, defaultRole: roleUid });
    await platform.create("externalGroupRoleMappings", provider.uid, { externalGroupId: name, roleUid, scope: root });
    const claimMatch = { issuer: "https://login.example", subject: name };
    const identity = await platform.create("identities", managed.uid, {
      name: `who-${index}`,
      description: described.description,
      claimMatch,
    });
    await platform.create("roleBindings", root, { identityUid: identity.uid, roleUid });
    await platform.create("roleBindings", managed.uid, { identityUid: identity.uid, roleUid: viewer });
    await platform.create("repos", managed.uid, { name });
  }
  const type = "platform:iam:Group";
  const resource = (name: string, id: string, inputs: object) => ({
    urn: `urn:pulumi:prod::access::${type}::${name}`,
    type,
    custom: true,
    id,
    inputs,
    outputs: inputs,
  });
  const gone = resource(hostile[0], `${root}/${"0".repeat(16)}`, { parentUid: root, name: "gone", description: hostile[1] });
  const resources = [resource("managed", managed.uid, { parentUid: root, name: "managed", description: "other" }), gone];
  await writeFile(state, JSON.stringify({ version: 3, deployment: { resources } }));
});

/** The output of a command: nothing that is obeyed, and a hostile name, which a document has exactly. */
async function printed(args: readonly string[], { isJson = args.includes("--json"), names = true } = {}): Promise<string> {
  // The page of a report is in the built package only.
  const ran = await (args[0] === "report" ? runBuilt : run)(args, platform.environment);
  expect(ran.stdout).not.toMatch(obeyed);
  expect(ran.stderr).not.toMatch(obeyed);
  if (names && isJson) expect(hostile.filter((name) => textsIn(JSON.parse(ran.stdout)).includes(name))).not.toEqual([]);
  else if (names) expect(ran.stdout).toMatch(/error.*mistaken|teamcity/);
  return ran.stdout;
}

function textsIn(value: unknown): string {
  if (typeof value === "string") return value;
  return typeof value === "object" && value !== null ? Object.values(value).map(textsIn).join("\n") : "";
}

test.each([
  [["access"]],
  [["access", "--group", "managed"]],
  [["access", "--group", "managed", "--why"]],
  [["access", "--identity", "managed/who-0", "--why"]],
  [["access", "--identity", "managed/who-1", "--why"]],
])("%j", async ([command = "", ...args]) => {
  const acme = (await platform.objects("groups")).find(({ uid }) => uid === platform.root)?.name ?? "";
  const own = args.map((each) => (each.startsWith("managed") ? `${acme}/${each}` : each));
  await printed([command, ...own]);
  await printed([command, ...own, "--json"]);
});

test.each(["text", "markdown", "junit", "html", "sarif", "json"])("drift --format %s", async (format) => {
  const isJson = format === "json";
  await printed(["drift", "--state-file", state, "--format", format], { isJson });
});

test("watch", async () => {
  const { findings } = JSON.parse(await printed(["drift", "--state-file", state, "--json"])) as DriftDocument;
  const lines = findings.map((finding) => line({ event: "appeared", finding }, 0)).join("\n");
  expect(lines).toContain("\\u{23}#[error]");
  expect(lines).not.toMatch(obeyed);
});

test("report", async () => {
  const file = path.join(folder, "report.html");
  await printed(["report", "--state-file", state, "--output", file], { names: false });
  await printed(["report", "--state-file", state, "--output", file, "--json"], { names: false });
  expect(readFileSync(file, "utf8")).not.toMatch(obeyed);
});

test.each(["typescript", "yaml"])("export --format %s", async (format) => {
  const out = path.join(folder, format);
  await printed(["export", "--output", out, "--format", format], { names: false });
  // The data of the program is exact; its comments and its README are text.
  const readme = readFileSync(path.join(out, "README.md"), "utf8");
  expect(readme).not.toMatch(obeyed);
  const files = readdirSync(out, { recursive: true, encoding: "utf8" }).filter((file) => /\.(ts|yaml)$/.test(file));
  const comments = files.flatMap((file) => {
    const text = readFileSync(path.join(out, file), "utf8");
    return [...text.matchAll(format === "yaml" ? / # (.*)$/gm : /(?:\/\/|^ \*) (.*)$/gm)].map(([, comment = ""]) => comment);
  });
  expect(comments.length).toBeGreaterThan(0);
  expect(comments.join("\n")).not.toMatch(obeyed);
});

test.each(["text", "markdown", "json"])("review --format %s", async (format) => {
  const { root } = platform;
  const steps = hostile.flatMap((name, index) => {
    const binding = { parentUid: root, roleName: name, identityRef: { issuer: "https://login.example", subject: name } };
    const described = { parentUid: root, name: `${name}2`, description: name };
    const oidc = { issuer: "https://login.example", clientId: name, pkceEnabled: true };
    return [
      made("RoleBinding", `${name}binding`, binding),
      made("Role", `${name}role`, { ...described, capabilities: ["CAP_IAM_ROLE_BINDINGS_CREATE"] }),
      made("IdentityProvider", `${name}provider`, { ...described, defaultRoleName: "owner", oidc }),
      made("RoleBinding", `${name}path`, { ...binding, parentPath: `acme/${name}`, parentUid: undefined }),
      deleted(stays("Group", `${name}group`, { parentUid: root, name: `group${index}` })),
      made("Subscription", `${name}sink`, { parentUid: root, sink: `https://events.example/${name}` }),
    ];
  });
  const diagnostics = hostile.map((message) => ({ message: `error: ${message}\n${message}`, severity: "error" }));
  await writeFile(preview, JSON.stringify({ ...(JSON.parse(previewText(steps)) as object), diagnostics }));
  await printed(["review", "--file", preview, "--format", format, "--fail-on", "high"], { isJson: format === "json" });
  await writeFile(preview, previewText(steps));
  await printed(["review", "--file", preview, "--format", format, "--fail-on", "high"], { isJson: format === "json" });
});

test("an error about a hostile name", async () => {
  for (const name of hostile) {
    const { stderr } = expectEnd(await run(["access", "--group", name], platform.environment), 1, {
      stderr: /\\u\{(23|3a)\}|"::/,
    });
    expect(stderr).not.toMatch(obeyed);
  }
});
