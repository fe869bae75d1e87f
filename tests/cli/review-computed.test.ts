import { unknownValue } from "../../provider/schema/inputs";
import { dependingOn, giving, identity, made, reads, roleUid, root, stays } from "../support/preview-steps";
import { gate, review } from "../support/review-gate";
import { expectEnd } from "../support/cli";

// Computed values: what an `apply` returns is known only after the update, and a preview shows only what it depends on.

const anybody = { issuer: "https://token.actions.githubusercontent.com", subjectPattern: ".*" };
const role = (name: string, capability: string) => ({ parentUid: root, name, capabilities: [capability] });

const shop = stays("Group", "shop", { parentUid: root, name: "shop" });
const top = stays("Group", "top", { parentUid: root, name: "top" });
const team = made("Group", "team", { parentUid: `${root}/shop`, name: "team" });
const quiet = made("Role", "quiet", role("quiet", "CAP_REPO_LIST"));
const binder = stays("Role", "binder", role("binder", "CAP_IAM_ROLE_BINDINGS_CREATE"));
const lister = stays("Role", "lister", role("lister", "CAP_REPO_LIST"));
const own = reads("Role", "own", roleUid("owner"));
const eva = stays("Identity", "eva", identity("eva"));
const open = stays("Identity", "open", { ...identity("open"), claimMatch: anybody });
const [novice, other] = ["novice", "other"].map((name) => made("Identity", name, identity(name))) as [typeof eva, typeof eva];

/** A role binding, one input of which depends on `others`. */
const computed = (input: string, others: readonly { urn: string }[], more: object = {}) => {
  const inputs = { ...giving("viewer", `${root}/shop`, `${root}/eva`), ...more, [input]: unknownValue };
  return dependingOn(made("RoleBinding", "b", inputs), { [input]: others });
};
/** A `GroupAccess` whose members depend on `others`. */
const access = (members: object, others: readonly { urn: string }[]) =>
  dependingOn(made("GroupAccess", "shop", { parentUid: `${root}/shop`, access: members }), { access: others });
const whats = (document: { readonly unknown: readonly { readonly what: string }[] }) => document.unknown.map(({ what }) => what);

test.each([
  ["a role", [quiet, own, eva], computed("roleUid", [quiet, own]), "the role of b", "high"],
  ["a role that does not change", [quiet, binder, eva], computed("roleUid", [quiet, binder]), "the role of b", "high"],
  ["a role, computed with something else than roles", [quiet, eva], computed("roleUid", [quiet, shop]), "the role of b", "high"],
  [
    "a role, although the uid of what it depends on is known",
    [team, lister, eva],
    computed("roleUid", [team, lister]),
    "the role of b",
    "high",
  ],
  ["an identity", [novice, open], computed("identityUid", [novice, open]), "the identity of b", "high"],
  [
    "the only member of a GroupAccess",
    [novice, open],
    access({ viewer: { novice: unknownValue } }, [novice, open]),
    "who is viewer by shop",
    "high",
  ],
  [
    "a member of a GroupAccess beside the other, which has another role",
    [novice, open],
    access({ none: { a: `${root}/open` }, viewer: { novice: unknownValue } }, [novice, open]),
    "who is viewer by shop",
    "high",
  ],
  [
    "the place of a role binding",
    [top, team, eva],
    computed("parentUid", [team, top], { roleUid: roleUid("owner") }),
    "the place of b",
    "critical",
  ],
])(
  "what may be that of several resources is undecided, and ranks like the worst of them: %s",
  async (_, steps, last, what, worst) => {
    const { code, document } = await gate([shop, ...steps, last]);
    expect(whats(document)).toContain(what);
    expect([code, document.bounds]).toEqual([7, "lower"]);
    expect(document.changes.map(({ severity }) => severity)).toContain(worst);
  },
);

test("the place of a harmless role binding may be that of several groups: the gate cannot pass", async () => {
  expectEnd(
    await gate([shop, top, team, eva, computed("parentUid", [team, top], { roleUid: undefined, roleName: "viewer" })]),
    8,
    { stderr: "- the place of b: " },
  );
});

test("members that have several roles, of identities that are not made yet, are undecided: a label proves nothing", async () => {
  const swapped = access({ viewer: { novice: unknownValue }, owner: { other: unknownValue } }, [novice, other]);
  const { code, document } = await gate([shop, novice, other, swapped]);
  expect([code, whats(document)]).toEqual([7, ["who is viewer by shop", "who is owner by shop"]]);
  expect(document.changes.map(({ message }) => message).join()).not.toContain("/other");
});

test.each([
  ["a role", computed("roleUid", [team]), "the role of b"],
  ["an identity", computed("identityUid", []), "the identity of b"],
  ["a place", computed("parentUid", [quiet]), "the place of b"],
])("%s that depends on nothing of its kind is undecided", async (_what, last, what) => {
  const { code, document } = await gate([shop, team, quiet, eva, last]);
  expect(whats(document)).toContain(what);
  expect(code).not.toBe(0);
});

describe("a value that depends on one resource is taken for its uid, and that is said", () => {
  const members = access({ viewer: { a: `${root}/eva`, b: unknownValue } }, [eva, novice]);
  const steps = [shop, quiet, eva, novice, computed("roleUid", [quiet]), members];

  test("by default", async () => {
    const { code, document } = await gate(steps);
    expect([code, document.bounds, document.unknown]).toEqual([0, "exact", []]);
    expect(document.assumed).toEqual([
      { what: "the role of b", reason: expect.stringContaining("quiet") as string },
      { what: "who is viewer by shop", reason: expect.stringContaining("novice") as string },
    ]);
  });

  test("with --strict it is undecided", async () => {
    const { document } = expectEnd(await gate(steps, "--strict"), 8, { stderr: "- the role of b: " });
    expect([document.bounds, document.assumed]).toEqual(["lower", []]);
    expect(whats(document)).toEqual(["the role of b", "who is viewer by shop"]);
  });

  test.each(["text", "markdown"])("as %s says how many there are", async (format) => {
    const { stdout } = await review(steps, ["--format", format]);
    expect(stdout.replaceAll("\\", "")).toMatch(/2 references .*--strict/);
  });
});

test("as many new members of a role as there are new identities are all of them, whatever their labels", async () => {
  const { code, document } = await gate([
    shop,
    novice,
    other,
    access({ viewer: { a: unknownValue, b: unknownValue } }, [novice, other]),
  ]);
  expect([code, document.bounds]).toEqual([0, "exact"]);
  expect(document.changes.map(({ identity: { path } }) => path)).toEqual([`${root}/novice`, `${root}/other`]);
});

test("a member with a name that the preview does not resolve is not the new identity of another role", async () => {
  const named = access({ owner: { boss: { identityRef: "acme/boss" } }, viewer: { eva: `${root}/eva` } }, [novice]);
  const { code, document } = await gate([shop, eva, novice, named]);
  expect([code, whats(document), document.assumed]).toEqual([7, ["who is owner by shop"], []]);
  expect(document.changes.map(({ message }) => message).join()).not.toContain("/novice");
});
