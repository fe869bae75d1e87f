import { knownOffline } from "../../cli/review/known";
import { unknownValue } from "../../provider/kinds/inputs";
import { root, stays, step } from "../support/preview-steps";
import { gate, review } from "../support/review-gate";

// Computed values: what an `apply` returns is known after the update only, and a preview shows only what it depends on.

const uidOf = (role: string) => [...knownOffline().roles].find(([, { name }]) => name === role)?.[0] ?? "";
const [owner, viewer] = [uidOf("owner"), uidOf("viewer")];
const issuer = "https://login.acme.example";
const identity = (name: string) => ({ parentUid: root, name, claimMatch: { issuer, subject: name } });
const anybody = {
  ...identity("open"),
  claimMatch: { issuer: "https://token.actions.githubusercontent.com", subjectPattern: ".*" },
};

/** A resource with inputs that are known after the update only, and what each of them depends on. */
function computed<Step extends { newState: object }>(made: Step, dependencies: Record<string, { urn: string }[]>): Step {
  const urns = Object.entries(dependencies).map(([input, all]) => [input, all.map(({ urn }) => urn)]);
  Object.assign(made.newState, { propertyDependencies: Object.fromEntries(urns) as Record<string, string[]> });
  return made;
}

/** What a program reads by `get`: the preview has its uid, and nothing of it. */
function read(kind: string, name: string, id: string) {
  const type = `platform:iam:${kind}`;
  const state = { urn: `urn:pulumi:a::b::${type}::${name}`, type, custom: true, id, external: true, inputs: {}, outputs: {} };
  return { op: "read", urn: state.urn, newState: state };
}

const shop = stays("Group", "shop", { parentUid: root, name: "shop" });
const quiet = step("Role", "quiet", undefined, { parentUid: root, name: "quiet", capabilities: ["CAP_REPO_LIST"] });
const team = step("Group", "team", undefined, { parentUid: `${root}/shop`, name: "team" });
const eva = stays("Identity", "eva", identity("eva"));
const open = stays("Identity", "open", anybody);
const novice = step("Identity", "novice", undefined, identity("novice"));
const other = step("Identity", "other", undefined, identity("other"));
const binding = (inputs: object) =>
  step("RoleBinding", "b", undefined, { parentUid: `${root}/shop`, identityUid: `${root}/eva`, roleUid: viewer, ...inputs });
const access = (members: object) => step("GroupAccess", "shop", undefined, { parentUid: `${root}/shop`, access: members });

describe("a value that may be that of several resources is undecided, and ranks like the worst of them", () => {
  const own = read("Role", "own", owner);
  const top = stays("Group", "top", { parentUid: root, name: "top" });

  test.each([
    ["a role", [quiet, own, eva], computed(binding({ roleUid: unknownValue }), { roleUid: [quiet, own] }), "the role of b"],
    [
      "a role of the program that does not change",
      [quiet, stays("Role", "r", { parentUid: root, name: "r", capabilities: ["CAP_IAM_ROLE_BINDINGS_CREATE"] }), eva],
      computed(binding({ roleUid: unknownValue }), { roleUid: [quiet, { urn: "urn:pulumi:a::b::platform:iam:Role::r" }] }),
      "the role of b",
    ],
    [
      "a role, computed with something else than roles",
      [quiet, shop, eva],
      computed(binding({ roleUid: unknownValue }), { roleUid: [quiet, shop] }),
      "the role of b",
    ],
    [
      "an identity",
      [novice, open],
      computed(binding({ identityUid: unknownValue }), { identityUid: [novice, open] }),
      "the identity of b",
    ],
    [
      "the only member of a GroupAccess",
      [novice, open],
      computed(access({ viewer: { novice: unknownValue } }), { access: [novice, open] }),
      "who is viewer by shop",
    ],
    [
      "a member of a GroupAccess beside the other, which has another role",
      [novice, open],
      computed(access({ none: { a: `${root}/open` }, viewer: { novice: unknownValue } }), { access: [novice, open] }),
      "who is viewer by shop",
    ],
  ])("%s", async (_what, steps, made, what) => {
    const { code, document } = await gate([shop, ...steps, made]);
    expect(document.unknown.map((each) => each.what)).toContain(what);
    expect(document.changes.map(({ severity }) => severity)).toContain("high");
    expect(document.bounds).toBe("lower");
    expect(code).toBe(7);
  });

  test("the place of a role binding", async () => {
    const made = computed(binding({ parentUid: unknownValue, roleUid: owner }), { parentUid: [team, top] });
    const { code, document } = await gate([shop, top, team, eva, made]);
    expect(document.unknown.map(({ what }) => what)).toContain("the place of b");
    expect([code, document.changes[0]?.severity]).toEqual([7, "critical"]);
  });

  test("the place of a harmless one: the gate cannot pass", async () => {
    const made = computed(binding({ parentUid: unknownValue }), { parentUid: [team, top] });
    const { code, stderr } = await gate([shop, top, team, eva, made]);
    expect([code, stderr]).toEqual([
      1,
      expect.stringContaining("- the place of b: it is known after the update only, and may be"),
    ]);
  });
});

