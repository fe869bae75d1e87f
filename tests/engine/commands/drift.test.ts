import type { DriftDocument } from "../../../cli/documents/drift";
import { startGrpcGateway } from "../../support/grpc-gateway";
import type { Door } from "../../support/door";
import { longTest } from "../../support/tier";
import { endWith, succeed } from "../succeed";
import { platform, project, useProject } from "../use-project";

const issuer = "https://token.actions.githubusercontent.com";
const exact = { issuer, subject: "repo:acme/bot:ref:refs/heads/main" };

/** A sandbox, and roles for an identity that somebody made in it by hand. */
const program = (roles: string) => `
  const top = new Group("top", { parentUid: root });
  const sandbox = new Group("sandbox", { parentUid: top.uid });
  const shop = new Group("shop", { parentUid: top.uid });
  const bot = process.env["BOT"];
  if (bot) { ${roles} }
`;
const roles = `
  new RoleBinding("bot-owner", { parentUid: top.uid, identityUid: bot, roleName: "owner" });
  new GroupAccess("shop", { parentUid: shop.uid, access: { viewer: { bot } } });
`;

useProject(program(roles));

const ignored = (more = "") => `
- pattern: acme.example/top/sandbox/**
  class: unmanaged
  owner: research
  reason: experiments are not declared
  expiry: 2999-01-01
${more}`;

const document = ({ stdout }: { stdout: string }) => JSON.parse(stdout) as DriftDocument;
const told = ({ findings }: DriftDocument) =>
  findings.map(({ severity, class: what, kind }) => `${severity} ${what} ${kind}`).sort();
const drift = () =>
  project.command("drift", "--json", "--stack", "test", "--root", "acme.example/top", "--ignore", "ignore.yaml");

async function overlooked(door: Door): Promise<void> {
  await project.program(program(roles), door);
  await succeed(project.up());
  const { uid: sandbox } = await platform.named("groups", "sandbox");
  const bot = await platform.create("identities", sandbox, { name: "bot", claimMatch: exact });
  project.environment["BOT"] = bot.uid;
  await succeed(project.up());
  await project.file("ignore.yaml", ignored());
  const before = document(await endWith(7, drift()));
  expect(told(before)).toEqual(["low unmanaged iam:Identity"]);
  expect(before.notes.join("\n")).toMatch(
    /does not hide iam:Identity acme\.example\/top\/sandbox\/bot: .* in acme\.example\/top\. .*`within: acme\.example\/top`/,
  );

  const named = `- object: ${bot.uid}\n  within: acme.example/top\n  owner: research\n  reason: reviewed\n  expiry: 2999-01-01\n`;
  await project.file("ignore.yaml", ignored(named));
  expect(told(document(await succeed(drift())))).toEqual([]);

  await platform.change("identities", bot.uid, { claimMatch: { issuer, subjectPattern: ".*" } });
  const taken = document(await endWith(7, drift()));
  expect(told(taken)).toEqual(["high changed iam:RoleBinding", "critical changed iam:RoleBinding"].sort());
  // A refresh does not take that for the login that people knew.
  await succeed(project.up("--refresh", "--run-program"));
  expect(document(await endWith(7, drift())).findings.map(({ kind }) => kind)).toEqual(["iam:RoleBinding", "iam:RoleBinding"]);
}

test("an identity in an ignored group that is owner of the organisation is told, and so is whoever takes its login over", () =>
  overlooked("dynamic"));

longTest("through the plugin, too", () => overlooked("native"));

test("60 identities of 100 KB stop neither a drift run nor a refresh, and a critical change is told", async () => {
  await succeed(project.up());
  const { uid: sandbox } = await platform.named("groups", "sandbox");
  const limit = 4 * 1024 * 1024;
  const subjectPattern = `^repo:acme/${"x".repeat(100_000)}:.*$`;
  const many = Array.from({ length: 60 }, (_, index) => index);
  for (const index of many)
    await platform.create("identities", sandbox, { name: `big-${index}`, claimMatch: { issuer, subjectPattern } });
  const eve = await platform.create("identities", sandbox, { name: "eve", claimMatch: { issuer, subjectPattern: ".*" } });
  const { uid: top } = await platform.named("groups", "top");
  await platform.create("roleBindings", top, { identityUid: eve.uid, roleUid: await platform.role("owner") });
  const gateway = await startGrpcGateway(platform.baseUrl, limit);
  Object.assign(project.environment, {
    PLATFORM_BASE_URL: gateway,
    PLATFORM_AUTH_URL: platform.baseUrl,
    PLATFORM_AUDIENCE: platform.baseUrl,
  });
  await project.file("ignore.yaml", ignored());
  const found = document(await endWith(7, drift()));
  expect(found.findings.filter(({ class: what }) => what === "unreadable")).toEqual([]);
  expect(told(found)).toEqual(["critical unmanaged iam:RoleBinding", "high unmanaged iam:Identity"]);
  expect(found.ignored.filter(({ kind }) => kind === "iam:Identity")).toHaveLength(60);
  await succeed(project.drift());
});
