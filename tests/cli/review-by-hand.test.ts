import type { Known } from "../../cli/review/known";
import { ObjectIndex } from "../../inventory/objects";
import { acme, giving, identity, made, object, reviewed, roleUid, root, stays, step } from "../support/preview-steps";

const shop = `${root}/shop`;
const ci = stays("Identity", "ci", identity("ci"));
const everybody = ["ci", "zoe", "max"].map((name) => object("Identity", `${root}/${name}`, identity(name)));

/** A platform that has these role bindings besides, and of which everything is seen. */
function showing(...bindings: readonly ReturnType<typeof object>[]): Partial<Known> {
  const objects = [acme, object("Group", shop, { parentUid: root, name: "shop" }), ...everybody, ...bindings];
  const index = new ObjectIndex(objects);
  const isGone = (kind: string, uid: string) => !index.has(kind, uid);
  const caller = { uid: `${root}/ci`, by: "--as", objects, shows: () => true };
  return { objects, isGone, caller };
}

const bound = (name: string, role: string, place = root, who = "ci") =>
  object("RoleBinding", `${place}/${name}`, giving(role, place, `${root}/${who}`));
/** `critical gain ci owner`, with the alarms of a loss. */
const told = (steps: readonly object[], known: Partial<Known>) =>
  reviewed(steps, known).changes.map(({ severity, effect, holder, role, alarms = [] }) =>
    [severity, effect, holder.uid?.split("/").at(-1), role.name, ...alarms].join(" "),
  );
const refused = (steps: readonly object[], known: Partial<Known>) =>
  reviewed(steps, known).rights?.refused.map(({ what }) => what);

const owner = roleUid("owner");
const access = (members: object) => ({ parentUid: root, access: { owner: members } });
const bindings = (members: object) => ({ outputs: { roleUids: { owner }, bindings: { owner: members } } });

describe("what the platform shows counts, not what a state still has", () => {
  test("access that a revoked binding in state seems to give already is a gain", () => {
    const stale = stays("RoleBinding", "top", giving("owner"));
    const again = made("RoleBinding", "again", giving("owner", shop));
    expect(told([ci, stale, again], showing())).toEqual(["high gain ci owner"]);
    expect(told([ci, stale, again], showing(bound("top", "owner")))).toEqual([]);
    expect(told([ci, stale, again], showing(bound("top", "viewer")))).toEqual(["high gain ci owner"]);
  });

  test("so is what a GroupAccess that the program only reads had when it was read last", () => {
    const read = step(
      "GroupAccess",
      "top",
      access({ ci: `${root}/ci` }),
      access({ ci: `${root}/ci` }),
      bindings({ ci: `${root}/b1` }),
    );
    const old = { ...read.oldState, external: true };
    const steps = [ci, { ...read, op: "read", oldState: old, newState: { ...read.newState, external: true } }];
    expect(told([...steps, made("RoleBinding", "new", giving("owner"))], showing())).toEqual(["critical gain ci owner"]);
  });

  test("the rights of the caller are those of today", () => {
    const team = made("Group", "team", { parentUid: root, name: "team" });
    const had = (role: string) => stays("RoleBinding", "own", giving(role));
    expect(refused([had("viewer"), team], showing(bound("own", "owner")))).toEqual([]);
    expect(refused([had("owner"), team], showing())).toEqual(["create group team"]);
  });

  test("an update leaves what somebody else has changed of the same object, unless it sends that too", () => {
    const by = (subject: string) => ({ ...identity("ci", subject), description: "" });
    const objects = [acme, object("Identity", `${root}/ci`, by("mallory")), bound("b", "owner")];
    const described = step("Identity", "ci", by("ci"), { ...by("ci"), description: "releases" });
    expect(told([described], { objects })).toEqual([]);
    expect(told([step("Identity", "ci", by("ci"), by("eve"))], { objects })).toEqual([
      "critical gain ci owner",
      "critical loss ci owner rootControl",
    ]);
  });
});

test("what an earlier update deleted for a replacement that it did not make is a gain when it is made", () => {
  // Every preview of a replacement that deletes first says that it is pending.
  const pending = step("RoleBinding", "top", giving("owner"), { ...giving("owner") }, { op: "replace" });
  const steps = [ci, { ...pending, oldState: { ...pending.oldState, pendingReplacement: true } }];
  expect(told(steps, showing())).toEqual(["critical gain ci owner"]);
  expect(told(steps, showing(bound("top", "owner")))).toEqual([]);
});

