import { ignore, readIgnoreFile } from "../../drift/ignore-file";
import { lines, login, Organization, type StateResource } from "./organization";

// Silence about what could not be seen, or is not compared, must not pass for "no drift".

let organization: Organization;
let state: string;
beforeEach(async () => {
  organization = await Organization.start();
  state = await organization.state();
});
afterEach(() => organization.platform.close());

const uid = (name: string) => organization.uid(name);
const read = (resource: StateResource) => void (resource.external = true);
const only = (name: string, stack: string) => organization.state(stack, (_, row) => row.uid === uid(name));
const refuse = (path: string, fault: object = { status: 403, code: 7 }, query = "") =>
  organization.platform.fault({ method: "GET", path: `/${path}$`, query }, fault, { times: 0 });

test("an invite that these credentials cannot see may still be open, so it has not served its purpose", async () => {
  await refuse("groupInvites");
  const { findings } = await organization.drift([state]);
  expect(findings).toMatchObject([{ class: "unreadable", kind: "iam:GroupInvite", uncompared: 1 }]);
});

test("an identity that a program only reads, and that these credentials cannot see, could not be compared", async () => {
  await refuse("identities");
  const { findings } = await organization.drift([organization.edited(await only("nightly", "reader"), "nightly", read)]);
  expect(findings).toContainEqual(expect.objectContaining({ class: "unreadable", kind: "iam:Identity", uncompared: 1 }));
});

test("access of a group that a program only reads is managed by nobody", async () => {
  const { resources } = (JSON.parse(state) as { deployment: { resources: StateResource[] } }).deployment;
  const urn = "urn:pulumi:prod::acme::platform:iam:GroupAccess::ops";
  const outputs = {
    parentUid: uid("ops"),
    access: { puller: { nightly: uid("nightly") } },
    roleUids: { puller: uid("puller") },
    bindings: { puller: { nightly: uid("nightly-puller") } },
  };
  const access = { urn, type: "platform:iam:GroupAccess", custom: true, id: uid("ops"), external: true, inputs: {}, outputs };
  const others = resources.filter(({ id }) => id !== uid("nightly-puller"));
  const { findings } = await organization.drift([JSON.stringify({ version: 3, deployment: { resources: [...others, access] } })]);
  expect(lines(findings)).toEqual([expect.stringMatching(/unmanaged iam:RoleBinding acme\/ops$/)]);
});

test.each([
  ["is managed", (text: string) => text],
  ["is only read", (text: string) => organization.edited(text, "nightly", read)],
])(
  "a note says that the login of an identity outside of the compared group is not compared, also if it %s by a state",
  async (_, as) => {
    await organization.bind("nightly-eng", "eng", "nightly", "viewer");
    const { notes } = await organization.drift([as(await organization.state())], "eng");
    expect(notes).toContainEqual(
      expect.stringMatching(/^Not compared: how acme\/ops\/nightly logs in\. .* outside of the compared group/),
    );
  },
);

test("of an object that two programs read, each reading is compared, in whatever order the states come", async () => {
  const reading = organization.edited(await only("nightly", "one"), "nightly", read);
  await organization.platform.change("identities", uid("nightly"), { claimMatch: login("repo:evil/ops:ref:refs/heads/main") });
  const later = organization.edited(await only("nightly", "two"), "nightly", read);
  const others = organization.without(state, "nightly");
  for (const states of [
    [reading, later],
    [later, reading],
  ])
    expect(lines((await organization.drift([others, ...states])).findings)).toEqual([
      expect.stringMatching(/changed iam:Identity acme\/ops\/nightly$/),
    ]);
});

test("an entry for what these credentials may not list does not accept a List that failed", async () => {
  const entries = readIgnoreFile("- kind: events:Subscription\n  owner: ops\n  reason: none\n  expiry: 2999-01-01\n", "i.yaml");
  const others = organization.without(state, "events");
  const after = async (fault?: object) => {
    await refuse("subscriptions", fault);
    return ignore((await organization.drift([others])).findings, entries, Date.now());
  };
  expect((await after()).findings).toEqual([]);
  await organization.platform.clearFaults();
  const failed = await after({ status: 400, code: 3 });
  expect(lines(failed.findings)).toEqual(["high unreadable events:Subscription acme"]);
  expect(failed.notes).toEqual([expect.stringContaining("hides nothing: ")]);
});

test("where the List of role bindings elsewhere fails, access may depend on an identity anywhere", async () => {
  await organization.make("bot", "identities", "shop", { name: "bot", claimMatch: login("repo:acme/bot:ref:refs/heads/main") });
  await refuse("roleBindings", { status: 400, code: 3 }, `descendants_of=${uid("acme")}(&|$)`);
  const { findings } = await organization.drift([state], "eng");
  expect(findings.find((each) => each.uid === uid("bot"))?.reach).toMatchObject([{ uid: uid("acme") }]);
});

test("an object that one stack manages and another one is about to delete is told", async () => {
  const leaving = organization.edited(await only("nightly-editor", "other"), "nightly-editor", (each) => (each.delete = true));
  for (const states of [
    [state, leaving],
    [leaving, state],
  ])
    expect((await organization.drift(states)).findings).toMatchObject([
      { class: "duplicate", stack: "acme/other", message: expect.stringContaining("deletes it in its next update") as string },
    ]);
});
