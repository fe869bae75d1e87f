import { drawTree } from "../../cli/access/tree";
import { groupOf, kindNamed } from "../../inventory/kinds";
import { platformSnapshot } from "../../inventory/platform-snapshot";
import { ObjectIndex, type PlatformObject } from "../../inventory/objects";

interface Row {
  uid: string;
  name?: string;
  [field: string]: unknown;
}

interface Objects {
  root?: Row;
  groups?: Row[];
  identities?: Row[];
  bindings?: Row[];
  roles?: Row[];
  others?: [kind: string, row: Row][];
  missing?: { what: string; reason: string }[];
}

const group = (uid: string, name: string, description = "") => ({ uid, name, description });
const acme = group("r", "acme");
const bound = (uid: string, role: string, identity: string, name: string) => ({
  uid,
  role: { uid: role, name: role },
  identity: { uid: identity, name },
});

/** A row as the inventory keeps it. */
function object(kindName: string, row: Row): PlatformObject {
  const kind = kindNamed(kindName);
  const value = kind.observe(row).inputs;
  return { kind: kindName, uid: row.uid, place: groupOf(kind, row.uid), ...(row.name && { name: row.name }), value, row };
}

/** The tree, with the names that bindings repeat, and without what is not known of these. */
function draw(given: Objects): string[] {
  const { root = acme, groups = [], identities = [], bindings = [], roles = [], others = [], missing = [] } = given;
  const repeated = bindings.flatMap((binding) =>
    (["identity", "role"] as const).map((kind) =>
      object(kind === "role" ? "iam:Role" : "iam:Identity", Reflect.get(binding, kind) as Row),
    ),
  );
  const objects = new ObjectIndex([
    ...[root, ...groups].map((row) => object("iam:Group", row)),
    ...identities.map((row) => object("iam:Identity", row)),
    ...bindings.map((row) => object("iam:RoleBinding", row)),
    ...others.map(([kind, row]) => object(kind, row)),
  ]);
  const around = new ObjectIndex([
    ...repeated.filter(({ kind, uid }) => !objects.has(kind, uid)),
    ...roles.map((row) => object("iam:Role", row)),
  ]);
  const unreadable = missing.map((each) => ({ ...each, place: root.uid }));
  const lines = drawTree({
    root: root.uid,
    objects,
    snapshot: platformSnapshot({ root: root.uid, objects, around, unreadable }, Date.now()),
  }).split("\n");
  return lines.filter((line) => !/^- (?:how identity|capabilities of role) /.test(line));
}

/** The same without the list of what is not shown. */
function tree(given: Objects): string[] {
  const lines = draw(given);
  const end = lines.indexOf("");
  return end < 0 ? lines : lines.slice(0, end);
}

test("the tree shows each group, the identities in it with who can log in, and the roles bound in it", () => {
  const lines = tree({
    groups: [group("r/s", "security"), group("r/e", "engineering", "builds it"), group("r/e/t", "team")],
    identities: [{ uid: "r/e/i", name: "ci", claimMatch: { issuer: "https://gitlab.com", subject: "eva" } }],
    bindings: [bound("r/b", "viewer", "r/e/i", "ci")],
  });
  expect(lines).toEqual([
    "acme/",
    "├─ viewer → acme/engineering/ci",
    "├─ engineering/  builds it",
    '│  ├─ @ci  whoever has the subject "eva" at GitLab',
    "│  └─ team/",
    "└─ security/",
  ]);
});

