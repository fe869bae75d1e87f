import { type AccessChange, lossOf } from "../../../provider/resources/guards/access-loss";
import type { Grant } from "../../../provider/sight/rights";

const capabilities: Readonly<Record<string, readonly string[]>> = { owner: ["a", "b", "c"], editor: ["a", "b"], viewer: ["a"] };

/** A binding of the caller, named by its role unless it has another name. */
const at = (place: string, role: string, binding = role): Grant => ({ binding: `${place}/${binding}`, place, role });
const becomes = (grant: Grant, ...gives: Grant[]): AccessChange => ({ is: "binding", uid: grant.binding, gave: grant, gives });
const unlisted = (grant: Grant): Grant => ({ ...grant, binding: "" });
const weakened = (uid: string, ...to: string[]): AccessChange => ({ is: "role", uid, capabilities: to });

interface Case {
  shown: Grant[];
  earlier?: AccessChange[];
  next: AccessChange;
}

async function lost({ shown, earlier = [], next }: Case): Promise<string> {
  const capabilitiesOf = (role: string) => Promise.resolve(capabilities[role] ?? []);
  const loss = await lossOf(next, { shown, earlier, capabilitiesOf });
  return loss === undefined ? "nothing" : `${loss.capabilities.join("")} in ${loss.place}`;
}

const [root, team] = ["root", "root/team"];
const [owner, above] = [at(team, "owner"), at(root, "owner")];
const gone = becomes(owner);

test.each<[string, Case, string]>([
  ["the only binding is deleted", { shown: [owner], next: gone }, "abc in root/team"],
  ["another gives as much above", { shown: [owner, above], next: gone }, "nothing"],
  ["another gives less above", { shown: [owner, at(root, "editor")], next: gone }, "c in root/team"],
  ["another gives as much below only", { shown: [owner, at(`${team}/inner`, "owner")], next: gone }, "abc in root/team"],
  ["another gives as much beside only", { shown: [owner, at("root/other", "owner")], next: gone }, "abc in root/team"],
  [
    "two others together give as much",
    { shown: [at(team, "editor"), at(team, "viewer"), owner], next: becomes(at(team, "editor")) },
    "nothing",
  ],
  ["a List does not show it, and shows no other", { shown: [], next: gone }, "abc in root/team"],
  ["a List does not show it, and shows another there, so it is gone", { shown: [at(root, "viewer")], next: gone }, "nothing"],
  [
    "a List does not show it, and shows only one there that this run is deleting",
    { shown: [above], earlier: [becomes(above)], next: gone },
    "abc in root/team",
  ],
  ["a List shows another role in it", { shown: [at(team, "viewer", "owner")], next: gone }, "a in root/team"],

  ["it gets a weaker role", { shown: [owner], next: becomes(owner, at(team, "viewer", "owner")) }, "bc in root/team"],
  [
    "it gets a stronger role",
    { shown: [at(team, "viewer")], next: becomes(at(team, "viewer"), at(team, "owner", "viewer")) },
    "nothing",
  ],
  ["it is replaced by one above", { shown: [owner], next: becomes(owner, unlisted(above)) }, "nothing"],
  [
    "it is replaced by one below",
    { shown: [owner], next: becomes(owner, unlisted(at(`${team}/a`, "owner"))) },
    "abc in root/team",
  ],

  ["its role is weakened", { shown: [owner], next: weakened("owner", "a", "d") }, "bc in root/team"],
  ["its role is strengthened", { shown: [owner], next: weakened("owner", "a", "b", "c", "d") }, "nothing"],
  [
    "its role is weakened, and another role gives as much",
    { shown: [owner, at(team, "editor")], next: weakened("owner", "a", "c") },
    "nothing",
  ],
  ["the role of two is weakened", { shown: [owner, above], next: weakened("owner", "a") }, "bc in root/team"],
  ["a role that the caller does not have is weakened", { shown: [owner], next: weakened("editor") }, "nothing"],

  ["this run is deleting the other one", { shown: [owner, above], earlier: [becomes(above)], next: gone }, "abc in root/team"],
  [
    "this run is replacing the other one, by one that no List shows yet",
    { shown: [owner, above], earlier: [becomes(above, unlisted(above))], next: gone },
    "abc in root/team",
  ],
  [
    "this run has made another one, which the List shows",
    { shown: [owner, above, at(root, "owner", "new")], earlier: [becomes(above, unlisted(above))], next: gone },
    "nothing",
  ],
  [
    "this run is raising the other one",
    { shown: [owner, at(root, "viewer")], earlier: [becomes(at(root, "viewer"), at(root, "owner", "viewer"))], next: gone },
    "abc in root/team",
  ],
  [
    "this run has raised the other one, as the List shows",
    {
      shown: [owner, at(root, "owner", "viewer")],
      earlier: [becomes(at(root, "viewer"), at(root, "owner", "viewer"))],
      next: gone,
    },
    "nothing",
  ],
  [
    "this run is lowering the other one",
    { shown: [owner, above], earlier: [becomes(above, at(root, "viewer", "owner"))], next: gone },
    "abc in root/team",
  ],
  [
    "this run has lowered the other one, as the List shows",
    { shown: [owner, at(root, "viewer", "owner")], earlier: [becomes(above, at(root, "viewer", "owner"))], next: gone },
    "bc in root/team",
  ],

  [
    "this run changes the role of the other one",
    { shown: [owner, at(root, "editor")], earlier: [weakened("editor", "a", "b")], next: gone },
    "abc in root/team",
  ],
  [
    "this run changes the role of both",
    { shown: [owner, above], earlier: [weakened("owner", "b")], next: gone },
    "abc in root/team",
  ],
  [
    "it gets a role that this run changes",
    { shown: [owner], earlier: [weakened("editor", "a", "b")], next: becomes(owner, at(team, "editor", "owner")) },
    "abc in root/team",
  ],
  [
    "a role is weakened that this run gives to the other one",
    {
      shown: [at(team, "viewer")],
      earlier: [becomes(at(team, "viewer"), at(team, "editor", "viewer"))],
      next: weakened("editor"),
    },
    "ab in root/team",
  ],
])("%s", async (_what, given, expected) => {
  expect(await lost(given)).toBe(expected);
});

test("a role that the same role above makes up for is not read: the caller may not be allowed to", async () => {
  const capabilitiesOf = () => Promise.reject(new Error("not allowed"));
  expect(await lossOf(gone, { shown: [owner, above], earlier: [], capabilitiesOf })).toBeUndefined();
});
