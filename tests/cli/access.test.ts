import { drawTree } from "../../cli/access";
import type { WireGroup } from "../../provider/kinds/group";
import type { WireIdentity } from "../../provider/kinds/identity";
import type { WireRoleBinding } from "../../provider/kinds/role-binding";

const group = (uid: string, name: string) => ({ uid, name, description: "" }) as WireGroup;
const root = group("r", "acme");

test("the tree shows each group, the identities in it with where they log in from, and the roles given in it", () => {
  const ci = { uid: "r/e/i", name: "ci", claimMatch: { issuer: "https://gitlab.com", subject: "main" } };
  const binding = { uid: "r/b", role: { name: "viewer" }, identity: { uid: "r/e/i", name: "ci" }, identityUid: "", roleUid: "" };
  const drawn = drawTree(root, {
    groups: [group("r/s", "security"), group("r/e", "engineering"), group("r/e/t", "team")],
    identities: [ci as unknown as WireIdentity],
    bindings: [binding as unknown as WireRoleBinding],
  });
  expect(drawn.split("\n")).toEqual([
    "acme/",
    "├─ viewer → ci",
    "├─ engineering/",
    '│  ├─ @ci  "main" at "https://gitlab.com"',
    "│  └─ team/",
    "└─ security/",
  ]);
});

test("a match by pattern is shown as it is, and an identity without a match has no origin", () => {
  const wide = { uid: "r/w", name: "wide", claimMatch: { issuer: "https://gitlab.com", subjectPattern: ".*" } };
  const keys = { uid: "r/k", name: "keys", claimMatch: undefined };
  const drawn = drawTree(root, { groups: [], identities: [wide, keys] as unknown as WireIdentity[], bindings: [] });
  expect(drawn.split("\n")).toEqual(["acme/", "├─ @keys", '└─ @wide  ".*" at "https://gitlab.com"']);
});
