import { type AccessChange, grantsAfter, lossOf } from "../../../provider/resources/guards/grants";
import type { Grant } from "../../../provider/sight/rights";

const capabilities: Readonly<Record<string, readonly string[]>> = { owner: ["a", "b", "c"], editor: ["a", "b"], viewer: ["a"] };

/** A binding of the caller, named by its role unless it has another name. */
const at = (place: string, role: string, binding = role): Grant => ({ binding: `${place}/${binding}`, place, role });
const becomes = (binding: string, ...grants: Grant[]): AccessChange => ({ is: "binding", uid: binding, becomes: grants });
const weakened = (uid: string, ...to: string[]): AccessChange => ({ is: "role", uid, capabilities: to });

interface Case {
  shown: Grant[];
  earlier?: AccessChange[];
  next: AccessChange;
  others?: string[];
}

/** The capabilities that `next` takes from the caller, as the guard of own access compares them. */
async function lost({ shown, earlier = [], next, others = [] }: Case): Promise<string[]> {
  const before = grantsAfter(shown, { earlier }).filter(
    ({ binding, roles }) => binding === next.uid || roles.some(({ uid }) => uid === next.uid),
  );
  const after = grantsAfter(shown, { earlier, next, isOthers: (uid) => others.includes(uid) });
  const losses = await lossOf(before, after, (role) => Promise.resolve(capabilities[role] ?? []));
  return losses.map((loss) => `${loss.capabilities.join("")} in ${loss.place}`);
}

const [root, team] = ["root", "root/team"];
const owner = at(team, "owner");
const gone = becomes(owner.binding);

test.each<[string, Case, string[]]>([
  ["the only binding is deleted", { shown: [owner], next: gone }, ["abc in root/team"]],
  ["another gives as much above", { shown: [owner, at(root, "owner")], next: gone }, []],
  ["another gives less above", { shown: [owner, at(root, "editor")], next: gone }, ["c in root/team"]],
  ["another gives as much below only", { shown: [owner, at(`${team}/inner`, "owner")], next: gone }, ["abc in root/team"]],
  ["two together give as much", { shown: [at(team, "editor"), at(team, "viewer"), owner], next: becomes(`${team}/editor`) }, []],
  ["it gets a weaker role", { shown: [owner], next: becomes(owner.binding, at(team, "viewer", "owner")) }, ["bc in root/team"]],
  ["it gets a stronger role", { shown: [at(team, "viewer")], next: becomes(`${team}/viewer`, at(team, "owner", "viewer")) }, []],
  ["it is replaced by one above", { shown: [owner], next: becomes(owner.binding, { ...at(root, "owner"), binding: "" }) }, []],
  ["its role is weakened", { shown: [owner], next: weakened("owner", "a", "d") }, ["bc in root/team"]],
  [
    "its role is weakened, and another role gives as much",
    { shown: [owner, at(team, "editor")], next: weakened("owner", "a", "c") },
    [],
  ],
  ["a role that the caller does not have is weakened", { shown: [owner], next: weakened("editor") }, []],
  [
    "the other one is deleted earlier",
    { shown: [owner, at(root, "owner")], earlier: [becomes("root/owner")], next: gone },
    ["abc in root/team"],
  ],
  [
    "the other one is replaced earlier, by what no List shows yet",
    { shown: [owner, at(root, "owner")], earlier: [becomes("root/owner", { ...at(root, "owner"), binding: "" })], next: gone },
    ["abc in root/team"],
  ],
  [
    "the other one is raised earlier: it may still be what it was",
    { shown: [owner, at(root, "viewer")], earlier: [becomes("root/viewer", at(root, "owner", "viewer"))], next: gone },
    ["bc in root/team"],
  ],
  [
    "the other one is lowered earlier",
    { shown: [owner, at(root, "owner")], earlier: [becomes("root/owner", at(root, "viewer", "owner"))], next: gone },
    ["bc in root/team"],
  ],
  [
    "the role of the other one is weakened earlier",
    { shown: [owner, at(root, "editor")], earlier: [weakened("editor", "b")], next: gone },
    ["ac in root/team"],
  ],
  [
    "the role of both is weakened earlier",
    { shown: [owner, at(root, "owner")], earlier: [weakened("owner", "b")], next: gone },
    [],
  ],
  [
    "a role is weakened that an earlier change gives the caller",
    { shown: [at(team, "viewer")], earlier: [becomes(`${team}/viewer`, at(team, "editor", "viewer"))], next: weakened("editor") },
    ["a in root/team"],
  ],
  [
    "another process may change the other one",
    { shown: [owner, at(root, "owner")], next: gone, others: ["root/owner"] },
    ["abc in root/team"],
  ],
  [
    "another process may change the role of the other one",
    { shown: [owner, at(root, "editor")], next: gone, others: ["editor"] },
    ["abc in root/team"],
  ],
  [
    "another process may change the role that it gets",
    { shown: [owner], next: becomes(owner.binding, at(team, "editor", "owner")), others: ["editor"] },
    ["abc in root/team"],
  ],
  [
    "another process may change the role that it had",
    { shown: [at(team, "editor")], next: becomes(`${team}/editor`, at(team, "owner", "editor")), others: ["editor"] },
    [],
  ],
  [
    "another process, and this one, change the role of both",
    { shown: [owner, at(root, "owner")], next: weakened("owner", "a", "b"), others: ["owner"] },
    ["c in root/team", "c in root"],
  ],
])("%s", async (_what, given, expected) => {
  expect(await lost(given)).toEqual(expected);
});