test("members that have several roles, of identities that are not made yet, are undecided: a label proves nothing", async () => {
  const swapped = access({ viewer: { novice: unknownValue }, owner: { other: unknownValue } });
  const { code, document } = await gate([shop, novice, other, computed(swapped, { access: [novice, other] })]);
  expect(document.unknown.map(({ what }) => what)).toEqual(["who is viewer by shop", "who is owner by shop"]);
  expect(document.changes.map(({ message }) => message).join()).not.toContain("/other");
  expect(code).toBe(7);
});

test.each([
  ["a role", computed(binding({ roleUid: unknownValue }), { roleUid: [team] }), "the role of b"],
  ["an identity", computed(binding({ identityUid: unknownValue }), {}), "the identity of b"],
  ["a place", computed(binding({ parentUid: unknownValue }), { parentUid: [quiet] }), "the place of b"],
])("%s that depends on nothing of its kind is undecided", async (_what, made, what) => {
  const { code, document } = await gate([shop, team, quiet, eva, made]);
  expect(document.unknown.map((each) => each.what)).toContain(what);
  expect(code).not.toBe(0);
});

test("a value that is not known yet, although the uid of what it depends on is, is computed: it is undecided", async () => {
  const looks = stays("Role", "r", { parentUid: root, name: "r", capabilities: ["CAP_REPO_LIST"] });
  const made = computed(binding({ roleUid: unknownValue }), { roleUid: [team, looks] });
  const { code, document } = await gate([shop, team, looks, eva, made]);
  expect(document.unknown.map(({ what }) => what)).toContain("the role of b");
  expect(code).toBe(7);
});

describe("a value that depends on one resource is taken for its uid, and that is said", () => {
  const made = [
    computed(binding({ roleUid: unknownValue }), { roleUid: [quiet] }),
    computed(access({ viewer: { a: `${root}/eva`, b: unknownValue } }), { access: [eva, novice] }),
  ];
  const steps = [shop, quiet, eva, novice, ...made];

  test("by default", async () => {
    const { code, document } = await gate(steps);
    expect([code, document.bounds, document.unknown]).toEqual([0, "exact", []]);
    expect(document.assumed).toEqual([
      { what: "the role of b", reason: expect.stringContaining("quiet") as string },
      { what: "who is viewer by shop", reason: expect.stringContaining("novice") as string },
    ]);
  });

  test("with --strict it is undecided", async () => {
    const { code, stderr, document } = await gate(steps, "--strict");
    expect([code, document.bounds, document.assumed]).toEqual([1, "lower", []]);
    expect(document.unknown.map(({ what }) => what)).toEqual(["the role of b", "who is viewer by shop"]);
    expect(stderr).toContain("- the role of b: ");
  });

  test("text and Markdown say how many there are", async () => {
    for (const format of ["text", "markdown"]) {
      const { stdout } = await review(steps, "--format", format);
      expect(stdout.replaceAll("\\", "")).toMatch(/2 references .*--strict/);
    }
  });
});

test("as many new members of a role as there are new identities are all of them, whatever their labels", async () => {
  const made = computed(access({ viewer: { a: unknownValue, b: unknownValue } }), { access: [novice, other] });
  const { code, document } = await gate([shop, novice, other, made]);
  expect([code, document.bounds]).toEqual([0, "exact"]);
  expect(document.changes.map(({ message }) => message)).toEqual([
    expect.stringContaining("/novice"),
    expect.stringContaining("/other"),
  ]);
});
