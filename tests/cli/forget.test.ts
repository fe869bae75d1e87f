import { readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import Ajv from "ajv";
import { documentSchemas } from "../../cli/documents";
import type { ForgetDocument } from "../../cli/documents/forget";
import { expectEnd, pulumiIn, run } from "../support/cli";
import { scratchFolder } from "../support/scratch-folder";
import { TestPlatform, type WireObject } from "../support/test-platform";

const folder = scratchFolder();
const platform = TestPlatform.forFile();
const searched = process.env["PATH"];
const file = (name: string) => path.join(folder, name);
let department: WireObject;
let runner: WireObject;
let binding: WireObject;
let names = 0;

const claimMatch = () => ({ issuer: "https://issuer.example", subject: `subject-${++names}` });
const urnOf = (type: string, name: string) => `urn:pulumi:dev::test::platform:${type}::${name}`;
const entry = (type: string, name: string, { uid, ...outputs }: Partial<WireObject>, more: object = {}) => ({
  ...{ urn: urnOf(type, name), type: `platform:${type}`, custom: true, id: uid, outputs, inputs: outputs },
  ...more,
});

/** Makes `resources` the state of the stack `dev`, for a program that stands in for the engine. @param then the state from the second reading on */
function state(resources: readonly object[], then = resources): void {
  for (const [name, content] of [
    ["first.json", resources],
    ["then.json", then],
  ] as const)
    writeFileSync(file(name), JSON.stringify({ version: 3, deployment: { manifest: {}, resources: content } }));
  for (const name of ["was-read", "deleted"]) rmSync(file(name), { force: true });
}

/** URNs that the command let the engine remove. */
function removed(): string[] {
  try {
    return readFileSync(file("deleted"), "utf8").trim().split("\n");
  } catch {
    return [];
  }
}

const settings = async () => ({
  PATH: process.env["PATH"] ?? "",
  PLATFORM_BASE_URL: platform.baseUrl,
  PLATFORM_ORGANIZATION: platform.root,
  PLATFORM_TOKEN: await platform.apiToken({ identity: runner.uid }),
});

async function forget(args: readonly string[], environment: object = {}) {
  return run(["forget", ...args, "--stack", "dev"], { ...(await settings()), ...environment });
}

const bound = (roleUid: string, parent = department.uid) =>
  platform.create("roleBindings", parent, { identityUid: runner.uid, roleUid });
const identityIn = (parent = department.uid) =>
  platform.create("identities", parent, { name: `ci-${++names}`, claimMatch: claimMatch() });

/** An identity of a state that somebody has deleted by hand. */
async function deleted(parent = department.uid): Promise<WireObject> {
  const made = await identityIn(parent);
  await platform.delete("identities", made.uid);
  await platform.letTimePass();
  return made;
}

/** Answers the requests for one object with 403 in place of 404. */
const refuses = (uid: string) => platform.fault({ method: "GET", path: `${uid}$` }, { status: 403, code: 7 }, { times: 0 });

beforeAll(() => {
  process.env["PATH"] = pulumiIn(
    folder,
    `case "$*" in
  "config "*) echo '{}' ;;
  "stack export "*) if [ -e '${file("was-read")}' ]; then cat '${file("then.json")}'; else touch '${file("was-read")}'; cat '${file("first.json")}'; fi ;;
  "state delete "*) echo "$3" >> '${file("deleted")}' ;;
  *) echo "error: $*" >&2; exit 1 ;;
esac`,
  );
});
afterAll(() => {
  process.env["PATH"] = searched;
});

beforeEach(async () => {
  await platform.clearFaults();
  await platform.settings({ denials: "byOrganization" });
  department = await platform.create("groups", platform.root, { name: `department-${++names}` });
  const ci = await platform.create("groups", platform.root, { name: `ci-${++names}` });
  // The runner of one department: it sees no identity but those in there.
  runner = await platform.create("identities", ci.uid, { name: "runner", claimMatch: claimMatch() });
  binding = await bound(await platform.role("owner"));
});

describe.each(["hidden", "refused"])("where a caller without a role gets what is called %s", (denials) => {
  beforeEach(() => platform.settings({ denials }));

  test("the last identity of a department, deleted by hand, is removed by URN or uid", async () => {
    const gone = await deleted();
    for (const named of [urnOf("iam:Identity", "ci"), gone.uid]) {
      state([entry("iam:Identity", "ci", gone)]);
      const stdout = [
        "gone by every sign",
        'The platform answers "not found".',
        "answers.",
        "does not show it",
        "CAP_IAM_IDENTITY_LIST",
      ];
      expectEnd(await forget([named, "--yes"]), 0, { stdout: [...stdout, "Removed from the state of stack dev"] });
      expect(removed()).toEqual([urnOf("iam:Identity", "ci")]);
    }
  });

  test("an identity that answers 403 because its group was deleted by hand is removed", async () => {
    const team = await platform.create("groups", department.uid, { name: "team" });
    const gone = await deleted(team.uid);
    await platform.delete("groups", team.uid);
    await refuses(gone.uid);
    state([entry("iam:Identity", "ci", gone)]);
    expectEnd(await forget([gone.uid, "--yes"]), 0, {
      stdout: [/in which it was, is gone: /, "That says nothing, because its group is gone."],
    });
    expect(removed()).toHaveLength(1);
  });

  test("it stays if a group on the way answers 403, unless one above that is gone", async () => {
    const outer = await platform.create("groups", department.uid, { name: "outer" });
    const inner = await platform.create("groups", outer.uid, { name: "inner" });
    const gone = await deleted(inner.uid);
    await platform.delete("groups", inner.uid);
    for (const uid of [gone.uid, inner.uid]) await refuses(uid);
    state([entry("iam:Identity", "ci", gone)]);
    expectEnd(await forget([gone.uid, "--yes"]), 1, { stdout: "not proven gone", stderr: "Nothing was changed" });
    await platform.delete("groups", outer.uid);
    state([entry("iam:Identity", "ci", gone)]);
    expectEnd(await forget([gone.uid, "--yes"]), 0, { stdout: "gone by every sign" });
  });

  describe("nothing is removed", () => {
    afterEach(() => {
      expect(removed()).toEqual([]);
    });

    test("if the object exists", async () => {
      const there = await identityIn();
      state([entry("iam:Identity", "ci", there)]);
      expectEnd(await forget([there.uid, "--yes"]), 1, { stdout: "It exists", stderr: "[NOT_GONE]" });
    });

    test("if the object exists and the role that showed it was lost", async () => {
      const there = await identityIn();
      await platform.letTimePass();
      await platform.delete("roleBindings", binding.uid);
      const capabilities = ["CAP_IAM_GROUPS_LIST", "CAP_IAM_ROLE_BINDINGS_LIST", "CAP_IAM_ROLES_LIST"];
      const role = await platform.create("roles", department.uid, { name: `reader-${++names}`, capabilities });
      await bound(role.uid);
      state([entry("iam:Identity", "ci", there)]);
      expectEnd(await forget([there.uid, "--yes"]), 1, { stdout: "may hide it", stderr: "[NOT_GONE]" });
    });

    test("if the object exists in somebody else's place", async () => {
      const other = await platform.create("groups", platform.root, { name: `other-${++names}` });
      const there = await identityIn(other.uid);
      await platform.letTimePass();
      state([entry("iam:Identity", "ci", there)]);
      expectEnd(await forget([there.uid, "--yes"]), 1, { stdout: ["not proven gone", "No role of these credentials"] });
    });

    test("if all access was lost", async () => {
      const there = await identityIn();
      await platform.letTimePass();
      await platform.delete("roleBindings", binding.uid);
      state([entry("iam:Identity", "ci", there)]);
      expectEnd(await forget([there.uid, "--yes"]), 1, { stdout: ["not proven gone", /annot see/] });
    });
  });
});

describe("nothing is removed", () => {
  let gone: WireObject;
  beforeEach(async () => {
    gone = await deleted();
    state([entry("iam:Identity", "ci", gone)]);
  });
  afterEach(() => {
    expect(removed()).toEqual([]);
  });

  test("without --yes: the signs are shown, and the exit code is 2", async () => {
    expectEnd(await forget([gone.uid]), 2, { stdout: "gone by every sign", stderr: "Pass --yes" });
  });

  test("at another platform, or with the settings of another organisation", async () => {
    const other = await TestPlatform.start();
    try {
      // Its clock is ahead of the times in the state.
      await other.passTime(100_000_000);
      const elsewhere = { PLATFORM_BASE_URL: other.baseUrl, PLATFORM_TOKEN: await other.apiToken() };
      expectEnd(await forget([gone.uid, "--yes"], elsewhere), 1, { stdout: /annot see/ });
      state([entry("iam:Identity", "ci", gone)]);
      const slip = { PLATFORM_ORGANIZATION: other.root };
      expectEnd(await forget([gone.uid, "--yes"], slip), 1, { stderr: "is not in the configured organisation" });
    } finally {
      await other.close();
    }
  });

  test("if the state was made at another address, where the object may be", async () => {
    const provider = "urn:pulumi:dev::test::pulumi:providers:platform::copy";
    const inputs = { baseUrl: "https://production.example/" };
    const made = { urn: provider, type: "pulumi:providers:platform", custom: true, id: "1", inputs, outputs: {} };
    state([made, entry("iam:Identity", "ci", gone, { provider: `${provider}::1` })]);
    expectEnd(await forget([gone.uid, "--yes"]), 1, { stderr: ["https://production.example", platform.baseUrl] });
  });

  test.each([
    ["is refused", { status: 403, code: 7 }],
    ["fails", { status: 500, code: 13 }],
    ["answers with a page", { status: 200, body: "<html>" }],
  ])("if the List %s", async (_what, fault) => {
    await platform.fault({ method: "GET", path: "/identities$" }, fault, { times: 0 });
    expectEnd(await forget([gone.uid, "--yes"]), 1, { stdout: "The List of identities does not work", stderr: "[NOT_GONE]" });
  });

  test("if the object cannot be read for another reason, or another server answers 404", async () => {
    for (const fault of [
      { status: 500, code: 13 },
      { status: 404, body: "<html>" },
    ]) {
      await platform.clearFaults();
      await platform.fault({ path: `${gone.uid}$` }, fault, { times: 0 });
      state([entry("iam:Identity", "ci", gone)]);
      expectEnd(await forget([gone.uid, "--yes"]), 1, { stdout: "It cannot be read" });
    }
  });

  test("if it answers 403 although its group exists", async () => {
    await refuses(gone.uid);
    expectEnd(await forget([gone.uid, "--yes"]), 1, { stdout: "So it may exist." });
  });

  test("if a repo whose tag answers 403 is gone, but no group is", async () => {
    const repo = await platform.create("repos", department.uid, { name: `repo-${++names}` });
    const tag = { uid: `${repo.uid}/0123456789abcdef`, name: "latest" };
    await platform.delete("repos", repo.uid);
    await refuses(tag.uid);
    state([entry("registry:Tag", "tag", tag)]);
    expectEnd(await forget([tag.uid, "--yes"]), 1, { stdout: "So it may exist." });
  });

  test("if the state has another object by then", async () => {
    state([entry("iam:Identity", "ci", gone)], [entry("iam:Identity", "ci", await identityIn())]);
    expectEnd(await forget([gone.uid, "--yes"]), 1, { stdout: "gone by every sign", stderr: "[CHANGED_MEANWHILE]" });
  });

  test("if others depend on it, which are named", async () => {
    const role = await platform.create("roles", department.uid, { name: `role-${++names}`, capabilities: ["CAP_REPO_LIST"] });
    state([entry("iam:Identity", "ci", gone), entry("iam:Role", "role", role, { dependencies: [urnOf("iam:Identity", "ci")] })]);
    expectEnd(await forget([gone.uid, "--yes"]), 1, { stderr: ["--dependents", urnOf("iam:Role", "role")] });
    const stdout = [/Role .*not proven gone/, /Identity .*gone by every sign/];
    expectEnd(await forget([gone.uid, "--yes", "--dependents"]), 1, { stdout, stderr: "What stays" });
  });

  test("if a dependent is no object of the platform", async () => {
    const other = { urn: "urn:pulumi:dev::test::random:index:Id::x", type: "random:index:Id", custom: true, id: "1" };
    state([entry("iam:Identity", "ci", gone), { ...other, propertyDependencies: { prefix: [urnOf("iam:Identity", "ci")] } }]);
    expectEnd(await forget([gone.uid, "--yes", "--dependents"]), 1, { stdout: "manages no object of the platform" });
  });

  test("if the state has no such resource, several, or two with one URN", async () => {
    const group = entry("iam:Group", "team", { uid: department.uid });
    const account = entry("iam:AccountAssociation", "account", { uid: department.uid });
    state([group, account, entry("iam:Identity", "ci", gone), entry("iam:Identity", "ci", { uid: "old" }, { delete: true })]);
    expectEnd(await forget(["0123/4567", "--yes"]), 1, { stderr: "[NOT_FOUND]" });
    state([group, account]);
    expectEnd(await forget([department.uid, "--yes"]), 1, { stderr: [group.urn, account.urn, "[AMBIGUOUS]"] });
    state([entry("iam:Identity", "ci", gone), entry("iam:Identity", "ci", { uid: "old" }, { delete: true })]);
    expectEnd(await forget([gone.uid, "--yes"]), 1, { stderr: ["[AMBIGUOUS]", "in a terminal"] });
  });

  test("if the object is younger than a List may lag behind", async () => {
    const young = await identityIn();
    await refuses(young.uid);
    state([entry("iam:Identity", "ci", young)]);
    expectEnd(await forget([young.uid, "--yes"]), 1, { stdout: "It cannot be read" });
  });
});

test("a group that is gone is removed with all that depends on it, dependents first, and the document fits its schema", async () => {
  const team = await platform.create("groups", department.uid, { name: "team" });
  const gone = await deleted(team.uid);
  const uid = `${team.uid}/0123456789abcdef`;
  await platform.delete("groups", team.uid);
  for (const each of [gone.uid, uid]) await refuses(each);
  const [group, identity] = [urnOf("iam:Group", "team"), urnOf("iam:Identity", "ci")];
  const access = { access: [], members: [] };
  state([
    entry("iam:Group", "team", team),
    entry("iam:Identity", "ci", gone, { dependencies: [group] }),
    entry("iam:RoleBinding", "grant", { uid }, { dependencies: [identity], propertyDependencies: { parentUid: [group] } }),
    entry("iam:GroupAccess", "access", { uid: team.uid, ...access, parentUid: team.uid }, { dependencies: [group] }),
  ]);
  const { stdout } = expectEnd(await forget([group, "--dependents", "--yes", "--json"]), 0, { stdout: "{" });
  const result = JSON.parse(stdout) as ForgetDocument;
  const order = [urnOf("iam:GroupAccess", "access"), urnOf("iam:RoleBinding", "grant"), identity, group];
  expect(result.resources.map(({ urn }) => urn)).toEqual(order);
  expect([result.removed, removed()]).toEqual([order, order]);
  expect(new Ajv().validate(documentSchemas()["forget"] as object, result)).toBe(true);
});

test("a stack must be known", async () => {
  expectEnd(await run(["forget", "a/b"], await settings()), 2, { stderr: "--stack" });
});