describe("a binding identifies what it binds", () => {
  test("by path: two identities of one name under different parents print differently", () => {
    const lines = tree({
      groups: [group("r/e", "engineering"), group("r/s", "sales")],
      bindings: [bound("r/1", "viewer", "r/e/i", "ci"), bound("r/2", "viewer", "r/s/i", "ci")],
    });
    expect(lines.slice(1, 3)).toEqual(["├─ viewer → acme/engineering/ci", "├─ viewer → acme/sales/ci"]);
  });

  test("by path and uid where siblings have one name", () => {
    const identities = [1, 2].map((number) => ({
      uid: `r/${number}`,
      name: "ci",
      claimMatch: { issuer: "https://i", subject: "s" },
    }));
    expect(tree({ identities, bindings: [bound("r/b", "viewer", "r/2", "ci")] })).toEqual([
      "acme/",
      '├─ @ci (r/1)  whoever has the subject "s" at https://i',
      '├─ @ci (r/2)  whoever has the subject "s" at https://i',
      "└─ viewer → acme/ci (r/2)",
    ]);
  });

  test("by name and uid where its parents are unknown, and by uid where nothing else is known", () => {
    expect(tree({ bindings: [bound("r/1", "viewer", "x/y/i", "ci"), bound("r/2", "viewer", "x/gone", "")] })).toEqual([
      "acme/",
      "├─ viewer → ci (x/y/i)",
      "└─ viewer → x/gone",
    ]);
  });

  test("custom roles by path, built-in ones by name", () => {
    const custom = { ...bound("r/1", "r/e/role", "r/i", "ci"), role: { uid: "r/e/role", name: "viewer" } };
    const bindings = [custom, bound("r/2", "viewer", "r/i", "ci")];
    expect(tree({ groups: [group("r/e", "engineering")], bindings }).slice(1, 3)).toEqual([
      "├─ acme/engineering/viewer → acme/ci",
      "├─ viewer → acme/ci",
    ]);
  });
});

test("whatever else gives roles is shown with who takes them up", () => {
  const viewer = { uid: "viewer", name: "viewer", capabilities: [] };
  const others: [string, Row][] = [
    ["iam:IdentityProvider", { uid: "r/p", name: "sso", oidc: { issuer: "i", clientId: "c" }, defaultRole: "viewer" }],
    ["iam:ExternalGroupRoleMapping", { uid: "r/p/m", externalGroupId: "eng", roleUid: "viewer", scope: "r/e" }],
    ["iam:GroupInvite", { uid: "r/i", roleUid: "viewer", email: "zoe@acme.example" }],
    ["iam:GroupInvite", { uid: "r/j", roleUid: "viewer" }],
    ["iam:AccountAssociation", { uid: "r/e", name: "aws", amazon: { account: "123456789012" } }],
  ];
  expect(tree({ groups: [group("r/e", "engineering")], roles: [viewer], others })).toEqual([
    "acme/",
    '├─ viewer → "zoe@acme.example", by an invite',
    "├─ viewer → whoever accepts the invite r/j",
    "├─ viewer → whoever signs in at acme/sso for the first time",
    "└─ engineering/",
    "   ├─ account association → AWS account 123456789012",
    '   └─ viewer → members of "eng" at acme/sso',
  ]);
});

test("roles bound above a subtree are shown first, with where they come from", () => {
  const lines = tree({
    root: group("r/e/t", "team"),
    groups: [acme, group("r/e", "engineering")],
    bindings: [
      bound("r/e/b", "editor", "r/i", "ops"),
      bound("r/b", "owner", "r/i", "ops"),
      bound("r/e/t/b", "viewer", "r/i", "ops"),
    ],
  });
  expect(lines).toEqual([
    "acme/engineering/team/",
    "├─ owner → acme/ops  (from acme/)",
    "├─ editor → acme/ops  (from acme/engineering/)",
    "└─ viewer → acme/ops",
  ]);
});

test("what could not be read is named at the end", () => {
  const missing = [{ what: "identities in acme", reason: "PERMISSION_DENIED" }];
  expect(draw({ missing })).toEqual(["acme/", "", "Not shown:", "- identities in acme: PERMISSION_DENIED"]);
});

test("names and descriptions cannot forge lines or control a terminal", () => {
  const hostile = group("r/e", "a\n└─ owner → me", "\u001b[2J");
  expect(tree({ groups: [hostile] })).toEqual(["acme/", "└─ a\\n└─ owner → me/  \\u{1b}[2J"]);
});
