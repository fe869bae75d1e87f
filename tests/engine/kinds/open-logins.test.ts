import { fail, succeed } from "../succeed";
import { project, useProject } from "../use-project";

const github = "https://token.actions.githubusercontent.com";
const program = (match: object, more: object = {}) => `
  const claimMatch = ${JSON.stringify(match)};
  const ci = new Identity("ci", { parentUid: root, claimMatch, ...${JSON.stringify(more)} });
  new RoleBinding("ci", { parentUid: root, identityUid: ci.uid, roleName: "editor" });
`;
const open = { issuer: github, subject: "environment:production" };

useProject(program({ issuer: github, subject: "repo:acme/shop:environment:production" }));

const severities = async () => {
  const { stdout } = await succeed(project.pulumi("preview", "--json", "--show-sames"));
  await project.file("preview.json", stdout);
  const review = await project.command("review", "--file", "preview.json", "--json", "--fail-on", "high");
  const { changes } = JSON.parse(review.stdout) as { changes: { severity: string; message: string }[] };
  return [review.code, ...changes.map(({ severity, message }) => `${severity}: ${message}`)];
};

test("a login that anybody meets fails the preview, ranks critical with consent, and warns once the state has it", async () => {
  await project.program(program(open));
  const { output } = await fail(project.preview(), "claimMatch.subject lets in anybody who can run a GitHub Actions workflow");
  expect(output).toMatch(/Its beginning is not limited to the subjects of one customer\. \[INVALID_INPUT\]$/m);
  expect(output).toContain("Set allowAnySubject: true");

  await project.program(program(open, { allowAnySubject: true }));
  expect(await severities()).toEqual([
    7,
    expect.stringMatching(/^critical: .*anybody who can run a GitHub Actions workflow, with subject environment:production/),
  ]);
  await succeed(project.up());

  await project.program(program(open, { description: "new" }));
  expect((await succeed(project.preview())).output).toMatch(/warning: .*claimMatch\.subject lets in anybody/);
  await succeed(project.up());

  await project.program(program({ ...open, subject: "environment:staging" }));
  await fail(project.preview(), "lets in anybody");
});

test("any issuer is anybody's, whatever a claim says, and so is a sign-in where everybody has an account", async () => {
  const any = { issuerPattern: "^https://.*$", subject: "s", claims: { repository_id: "1" } };
  await project.program(`
    ${program(any, { allowAnyIssuer: true })}
    const oidc = { issuer: "https://accounts.google.com", clientId: "c", pkceEnabled: true };
    new platform.IdentityProvider("google", { parentUid: root, defaultRoleName: "viewer", oidc });
  `);
  expect((await succeed(project.preview())).output).toContain("oidc.issuer lets in anybody who has a Google account");
  expect(await severities()).toEqual([
    7,
    expect.stringMatching(/^critical: .*anybody who has a token of an issuer matching/),
    expect.stringMatching(/^high: .*anybody who has a Google account/),
  ]);
});
