import { drawTree, type Organization } from "../../cli/access/tree";
import { authentication } from "../../cli/access/authentication";

interface Objects {
  root?: object;
  groups?: object[];
  identities?: object[];
  bindings?: object[];
  missing?: string[];
}

const group = (uid: string, name: string, description = "") => ({ uid, name, description });
const acme = group("r", "acme");
const bound = (uid: string, role: string, identity: string, name: string) => ({
  uid,
  role: { uid: role, name: role },
  identity: { uid: identity, name },
  identityUid: "",
  roleUid: "",
});

function draw({ root = acme, groups = [], identities = [], bindings = [], missing = [] }: Objects): string[] {
  return drawTree({ root, groups, identities, roles: [], bindings, missing } as unknown as Organization).split("\n");
}

test("the tree shows each group, the identities in it with how they authenticate, and the roles bound in it", () => {
  const lines = draw({
    groups: [group("r/s", "security"), group("r/e", "engineering", "builds it"), group("r/e/t", "team")],
    identities: [{ uid: "r/e/i", name: "ci", claimMatch: { issuer: "https://gitlab.com", subject: "main" } }],
    bindings: [bound("r/b", "viewer", "r/e/i", "ci")],
  });
  expect(lines).toEqual([
    "acme/",
    "├─ viewer → acme/engineering/ci",
    "├─ engineering/  builds it",
    '│  ├─ @ci  issuer "https://gitlab.com" and subject "main"',
    "│  └─ team/",
    "└─ security/",
  ]);
});

describe("a binding identifies what it binds", () => {
  test("by path: two identities of one name under different parents print differently", () => {
    const lines = draw({
      groups: [group("r/e", "engineering"), group("r/s", "sales")],
      bindings: [bound("r/1", "viewer", "r/e/i", "ci"), bound("r/2", "viewer", "r/s/i", "ci")],
    });
    expect(lines.slice(1, 3)).toEqual(["├─ viewer → acme/engineering/ci", "├─ viewer → acme/sales/ci"]);
  });

  test("by path and uid where siblings have one name", () => {
    const identities = [1, 2].map((number) => ({ uid: `r/${number}`, name: "ci", claimMatch: { issuer: "i" } }));
    expect(draw({ identities, bindings: [bound("r/b", "viewer", "r/2", "ci")] })).toEqual([
      "acme/",
      '├─ @ci (r/1)  issuer "i"',
      '├─ @ci (r/2)  issuer "i"',
      "└─ viewer → acme/ci (r/2)",
    ]);
  });

  test("by name and uid where its parents are unknown, and by uid where nothing else is known", () => {
    expect(draw({ bindings: [bound("r/1", "viewer", "x/y/i", "ci"), bound("r/2", "viewer", "x/gone", "")] })).toEqual([
      "acme/",
      "├─ viewer → ci (x/y/i)",
      "└─ viewer → x/gone",
    ]);
  });

  test("custom roles by path, built-in ones by name", () => {
    const custom = { ...bound("r/1", "r/e/role", "r/i", "ci"), role: { uid: "r/e/role", name: "viewer" } };
    const bindings = [custom, bound("r/2", "viewer", "r/i", "ci")];
    expect(draw({ groups: [group("r/e", "engineering")], bindings }).slice(1, 3)).toEqual([
      "├─ acme/engineering/viewer → acme/ci",
      "├─ viewer → acme/ci",
    ]);
  });
});

test("roles bound above a subtree are shown first, with where they come from", () => {
  const lines = draw({
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
  expect(draw({ missing: ["Identities: PERMISSION_DENIED"] })).toEqual([
    "acme/",
    "",
    "Not shown:",
    "- Identities: PERMISSION_DENIED",
  ]);
});

test("names and descriptions cannot forge lines or control a terminal", () => {
  const hostile = group("r/e", "a\n└─ owner → me", "\u001b[2J");
  expect(draw({ groups: [hostile] })).toEqual(["acme/", "└─ a\\n└─ owner → me/  \\u{1b}[2J"]);
});

describe("how an identity authenticates", () => {
  const of = (members: object) => authentication({ uid: "i", name: "i", ...members } as never);

  test.each([
    [{ issuer: "https://gitlab.com", subject: "main" }, 'issuer "https://gitlab.com" and subject "main"'],
    [{ issuer: "https://gitlab.com", subjectPattern: ".*" }, 'issuer "https://gitlab.com" and subject matching ".*"'],
    [
      { audience: "aud", subject: "s", issuerPattern: "https://.*" },
      'issuer matching "https://.*", subject "s" and audience "aud"',
    ],
    [{ audiencePattern: "a.*", audience: "" }, 'audience matching "a.*"'],
    [
      { subject: "s", claims: { env: "prod" }, claimPatterns: { ref: "refs/.*" } },
      'subject "s", claim "env" "prod" and claim "ref" matching "refs/.*"',
    ],
    [{ subject: "s", newMember: { deep: 1 } }, 'subject "s" and newMember {"deep":1}'],
  ])("claims: %j", (claimMatch, expected) => {
    expect(of({ claimMatch })).toBe(expected);
  });

  test("by static keys, in AWS, as a service, or in no way that is shown", () => {
    const staticKeys = { issuer: "i", subject: "s", issuerKeys: "{...}", audiences: ["a"] };
    expect(of({ staticKeys })).toBe('static keys of issuer "i", subject "s" and audiences ["a"]');
    expect(of({ awsIdentity: { awsAccount: "1", arnPattern: ".*", arn: "" } })).toBe(
      'AWS identity with awsAccount "1" and arn matching ".*"',
    );
    expect(of({ servicePrincipal: "SERVICE_PRINCIPAL_X" })).toBe('service principal "SERVICE_PRINCIPAL_X"');
    expect(of({ claimMatch: undefined })).toBe("(how it authenticates is not shown)");
  });
});
