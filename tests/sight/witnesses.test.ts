import { PlatformError } from "../../provider/client/errors";
import { type Evidence, judge } from "../../provider/sight/witnesses";
import { Seen } from "../../provider/sight/seen";
import { groupInvite, identity, identityProvider, repo } from "../support/resource-fixture";

const [uid, other, place] = ["root/team/x", "root/team/y", "root/team"];
const refused = new PlatformError("PERMISSION_DENIED", "no");
const busy = new PlatformError("UNAVAILABLE", "busy");

/** The objects of a List before the first DELETE, of which the others leave. @param first undefined: longer than a page */
function seen(first: string[] | undefined, leaving: string[] = [uid]): Seen {
  const before = new Seen(first?.map((each) => ({ uid: each })));
  for (const each of leaving) before.leaving.add(each);
  return before;
}

const never = () => Promise.reject(new Error("not asked"));

/** Evidence of a missing identity; what is not given must not be asked for. */
function evidence(given: Partial<Evidence>): Evidence {
  const nothing = { place: never, right: never, hasLostOwnBindings: never };
  const placeAfterList = given.placeAfterList ?? given.place ?? never;
  return { placeAfterList, kind: identity, uid, ownDelete: "none", list: "nothing", seen: undefined, ...nothing, ...given };
}

const answer =
  <Value>(value: Value) =>
  () =>
    Promise.resolve(value);
const visible = { place: answer({ place, isSeen: true }) };
const alone = visible;
const elsewhere = { ...visible, list: "elsewhere" } as const;
const deleted = { ownDelete: "succeeded" } as const;
const right = (of: "held" | "missing" | "no bindings" | "unknown caller") => ({ right: answer(of) });
const lost = (is: boolean) => ({ hasLostOwnBindings: answer(is) });
const invite = { kind: groupInvite, ownDelete: "succeeded" } as const;
const provider = { kind: identityProvider, list: refused } as const;

test.each<[string, Partial<Evidence>, "gone" | "exists" | "unknown"]>([
  ["the List shows it", { list: "shown", seen: seen([uid]), ownDelete: "succeeded" }, "exists"],
  ["the List shows a control around it", { list: "control" }, "gone"],
  ["its place is hidden", { place: answer({ place, isSeen: false }) }, "unknown"],
  ["nothing else is shown, so a role that is not asked for could be newer than the token", alone, "unknown"],
  ["others are shown elsewhere, and a role allows the List here", { ...elsewhere, ...right("held") }, "gone"],
  ["the same, in a place that is hidden", { list: "elsewhere", place: answer({ place, isSeen: false }) }, "unknown"],
  [
    "the same, although it vanished without a DELETE of this run",
    { ...elsewhere, ...right("held"), seen: seen([uid], []) },
    "gone",
  ],
  ["the same, deleted, and shown before", { ...elsewhere, ...right("held"), seen: seen([uid, other]), ...deleted }, "gone"],
  ["the same, deleted, and not shown before", { ...elsewhere, seen: seen([other]), ...deleted }, "unknown"],
  ["the same, deleted, and perhaps shown before", { ...elsewhere, ...right("held"), seen: seen(undefined), ...deleted }, "gone"],
  ["others are shown elsewhere, but no role allows the List here", { ...elsewhere, ...right("missing") }, "unknown"],
  ["others are shown elsewhere, to an unknown caller", { ...elsewhere, ...right("unknown caller") }, "unknown"],
  ["others are shown elsewhere, to a caller without own bindings", { ...elsewhere, ...right("no bindings") }, "unknown"],
  ["others are shown elsewhere, but the roles cannot be read", { ...elsewhere, right: answer(refused) }, "unknown"],
  ["an empty List that a role allows", { ...invite, ...right("held") }, "gone"],
  ["an empty List that no role allows", { ...invite, ...right("missing") }, "unknown"],
  ["an empty List of an unknown caller", { ...invite, ...right("unknown caller") }, "gone"],
  ["an empty List, whose roles cannot be read", { ...invite, right: answer(refused) }, "unknown"],
  ["an empty List without own bindings, of what gives no access", { kind: repo, ...right("no bindings") }, "gone"],
  ["the same of what gives access, read only", { kind: groupInvite, ...right("no bindings") }, "unknown"],
  ["the same, deleted", { ...invite, seen: seen([uid, other]), ...right("no bindings"), ...lost(false) }, "gone"],
  [
    "the same, deleted, and own bindings are lost",
    { ...invite, seen: seen([uid, other]), ...right("no bindings"), ...lost(true) },
    "unknown",
  ],
  ["the same, deleted, and not shown before", { ...invite, seen: seen([other]), ...right("no bindings") }, "unknown"],
  ["a List that is refused", { list: refused }, "unknown"],
  ["a broken List of an unreliable kind, after its DELETE", { ...provider, list: busy, ownDelete: "succeeded" }, "gone"],
  ["the same, of a missing object, with a role", { ...provider, ...right("held"), ...visible }, "gone"],
  ["the same, without a role", { ...provider, ...right("no bindings") }, "unknown"],
  ["the last one that the List showed", { ...alone, seen: seen([uid]), ownDelete: "succeeded", ...lost(false) }, "gone"],
  [
    "the last one, whose List is refused now",
    { ...visible, list: refused, seen: seen([uid]), ownDelete: "in doubt", ...lost(false) },
    "gone",
  ],
  ["the last one, but own bindings are lost", { ...alone, seen: seen([uid]), ownDelete: "succeeded", ...lost(true) }, "unknown"],
  ["not the last one", { ...alone, seen: seen([uid, other]), ownDelete: "succeeded" }, "unknown"],
  ["the last one, not deleted by this run", { ...alone, seen: seen([uid]) }, "unknown"],
  [
    "the List showed it last, and its place is hidden since",
    {
      ...alone,
      seen: seen([uid], [uid]),
      ownDelete: "in doubt",
      placeAfterList: answer({ place, isSeen: false }),
      ...lost(false),
    },
    "unknown",
  ],
])("%s", async (_what, given, is) => {
  expect(await judge(evidence(given))).toMatchObject({ is });
});

test.each<[string, Partial<Evidence>]>([
  ["the List", { list: busy }],
  ["the place", { place: answer({ place, isSeen: false, cause: busy }) }],
  ["the caller's roles, beside others elsewhere", { ...elsewhere, right: answer(busy) }],
  ["the caller's roles", { ...invite, right: answer(busy) }],
  ["the caller's roles, where the List does not work", { ...provider, right: answer(busy) }],
])("a transient fault of %s keeps its code", async (_what, given) => {
  await expect(judge(evidence(given))).rejects.toBe(busy);
});

test("what a failed DELETE leaves, and what a later List shows, is something else", () => {
  const before = seen([uid, other], [uid, other]);
  expect(before.wasLast(uid)).toBe(true);
  before.leaving.delete(other);
  expect(before.wasLast(uid)).toBe(false);
  before.note([{ uid }]);
  expect(before.wasLast(uid)).toBe(true);
  before.note(undefined);
  expect(before.wasLast(uid)).toBe(false);
});
