import { compare } from "../../access/compare";
import { sentenceOf } from "../../access/prose/sentence";
import { bound, snapshotOf, words } from "./organisation";

test("an owner of the organisation is lost only if the holder has no control of it any more", () => {
  const [before, after] = [snapshotOf([bound("r", "owner"), bound("r", "owner", "p")]), snapshotOf([bound("r", "owner")])];
  const [lost] = compare(before, after);
  expect(lost).toMatchObject({ severity: "critical", alarms: ["rootControl"] });
  expect(lost && sentenceOf(lost)).toMatch(
    /^main \(sso\.example\.com\) is no longer owner of r and 6 groups below; this was control of the organisation$/,
  );
  const controls = ["CAP_IAM_ROLE_BINDINGS_UPDATE", "CAP_IAM_ROLES_UPDATE"];
  const [less] = compare(
    snapshotOf([bound("r", "r/custom")], { custom: controls }),
    snapshotOf([bound("r", "r/custom")], { custom: controls.slice(1) }),
  );
  expect(less).toMatchObject({ effect: "loss", severity: "medium" });
  // People who logged in as an owner cannot any more, whatever the identity keeps.
  const others = compare(snapshotOf([bound("r", "owner")]), snapshotOf([bound("r", "owner")], { subject: "release" }));
  expect(others.find(({ effect }) => effect === "loss")).toMatchObject({ severity: "critical", alarms: ["rootControl"] });
});

test.each(["own", "breakGlass"] as const)("whatever a guarded identity (%s) loses is critical, and only that", (by) => {
  const guarded = { [by]: new Set(["r/i1"]) };
  const alarm = by === "own" ? "ownAccess" : "breakGlass";
  const before = snapshotOf([bound("r/a", "viewer"), bound("r/a", "viewer", "p")]);
  const changes = compare(before, snapshotOf([]), new Map(), guarded);
  expect(words(changes)).toEqual(["loss critical r/i1 viewer r/a 2", "loss low p viewer r/a 2"]);
  expect(changes[0]?.alarms).toEqual([alarm]);
  const logins = compare(before, snapshotOf(before.bindings, { subject: "release" }), new Map(), guarded);
  expect(logins.filter(({ alarms }) => alarms?.includes(alarm)).map(({ effect, through }) => [effect, through.kind])).toEqual([
    ["loss", "login"],
  ]);
  // Access that another role covers is neither lost nor gained.
  const kept = snapshotOf([bound("r/a", "owner"), bound("r/a", "viewer", "p")]);
  expect(compare(before, kept, new Map(), guarded).filter(({ alarms }) => alarms)).toEqual([]);
});
