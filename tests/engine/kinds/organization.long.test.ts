import { copyFile } from "node:fs/promises";
import path from "node:path";
import { succeed } from "../succeed";
import { platform, project, useProject } from "../use-project";

const example = path.resolve(__dirname, "../../../examples/organization-file");
const program = `new platform.Organization("acme", { parentUid: root, file: "acme.yaml" });`;

useProject(program);

const file = `
groups:
  engineering:
    groups:
      shop:
        identities:
          basket: { claimMatch: { issuer: https://gitlab.example, subject: basket } }
        access:
          viewer: [basket]
`;

test("a renamed component keeps everything with one alias", async () => {
  await project.file("acme.yaml", file);
  await succeed(project.up());
  await project.program(
    `new platform.Organization("other", { parentUid: root, file: "acme.yaml" }, { aliases: [{ name: "acme" }] });`,
  );
  expect((await succeed(project.up())).steps).toEqual([]);
});

test("examples/organization-file: up, unchanged, destroyed", async () => {
  await project.example("organization-file");
  await copyFile(path.join(example, "acme.yaml"), path.join(project.folder, "acme.yaml"));
  await succeed(project.up());
  expect(await platform.groupNames()).toEqual(["engineering", "payments", "platform", "security", "shop"]);
  const payments = await platform.named("groups", "payments");
  expect(await project.output("paymentsUid")).toBe(payments.uid);
  const bindings = await platform.objects("roleBindings");
  const editor = await platform.role("editor");
  const pipeline = await platform.named("identities", "pipeline");
  expect(bindings.filter(({ uid }) => uid.startsWith(`${payments.uid}/`))).toMatchObject([
    { identity: { uid: pipeline.uid }, role: { uid: editor } },
  ]);
  await succeed(project.up("--expect-no-changes"));
  await succeed(project.destroy("--run-program"));
  expect(await platform.groupNames()).toEqual([]);
});

test("a new key takes the objects of the old one over, with their names and adopt", async () => {
  await project.file("acme.yaml", file);
  await succeed(project.up());
  const uids = async () => [(await platform.named("groups", "shop")).uid, (await platform.named("identities", "basket")).uid];
  const before = [...(await uids()), ...(await platform.objects("roleBindings")).map(({ uid }) => uid)];
  await project.file("acme.yaml", file.replace("      shop:\n", "      storefront:\n        name: shop\n"));
  project.environment["PLATFORM_ADOPT"] = "true";
  await succeed(project.up());
  expect([...(await uids()), ...(await platform.objects("roleBindings")).map(({ uid }) => uid)]).toEqual(before);
  await succeed(project.up("--refresh", "--run-program", "--expect-no-changes"));
});

test("custom roles of the program, identities elsewhere and paths from the real root are found in the first up", async () => {
  const { name } = (await platform.objects("groups")).find(({ uid }) => uid === platform.root) ?? { name: "" };
  await project.program(`
    const puller = new Role("puller", { parentUid: root, capabilities: ["CAP_REPO_LIST"] });
    const ci = { claimMatch: { issuer: "https://gitlab.example", subject: "s" } };
    const viewer = ["${name}/organization-admin", "${name}/eng/ci"];
    new platform.Organization("acme", { parentUid: root, groups: { eng: { identities: { ci }, access: { puller: ["ci"], viewer } } } }, { dependsOn: puller });
  `);
  await succeed(project.up());
  const eng = await platform.named("groups", "eng");
  const bindings = (await platform.objects("roleBindings")).filter(({ uid }) => uid.startsWith(`${eng.uid}/`));
  const named = bindings.map(({ identity, role }) => [(identity as { name: string }).name, (role as { name: string }).name]);
  expect(named.sort()).toEqual([
    ["ci", "puller"],
    ["ci", "viewer"],
    ["organization-admin", "viewer"],
  ]);
  await succeed(project.up("--expect-no-changes"));
  await succeed(project.destroy("--run-program"));
});
