import { fail, succeed } from "../succeed";
import { platform, project, useProject } from "../use-project";

const login = (subject: string) => ({ claimMatch: { issuer: "https://issuer.example", subject } });
const aws = { awsIdentity: { awsAccount: "123456789012", arn: "arn:aws:iam::123456789012:role/r", userIdPattern: "^AROA:.+$" } };

useProject(() => program({ form: login("ci"), viewer: "zoe" }));

beforeEach(async () => {
  await succeed(project.up());
});

/** A group, and who has access to it: the pipeline `ci`, and a person. */
function program({ form, viewer, place = "root" }: { form: object; viewer: string; place?: string }): string {
  return `
    const shop = new Group("shop", { parentUid: root });
    const teams = new Group("teams", { parentUid: root });
    const identity = (name, form, parentUid = root) => new Identity(name, { parentUid, ...form }).uid;
    const people = ${JSON.stringify({ zoe: login("zoe"), max: login("max") })};
    const [zoe, max] = Object.entries(people).map(([name, form]) => identity(name, form));
    const ci = identity("ci", ${JSON.stringify(form)}, ${place});
    new GroupAccess("shop", { parentUid: shop.uid, access: { owner: { ci }, viewer: { ci, ${viewer} } } });
  `;
}

/** Who has which role in the group, by the platform. */
async function members(): Promise<string[]> {
  const { uid } = await platform.named("groups", "shop");
  const bound = (await platform.objects("roleBindings")).filter((row) => row.uid.startsWith(`${uid}/`));
  const name = (row: Record<string, unknown>, member: string) => (row[member] as { name: string }).name;
  return bound.map((row) => `${name(row, "identity")} ${name(row, "role")}`).sort();
}

/** Requests that change who has access, in order. */
async function changes(): Promise<string[]> {
  return (await platform.writes()).filter(({ path }) => path.includes("/roleBindings")).map(({ method }) => method);
}

test.each([[[]], [["--refresh", "--run-program"]]])(
  "another form replaces the identity, and one up %j moves its roles; others gain before others lose",
  async (options) => {
    const before = await platform.named("identities", "ci");
    await platform.clearRequests();
    await project.program(program({ form: aws, viewer: "max" }));
    expect((await succeed(project.preview())).steps).toEqual(
      expect.arrayContaining(["replace Identity ci", "update GroupAccess shop"]),
    );
    expect(await platform.writes()).toEqual([]);
    await succeed(project.up(...options));
    expect((await platform.named("identities", "ci")).uid).not.toBe(before.uid);
    expect(await members()).toEqual(["ci owner", "ci viewer", "max viewer"]);
    // The roles of the old identity go with it; all that is new comes before the last one that goes.
    const sent = await changes();
    expect(sent.lastIndexOf("POST")).toBeLessThan(sent.lastIndexOf("DELETE"));
    expect((await succeed(project.up())).steps).toEqual([]);
    expect((await project.drift()).code).toBe(0);
    await succeed(project.destroy("--run-program"));
  },
);

test("an identity that moves to another group gains its roles there before the old one loses them", async () => {
  await platform.clearRequests();
  await project.program(program({ form: login("ci"), viewer: "zoe", place: "teams.uid" }));
  await succeed(project.up());
  expect(await members()).toEqual(["ci owner", "ci viewer", "zoe viewer"]);
  expect(await changes()).toEqual(["POST", "DELETE", "DELETE"]);
});

test("an identity that has roles of another program keeps all of them, and the error names those", async () => {
  const { uid: identityUid } = await platform.named("identities", "ci");
  const roleUid = await platform.role("viewer");
  await platform.create("roleBindings", platform.root, { identityUid, roleUid });
  await project.program(program({ form: aws, viewer: "max" }));
  expect((await fail(project.up())).output).toContain('role binding of "ci" as viewer in acme.example');
  expect((await platform.named("identities", "ci")).uid).toBe(identityUid);
  expect(await members()).toEqual(expect.arrayContaining(["ci owner", "ci viewer", "zoe viewer"]));
});
