import { succeed } from "../succeed";
import { platform, project, useProject } from "../use-project";

useProject(() => program("https://login.example"));

const secret = "the-client-secret-of-staff";

/** An identity provider. */
function program(issuer: string): string {
  const oidc = { issuer, clientId: "platform", clientSecret: secret };
  return `
    const defaultRole = platform.getRoleOutput({ name: "viewer" }).uid;
    new platform.IdentityProvider("staff", { parentUid: root, defaultRole, oidc: ${JSON.stringify(oidc)} });
  `;
}

test("a preview shows every change of oidc but the secret, which the state encrypts in inputs and outputs", async () => {
  await succeed(project.up());
  const encrypted = async () => {
    const state = (await project.decryptedResources()).find(({ type }) => type.endsWith(":IdentityProvider"));
    // An encrypted value is exported as an object with its `plaintext`.
    const hidden = { plaintext: expect.stringContaining(secret) as string };
    expect(state).toMatchObject({ inputs: { oidc: { clientSecret: hidden } }, outputs: { oidc: hidden } });
    expect(JSON.stringify(state).split(secret)).toHaveLength(3);
  };
  await encrypted();
  await project.program(program("https://evil.example"));
  const { output } = await succeed(project.preview("--diff"));
  expect(output).toMatch(/issuer +: "https:\/\/login\.example" => "https:\/\/evil\.example"/);
  expect(output).not.toContain(secret);
  await succeed(project.up());
  await encrypted();
  const { uid } = await platform.named("identityProviders", "staff");
  await platform.change("identityProviders", uid, { oidc: { issuer: "https://hand.example" } });
  const drifted = await project.preview("--refresh", "--run-program", "--diff");
  expect(drifted.output).toMatch(/issuer +: "https:\/\/hand\.example" => "https:\/\/evil\.example"/);
  await succeed(project.refresh("--run-program"));
  await encrypted();
  await succeed(project.refresh());
  await encrypted();
});