describe("the update of a GroupAccess", () => {
  const more = { ci: `${root}/ci`, max: `${root}/max` };
  const changed = step("GroupAccess", "top", access({ ci: `${root}/ci` }), access(more), bindings({ ci: `${root}/b1` }));
  const update = { ...changed, oldState: { ...changed.oldState, id: root }, newState: { ...changed.newState, id: root } };
  const known = showing(bound("b1", "owner"), bound("b2", "owner", root, "zoe"), bound("b3", "viewer", shop, "zoe"));

  test("takes what others gave in its group since, with its alarms; with adopt it stays, so gains count as if it did", () => {
    const guarded = { breakGlass: new Set([`${root}/zoe`]), own: new Set<string>() };
    expect(told([update], { ...known, guarded }).sort()).toEqual([
      "critical gain max owner",
      "critical loss zoe owner breakGlass rootControl",
    ]);
    const writer = { uid: `${root}/writer`, by: "--as", objects: known.objects ?? [], shows: () => true };
    const { unknown, rights } = reviewed([update], { ...known, caller: writer });
    expect(unknown.map(({ what }) => what)).toEqual(["whether top removes what others gave since the last refresh"]);
    expect(rights?.unchecked.map(({ what }) => what)).toEqual(["delete role binding top"]);
    expect(rights?.refused.map(({ what }) => what)).toEqual(["create role binding top"]);
    const login = step("Identity", "zoe", identity("zoe"), identity("zoe", "mallory"));
    expect(told([update, login], known)).toContain("critical gain zoe owner");
  });

  test("that removes others from now on takes nothing from them: no preview has shown it", () => {
    const { oldState } = update;
    const keeping = {
      ...oldState,
      inputs: { ...oldState.inputs, others: "keep" },
      outputs: { ...oldState.outputs, others: "keep" },
    };
    const narrowed = { ...update, oldState: keeping };
    expect(told([narrowed], known)).toEqual(["critical gain max owner"]);
    expect(reviewed([narrowed], known).unknown).toEqual([]);
  });

  test.each([{}, { others: "keep" }])("is undecided where somebody else has changed a binding in it (%j)", (others) => {
    const max = { max: `${root}/max` };
    const [all, held] = [access(more), bindings({ ci: `${root}/b1`, max: `${root}/b4` })];
    const changeTo = (members: object) => {
      const shown = step("GroupAccess", "top", { ...all, ...others }, { ...access(members), ...others }, held);
      return { ...shown, oldState: { ...shown.oldState, id: root }, newState: { ...shown.newState, id: root } };
    };
    const byHand = showing(bound("b1", "owner", root, "zoe"), bound("b4", "owner", root, "max"));
    for (const members of [max, { ...more, zoe: `${root}/zoe` }])
      expect(reviewed([changeTo(members)], byHand).undecided.map(({ what }) => what)).toEqual([
        "the role binding of ci (owner) by top",
      ]);
    const asItWas = showing(bound("b1", "owner"), bound("b4", "owner", root, "max"));
    expect(reviewed([changeTo(max)], asItWas).undecided).toEqual([]);
  });

  test("keeps what is exempt, and what another resource of the program has", () => {
    const exempt = { ...access(more), exempt: { identityUids: [`${root}/zoe`] } };
    const exempting = { ...update, newState: { ...update.newState, inputs: exempt } };
    expect(told([exempting], known)).toEqual(["critical gain max owner"]);
    expect(told([update, stays("RoleBinding", "b2", giving("owner", root, `${root}/zoe`))], known)).toEqual([
      "critical gain max owner",
    ]);
  });
});

test.each([
  ["that looks like the uid of another", roleUid("viewer")],
  ["with a slash", "ci/deployer"],
])("a new role that is named, %s, is not taken for another one: it is undecided", (_, name) => {
  const role = made("Role", "evil", { parentUid: root, name, capabilities: ["CAP_IAM_ROLE_BINDINGS_UPDATE"] });
  const binding = made("RoleBinding", "new", { parentUid: root, identityUid: `${root}/ci`, roleName: name });
  const { changes, undecided } = reviewed([ci, role, binding], showing());
  expect(undecided.map(({ what }) => what)).toEqual(["the role of new"]);
  expect(changes).toMatchObject([{ effect: "gain", severity: "critical" }]);
});

test("a new object with the name that another gives up may be that one, with `adopt`: nothing shows which", () => {
  const group = (name: string) => ({ parentUid: root, name });
  const [renamed, taking] = [step("Group", "shop", group("shop"), group("store")), made("Group", "new", group("shop"))];
  expect(reviewed([renamed, taking], showing()).undecided.map(({ what }) => what)).toEqual(["which object new is"]);
  expect(reviewed([renamed, made("Group", "new", group("outlet"))], showing()).undecided).toEqual([]);
});
