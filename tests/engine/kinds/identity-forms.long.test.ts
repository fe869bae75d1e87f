import { succeed } from "../succeed";
import { platform, project, useProject } from "../use-project";

useProject(program);

const issuer = "https://issuer.example";
const issuerKeys = JSON.stringify({ keys: [{ kty: "RSA", kid: "1", n: "AQAB", e: "AQAB" }] });
const forms = {
  patterns: {
    claimMatch: { issuer, subjectPattern: "^ci:.+$", audience: "a", claims: { ref: "main" }, claimPatterns: { run: "^[0-9]+$" } },
  },
  keys: { staticKeys: { issuer, subject: "s", issuerKeys } },
  aws: { awsIdentity: { awsAccount: "123456789012", arn: "arn:aws:iam::123456789012:role/r", userIdPattern: "^AROA:.+$" } },
  service: { servicePrincipal: "SERVICE_PRINCIPAL_INGESTER" },
};

/** An identity of each form, and a binding of the first. */
function program(declared: Record<string, object> = forms): string {
  return `
    ${Object.entries(declared)
      .map(([name, form]) => `const ${name} = new Identity("${name}", { parentUid: root, ...${JSON.stringify(form)} });`)
      .join("\n")}
    new RoleBinding("binding", { parentUid: root, identityUid: patterns.uid, roleUid: platform.getRoleOutput({ name: "viewer" }).uid });
  `;
}

test("every form is created, unchanged afterwards, found when it was changed by hand, repaired and destroyed; another form is a replacement, which the preview shows and up makes, with the bindings", async () => {
  expect((await succeed(project.up())).steps).toHaveLength(5);
  expect(await succeed(project.drift())).toMatchObject({ steps: [] });
  const change = async (name: string, patch: object) =>
    platform.change("identities", (await platform.named("identities", name)).uid, patch);
  await change("patterns", { claimMatch: { claims: null } });
  await change("keys", { staticKeys: { subject: "t" } });
  await change("aws", { awsIdentity: { arnPattern: ".*" } });
  expect((await project.drift()).steps.sort()).toEqual([
    "update Identity aws",
    "update Identity keys",
    "update Identity patterns",
  ]);
  await succeed(project.up("--refresh", "--run-program"));
  expect(await platform.named("identities", "patterns")).toMatchObject(forms.patterns);
  expect(await platform.named("identities", "keys")).toMatchObject(forms.keys);
  expect(await platform.named("identities", "aws")).toMatchObject(forms.aws);

  const before = await platform.named("identities", "patterns");
  await project.program(program({ ...forms, patterns: forms.aws }));
  expect((await succeed(project.preview())).steps.join()).toMatch(/replace.*Identity patterns/);
  await succeed(project.up());
  const after = await platform.named("identities", "patterns");
  expect(after).toMatchObject(forms.aws);
  expect(after.uid).not.toBe(before.uid);
  const bound = (await platform.objects("roleBindings")).map((binding) => (binding["identity"] as { uid: string } | null)?.uid);
  expect(bound).toContain(after.uid);
  expect(bound).not.toContain(before.uid);
  await succeed(project.destroy());
});

test("a claim that was added by hand under a name that previews do not show is named by a warning", async () => {
  await project.program(program({ patterns: { claimMatch: { issuer, subject: "s" } } }));
  await succeed(project.up());
  const { uid } = await platform.named("identities", "patterns");
  await platform.change("identities", uid, { claimMatch: { issuer, subject: "s", claims: { __evil: "x" } } });
  expect((await project.drift()).output).toContain('claimMatch.claims.__evil changes from nothing to "x"');
  expect((await project.preview("--refresh")).output).toContain('claimMatch.claims.__evil changes from "x" to nothing');
});
