import { address, useRehearsal } from "./rehearsal-host";
import { fail, succeed } from "./succeed";
import { platform, project } from "./use-project";

const rehearsed = useRehearsal();

/** An identity that owns a new group and nothing else. */
interface Owner {
  readonly group: string;
  readonly identity: string;
}

/** The owners of two groups. Each is denied whatever it does in the group of the other. */
let [first, second]: Owner[] = [];

beforeEach(async () => {
  const owner = async (name: string): Promise<Owner> => {
    const { uid: group } = await platform.create("groups", platform.root, { name });
    const { claimMatch } = await platform.named("identities", "organization-admin");
    const { uid: identity } = await platform.create("identities", group, { name, claimMatch });
    await platform.create("roleBindings", group, { identityUid: identity, roleUid: await platform.role("owner") });
    return { group, identity };
  };
  [first, second] = [await owner("first"), await owner("second")];
});

const text = JSON.stringify;

/** Through each door a group of the stack's provider, and one of a provider for each owner. */
const program = (description: string, owners: readonly (Owner | undefined)[]) => `
  const description = ${text(description)};
  for (const [door, { Group, Provider }] of Object.entries({ dynamic: platform, native: require("pulumi-platform/native") })) {
    new Group(door, { parentUid: ${text(platform.root)}, description });
    for (const [at, { group: parentUid, identity }] of ${text(owners)}.entries()) {
      const provider = new Provider(door + at, { identity, oidcTokenFile: "/no/such/file" });
      new Group(door + "-of-" + at, { parentUid, description }, { provider });
    }
  }`;

const groups = ["dynamic", "dynamic-of-0", "dynamic-of-1", "native", "native-of-0", "native-of-1"];

/** The descriptions of the groups of the program. */
async function descriptions(): Promise<unknown[]> {
  const rows = await platform.objects("groups");
  return groups.map((name) => rows.find((row) => row.name === name)?.["description"]);
}

test("each of two explicit providers a door has its own identity, in up, refresh and destroy", async () => {
  await project.program(program("first", [first, second]));
  await succeed(project.up());
  expect(await descriptions()).toEqual(groups.map(() => "first"));
  await project.program(program("second", [first, second]));
  await succeed(project.up("--refresh"));
  expect(await descriptions()).toEqual(groups.map(() => "second"));
  await succeed(project.destroy());
  expect(await descriptions()).toEqual(groups.map(() => undefined));
  expect(rehearsed.host.lines).toEqual([]);
});

test("settings that changed since the last up hold in the update, and in a refresh only with --run-program", async () => {
  await project.program(program("first", [first, second]));
  await succeed(project.up());
  // Each provider gets the identity of the other, which is denied.
  await project.program(
    program(
      "second",
      [second, first].map((owner, at) => ({ ...owner, group: [first, second][at]?.group }) as Owner),
    ),
  );
  const { output } = await fail(project.up("--continue-on-error"), "PERMISSION_DENIED");
  expect(output).toContain("dynamic-of-0");
  expect(await descriptions()).toEqual(["second", "first", "first", "second", "first", "first"]);
  // The failed update has stored the settings, but no resource.
  await project.program(program("third", [first, second]));
  await succeed(project.up("--refresh", "--run-program"));
  expect(await descriptions()).toEqual(groups.map(() => "third"));
  // The refresh goes to the address of the last up, the update to one that has no copy.
  await project.program(program("fourth", [first, second]));
  await project.config({ "platform:baseUrl": "https://other.example" });
  const refused = await fail(project.up("--refresh"), "https://other.example has no copy");
  expect(refused.output).not.toContain(`${address} has no copy`);
  expect(await descriptions()).toEqual(groups.map(() => "third"));
  expect(rehearsed.host.lines).toEqual([]);
});
