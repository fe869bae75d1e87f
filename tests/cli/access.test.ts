import { drawTree } from "../../cli/access/tree";
import { ObjectIndex } from "../../inventory/objects";
import { platformSnapshot } from "../../inventory/platform-snapshot";
import { role, Rows } from "./export/rows";

let acme: Rows;
let root: string;
beforeEach(() => {
  acme = new Rows();
  root = acme.root;
});

/** Binds an identity that is called `name` wherever it is referred to. */
const bind = (group: string, roleName: string, identity: string, name: string) =>
  acme.bind(group, identity, role(roleName), { name });

/** The tree of a group, without what bindings leave unknown. */
function draw(top = root, missing: readonly { what: string; reason: string }[] = []): string[] {
  const objects = new ObjectIndex(acme.objects);
  const around = new ObjectIndex([...acme.boundElsewhere(), ...acme.roles()]);
  const unreadable = missing.map((each) => ({ ...each, kinds: [], place: top }));
  const snapshot = platformSnapshot({ root: top, objects, around, unreadable }, Date.parse("2026-01-02"));
  const lines = drawTree({ root: top, objects, snapshot }).split("\n");
  return lines.filter((line) => !/^- (?:how identity|capabilities of role) /.test(line));
}

/** The same without the list of what is not shown. */
function tree(top = root): string[] {
  const lines = draw(top);
  const end = lines.indexOf("");
  return end < 0 ? lines : lines.slice(0, end);
}

test("the tree shows each group, the identities in it with who can log in, and the roles bound in it", () => {
  acme.group(root, "security");
  const engineering = acme.group(root, "engineering", { description: "builds it" });
  acme.group(engineering, "team");
  const ci = acme.identity(engineering, "ci", { claimMatch: { issuer: "https://gitlab.example", subject: "eva" } });
  bind(root, "viewer", ci, "ci");
  expect(tree()).toEqual([
    "acme/",
    "├─ viewer → acme/engineering/ci",
    "├─ engineering/  builds it",
    '│  ├─ @ci  whoever has the subject "eva" at https://gitlab.example',
    "│  └─ team/",
    "└─ security/",
  ]);
});

describe("a binding identifies what it binds", () => {
  test("by path: two identities of one name under different parents print differently", () => {
    for (const name of ["engineering", "sales"]) bind(root, "viewer", `${acme.group(root, name)}/i`, "ci");
    expect(tree().slice(1, 3)).toEqual(["├─ viewer → acme/engineering/ci", "├─ viewer → acme/sales/ci"]);
  });

  test("by path and uid where siblings have one name", () => {
    const form = { claimMatch: { issuer: "https://i", subject: "s" } };
    const [one, other] = [acme.identity(root, "ci", form), acme.identity(root, "ci", form)];
    bind(root, "viewer", other, "ci");
    expect(tree()).toEqual([
      "acme/",
      `├─ @ci (${one})  whoever has the subject "s" at https://i`,
      `├─ @ci (${other})  whoever has the subject "s" at https://i`,
      `└─ viewer → acme/ci (${other})`,
    ]);
  });

  test("by how they log in, for people, who are in no group", () => {
    const person = { issuer: "https://okta.acme.example", subject: "eva", name: "mallory" };
    acme.bind(root, "5".repeat(40), role("viewer"), person);
    acme.bind(root, "6".repeat(40), role("viewer"), { ...person, subject: "zoe", email: "zoe@acme.example" });
    acme.bind(root, "7".repeat(40), role("viewer"));
    expect(tree().slice(1)).toEqual([
      `├─ viewer → ${"7".repeat(40)} (a person who has not signed up, or is not visible)`,
      "├─ viewer → eva (okta.acme.example)",
      "└─ viewer → zoe@acme.example (zoe at okta.acme.example)",
    ]);
  });

  test("by name and uid where its parents are unknown, and by uid where nothing else is known", () => {
    bind(root, "viewer", "x/y/i", "ci");
    bind(root, "viewer", "x/gone", "");
    expect(tree()).toEqual(["acme/", "├─ viewer → ci (x/y/i)", "└─ viewer → x/gone"]);
  });

  test("custom roles by path, built-in ones by name", () => {
    const custom = acme.add("iam:Role", acme.group(root, "engineering"), { name: "viewer", capabilities: [] });
    for (const each of [custom, role("viewer")]) acme.bind(root, `${root}/i`, each, { name: "ci" });
    expect(tree().slice(1, 3)).toEqual(["├─ acme/engineering/viewer → acme/ci", "├─ viewer → acme/ci"]);
  });
});

test("whatever else gives roles is shown with who takes them up", () => {
  const engineering = acme.group(root, "engineering");
  const roleUid = role("viewer");
  const oidc = { issuer: "https://i.example", clientId: "c" };
  const sso = acme.add("iam:IdentityProvider", root, { name: "sso", oidc, defaultRole: roleUid });
  acme.add("iam:ExternalGroupRoleMapping", sso, { externalGroupId: "eng", roleUid, scope: engineering });
  acme.add("iam:GroupInvite", root, { roleUid, email: "zoe@acme.example" });
  const invite = acme.add("iam:GroupInvite", root, { roleUid });
  acme.add("iam:AccountAssociation", engineering, { name: "aws", amazon: { account: "123456789012" } });
  expect(tree()).toEqual([
    "acme/",
    '├─ viewer → "zoe@acme.example", by an invite',
    `├─ viewer → whoever accepts the invite ${invite}`,
    "├─ viewer → whoever signs in at acme/sso for the first time",
    "└─ engineering/",
    "   ├─ account association → AWS account 123456789012",
    '   └─ viewer → members of "eng" at acme/sso',
  ]);
});

test("roles bound above a subtree are shown first, with where they come from", () => {
  const engineering = acme.group(root, "engineering");
  const team = acme.group(engineering, "team");
  for (const [group, name] of [
    [engineering, "editor"],
    [root, "owner"],
    [team, "viewer"],
  ] as const)
    bind(group, name, `${root}/i`, "ops");
  expect(tree(team)).toEqual([
    "acme/engineering/team/",
    "├─ owner → acme/ops  (from acme/)",
    "├─ editor → acme/ops  (from acme/engineering/)",
    "└─ viewer → acme/ops",
  ]);
});

test("what could not be read is named at the end", () => {
  const missing = [{ what: "identities in acme", reason: "PERMISSION_DENIED" }];
  expect(draw(root, missing)).toEqual(["acme/", "", "Not shown:", "- identities in acme: PERMISSION_DENIED"]);
});

test("names and descriptions cannot forge lines or control a terminal", () => {
  acme.group(root, "a\n└─ owner → me", { description: "\u001b[2J" });
  expect(tree()).toEqual(["acme/", "└─ a\\n└─ owner → me/  \\u{1b}[2J"]);
});
