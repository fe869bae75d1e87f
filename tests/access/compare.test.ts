import fc from "fast-check";
import { type AccessChange, compare } from "../../access/compare";
import { ancestorsOf } from "../../access/places";
import { renames } from "../../access/renames";
import type { Snapshot } from "../../access/snapshot";
import { bound, type Grant, people, places, roles, snapshotOf, words } from "./organisation";

const seeded = { seed: 1600, numRuns: 400 };
const grants = fc.array(
  fc.record({
    place: fc.constantFrom(...places),
    identityUid: fc.constantFrom(...people),
    roleUid: fc.constantFrom("owner", "viewer", "r/custom"),
  }),
  { maxLength: 8 },
);
const leaves = fc.subarray(places.slice(1));
const match = fc.constantFrom("main", "release");
const custom = fc.subarray(["CAP_REPO_LIST", "CAP_REPO_CREATE"]);

const snapshots: fc.Arbitrary<Snapshot> = fc
  .record({ grants, leaves, match, custom })
  .map((given) => snapshotOf(given.grants, { leaves: given.leaves, subject: given.match, custom: given.custom }));

/** Who has which role in which group, inherited or not, one text each. */
function effective({ groups, bindings }: Snapshot): Set<string> {
  return new Set(
    [...groups.keys()].flatMap((group) =>
      bindings
        .filter(({ place }) => place === group || ancestorsOf(group).includes(place))
        .map(({ identityUid, roleUid }) => [identityUid, roleUid, group].join(" ")),
    ),
  );
}

const isWhole = ({ through }: AccessChange) => through.kind === "roleBinding";
const cells = (changes: readonly AccessChange[], effect: AccessChange["effect"]) =>
  changes
    .filter((change) => change.effect === effect && isWhole(change))
    .flatMap(({ holder, role, groups }) => groups.map((group) => [holder.uid, role.uid, group].join(" ")));

test("a snapshot compared with itself shows no change", () => {
  fc.assert(
    fc.property(snapshots, (snapshot) => {
      expect(compare(snapshot, snapshot)).toEqual([]);
    }),
    seeded,
  );
});

test("the way back loses what the way there gains, and the other way round", () => {
  const essence = ({ effect, holder, role, at, groups, through, capabilities, inheritedFrom }: AccessChange) =>
    JSON.stringify([effect, holder, role, at, groups, through, capabilities, inheritedFrom]);
  const opposite = (change: AccessChange): AccessChange => ({ ...change, effect: change.effect === "gain" ? "loss" : "gain" });
  fc.assert(
    fc.property(snapshots, snapshots, (one, other) => {
      expect(compare(other, one).map(opposite).map(essence).sort()).toEqual(compare(one, other).map(essence).sort());
    }),
    seeded,
  );
});

test("gains and losses lead from the effective access of one snapshot to that of the other", () => {
  const check = (before: Snapshot, after: Snapshot) => {
    const changes = compare(before, after);
    const [was, is] = [effective(before), effective(after)];
    const [gained, lost] = [cells(changes, "gain"), cells(changes, "loss")];
    const inBoth = (cell: string) => before.groups.has(cell.split(" ")[2] ?? "") && after.groups.has(cell.split(" ")[2] ?? "");
    const applied = new Set([...was, ...gained].filter((cell) => inBoth(cell) && !lost.includes(cell)));
    expect([...applied].sort()).toEqual([...is].filter(inBoth).sort());
    // In a new group: what is gained there, and what holds before and after in the group around it that was there before.
    const isNew = (group: string) => !before.groups.has(group);
    const around = (group: string) => ancestorsOf(group).findLast((above) => !isNew(above));
    const inherited = [...after.groups.keys()]
      .filter(isNew)
      .flatMap((group) =>
        [...was]
          .filter((cell) => is.has(cell) && cell.split(" ")[2] === around(group))
          .map((cell) => [...cell.split(" ").slice(0, 2), group].join(" ")),
      );
    const inNew = [...gained.filter((cell) => isNew(cell.split(" ")[2] ?? "")), ...inherited];
    expect([...new Set(inNew)].sort()).toEqual([...is].filter((cell) => isNew(cell.split(" ")[2] ?? "")).sort());
  };
  fc.assert(fc.property(snapshots, snapshots, check), seeded);
});

/** Who may do what in which group, by all of his roles, one text each. */
function abilities(snapshot: Snapshot): Set<string> {
  return new Set(
    [...effective(snapshot)].flatMap((cell) => {
      const [who = "", role = "", group = ""] = cell.split(" ");
      return (snapshot.roles.get(role)?.capabilities ?? []).map((capability) => [who, capability, group].join(" "));
    }),
  );
}

const controlling = "CAP_IAM_ROLE_BINDINGS_UPDATE";
const groupOf = (cell: string) => cell.split(" ")[2] ?? "";
const cellsOf = ({ holder, role, capabilities = role.capabilities ?? [], groups }: AccessChange) =>
  groups.flatMap((group) => capabilities.map((capability) => [holder.uid, capability, group].join(" ")));

/** Access that `to` allows and `from` does not, in groups of both. */
function added(from: Snapshot, to: Snapshot): string[] {
  const had = abilities(from);
  return [...abilities(to)].filter((cell) => !had.has(cell) && from.groups.has(groupOf(cell)));
}

/** Snapshots in which everybody logs in the same way. */
const oneLogin = fc
  .record({ grants, leaves, custom: fc.subarray(["CAP_REPO_LIST", "CAP_REPO_CREATE", controlling]) })
  .map((given) => snapshotOf(given.grants, { leaves: given.leaves, custom: given.custom }));

const everyPair = (check: (before: Snapshot, after: Snapshot) => void) => {
  fc.assert(fc.property(oneLogin, oneLogin, check), { ...seeded, numRuns: 1_000 });
};

test.each([
  ["gain", { [controlling]: ["high", "critical"], CAP_REPO_CREATE: ["medium"], CAP_REPO_LIST: ["low"] }],
  ["loss", { [controlling]: ["medium", "critical"], CAP_REPO_CREATE: ["low"], CAP_REPO_LIST: ["low"] }],
] as const)("a %s ranks by what the holder did not have by another role, or has by none any more", (effect, ranks) => {
  everyPair((before, after) => {
    const really = effect === "gain" ? added(before, after) : added(after, before);
    const told = new Set<string>();
    for (const change of compare(before, after).filter((each) => each.effect === effect)) {
      const mine = cellsOf(change).filter((cell) => really.includes(cell));
      for (const cell of mine) told.add(cell);
      // `really` lacks the access that a new or a deleted group adds.
      if (!change.groups.every((group) => before.groups.has(group) && after.groups.has(group))) continue;
      const most = Object.keys(ranks).find((capability) => mine.some((cell) => cell.split(" ")[1] === capability));
      const usual = most === undefined ? ["info"] : ranks[most as keyof typeof ranks];
      expect(change.alarms?.includes("lastOwner") === true ? ["high"] : usual).toContain(change.severity);
    }
    expect(really.filter((cell) => !told.has(cell))).toEqual([]);
  });
});

test("a loss is critical where no one has control any more, and says so nowhere else", () => {
  const controlled = (snapshot: Snapshot) =>
    new Set([...abilities(snapshot)].filter((cell) => cell.includes(controlling)).map(groupOf));
  everyPair((before, after) => {
    const [was, is] = [controlled(before), controlled(after)];
    const left = [...was].filter((group) => after.groups.has(group) && !is.has(group));
    const last = compare(before, after).filter(({ alarms }) => alarms?.includes("lastControl"));
    expect(left.filter((group) => !last.some(({ groups }) => groups.includes(group)))).toEqual([]);
    expect(last.filter(({ groups }) => !groups.some((group) => left.includes(group)))).toEqual([]);
    expect(last.filter(({ effect, severity }) => effect !== "loss" || severity !== "critical")).toEqual([]);
  });
});

test("the loss of the last owner of a group below the root is at least high, and says so nowhere else", () => {
  const controls = (snapshot: Snapshot, roleUid: string) =>
    snapshot.roles.get(roleUid)?.capabilities?.includes(controlling) === true;
  const owners = (snapshot: Snapshot) => snapshot.bindings.filter(({ roleUid }) => controls(snapshot, roleUid));
  everyPair((before, after) => {
    const [was, is] = [owners(before), owners(after)];
    const owned = new Set(is.map(({ place }) => place));
    const isLeft = ({ place }: { place: string }) => after.groups.has(place) && !owned.has(place) && place !== "r";
    const isOwnerAbove = (place: string, who: string) =>
      was.some((each) => each.identityUid === who && each.place !== place && place.startsWith(`${each.place}/`));
    const isControlled = (place: string) => is.some((each) => place.startsWith(`${each.place}/`));
    const stillControls = (place: string, who: string) => abilities(after).has([who, controlling, place].join(" "));
    const last = was.filter(
      (each) =>
        isLeft(each) &&
        isControlled(each.place) &&
        !isOwnerAbove(each.place, each.identityUid) &&
        !stillControls(each.place, each.identityUid),
    );
    const changes = compare(before, after);
    const told = changes.filter(({ alarms }) => alarms?.includes("lastOwner"));
    for (const { place, identityUid } of last)
      expect(told.filter(({ holder, at }) => holder.uid === identityUid && at.uid === place)).not.toEqual([]);
    for (const { effect, severity, at } of told)
      expect([effect, severity, was.some(({ place }) => place === at.uid) && isLeft({ place: at.uid })]).toEqual([
        "loss",
        "high",
        true,
      ]);
  });
});

test("an open invite does not count as control", () => {
  const invite = { uid: "r/invite", kind: "groupInvite", place: "r", roleUid: "owner" } as const;
  expect(words(compare(snapshotOf([bound("r", "owner")]), { ...snapshotOf([]), offers: [invite] }))).toContain(
    "loss critical r/i1 owner r 6",
  );
});

test("a role that cannot be read is lost like control, and leaves no one in control", () => {
  const unread = (one: Snapshot): Snapshot => ({ ...one, roles: new Map([...one.roles].filter(([uid]) => uid !== "r/custom")) });
  expect(words(compare(unread(snapshotOf([bound("r", "r/custom")])), unread(snapshotOf([]))))).toEqual([
    "loss critical r/i1  r 6",
  ]);
  const [before, after] = [
    snapshotOf([bound("r", "owner"), bound("r", "r/custom", "p")]),
    snapshotOf([bound("r", "r/custom", "p")]),
  ];
  expect(words(compare(unread(before), unread(after)))).toEqual(["loss critical r/i1 owner r 6"]);
});

const both = [controlling, "CAP_REPO_CREATE"];

test.each<[string, Grant[], Grant[], string[]]>([
  ["losing a binding below while one above gives the same role is no loss", [bound("r"), bound("r/a")], [bound("r")], []],
  [
    "an editor who becomes an owner gains a role; the other one is covered",
    [bound("r", "viewer")],
    [bound("r", "owner")],
    ["gain critical r/i1 owner r 6", "loss info r/i1 viewer r 6 by owner"],
  ],
  [
    "several roles together cover another one",
    [bound("r", "owner")],
    [bound("r", "viewer"), bound("r", "r/custom")],
    ["gain info r/i1 custom r 6 by owner", "gain info r/i1 viewer r 6 by owner", "loss info r/i1 owner r 6 by custom and viewer"],
  ],
  [
    "one of several in control of a group is worth less",
    [bound("r/a", "owner"), bound("r/a", "owner", "p")],
    [bound("r/a", "owner")],
    ["loss medium p owner r/a 2"],
  ],
  ["the last one in control is worth more", [bound("r/a", "owner")], [], ["loss critical r/i1 owner r/a 2"]],
])("%s", (_, before, after, expected) => {
  expect(words(compare(snapshotOf(before, { custom: both }), snapshotOf(after, { custom: both })))).toEqual(expected);
});

test("a smaller role in the same place is covered, also in a group that the same update makes below", () => {
  const of = (role: string, leaves: string[]) => snapshotOf([bound("r/a", role)], { leaves });
  const change = (from: Snapshot, to: Snapshot) => words(compare(from, to)).filter((each) => each.includes("viewer"));
  expect(change(of("owner", ["r/a"]), of("viewer", ["r/a", "r/a/b"]))).toEqual(["gain info r/i1 viewer r/a 1 by owner"]);
  expect(change(of("viewer", ["r/a", "r/a/b"]), of("owner", ["r/a"]))).toEqual(["loss info r/i1 viewer r/a 1 by owner"]);
});

test("the order of objects does not matter", () => {
  fc.assert(
    fc.property(snapshots, snapshots, (one, other) => {
      const turned = (snapshot: Snapshot): Snapshot => ({
        ...snapshot,
        groups: new Map([...snapshot.groups].reverse()),
        identities: new Map([...snapshot.identities].reverse()),
        roles: new Map([...snapshot.roles].reverse()),
        bindings: [...snapshot.bindings].reverse(),
      });
      expect(compare(turned(one), turned(other))).toEqual(compare(one, other));
    }),
    seeded,
  );
});

test("a binding replaced by an equal one is no change", () => {
  const before = snapshotOf([bound("r/a")]);
  const after = { ...before, bindings: before.bindings.map((each) => ({ ...each, uid: "r/a/another" })) };
  expect(compare(before, after)).toEqual([]);
});

test("a role that holds more changes for everybody who has it", () => {
  const grant = [bound("r", "r/custom"), bound("r/a", "r/custom", "p")];
  const [one, other] = compare(snapshotOf(grant), snapshotOf(grant, { custom: ["CAP_REPO_LIST", "CAP_REPO_CREATE"] }));
  expect(one).toMatchObject({ effect: "gain", severity: "medium", capabilities: ["CAP_REPO_CREATE"], through: { kind: "role" } });
  expect(other).toMatchObject({ holder: { uid: "p" }, at: { path: "r/a" }, reach: 2 });
});

test("whoever can log in now gains what the identity has, and whoever could before loses it", () => {
  const grant = [bound("r", "viewer", "r/i1")];
  const changes = compare(snapshotOf(grant), snapshotOf(grant, { subject: "release" }));
  expect(changes.map(({ effect, holder, through }) => [effect, holder.login, through])).toEqual([
    ["gain", { claimMatch: { issuer: "https://sso.example.com", subject: "release" } }, { kind: "login", uid: "r/i1" }],
    ["loss", { claimMatch: { issuer: "https://sso.example.com", subject: "main" } }, { kind: "login", uid: "r/i1" }],
  ]);
});

test("what a holder had before covers nothing for those who could not log in then", () => {
  const anybody = { claimMatch: { issuer: "https://sso.example.com", subjectPattern: ".*" } };
  const after = snapshotOf([bound("r", "viewer")]);
  const open = { ...after, identities: new Map([...after.identities, ["r/i1", { name: "i1", login: anybody }]]) };
  expect(words(compare(snapshotOf([bound("r", "owner")]), open))).toEqual([
    "loss critical r/i1 owner r 6",
    "gain high r/i1 viewer r 6",
  ]);
  expect(words(compare(snapshotOf([bound("r", "viewer")]), snapshotOf([bound("r", "owner")], { subject: "release" })))).toEqual([
    "gain critical r/i1 owner r 6",
    "loss low r/i1 viewer r 6",
  ]);
});

test("others who can sign in at a provider are a gain of much, also where its default role changes with it", () => {
  const provider = (issuer: string, roleUid: string): Snapshot => ({
    ...snapshotOf([]),
    providers: new Map([["r/a/idp", { name: "okta", login: { oidc: { issuer } } }]]),
    offers: [{ uid: "r/a/idp", kind: "identityProvider", place: "r/a", roleUid }],
  });
  const changes = compare(provider("https://acme.okta.com", "owner"), provider("https://evil.okta.com", "viewer"));
  expect(changes.map(({ effect, severity, through }) => [effect, severity, through.kind])).toEqual([
    ["loss", "critical", "identityProvider"],
    ["gain", "high", "login"],
    ["loss", "medium", "login"],
    ["gain", "low", "identityProvider"],
  ]);
});

test("a group that moves keeps its own access and changes what it inherits", () => {
  const before = snapshotOf([bound("r/a"), bound("r/b", "owner"), bound("r/a/a", "owner", "p")], { leaves: ["r/a/a", "r/b"] });
  const moved = new Map([["r/b/a2", "r/a/a"]]);
  const after: Snapshot = {
    ...snapshotOf([bound("r/a"), bound("r/b", "owner")], { leaves: ["r/a", "r/b"] }),
    groups: new Map(
      ["r", "r/a", "r/b", "r/b/a2"].map((uid) => [uid, { name: uid === "r/b/a2" ? "a" : (uid.split("/").at(-1) ?? "") }]),
    ),
    bindings: [
      { uid: "1", ...bound("r/a") },
      { uid: "2", ...bound("r/b", "owner") },
      { uid: "3", ...bound("r/b/a2", "owner", "p") },
    ],
  };
  expect(words(compare(before, after, moved))).toEqual([
    "gain high r/i1 owner r/b/a 0",
    "loss info r/i1 viewer r/a/a 0 by owner",
  ]);
  expect(renames(before, after, moved)).toEqual([
    { kind: "group", uid: "r/b/a2", how: "moved", before: "r/a/a", after: "r/b/a" },
  ]);
});

test("a renamed group is no change of access", () => {
  const before = snapshotOf([bound("r/a")]);
  const after = { ...before, groups: new Map([...before.groups, ["r/a", { name: "new" }]]) };
  expect(compare(before, after)).toEqual([]);
  expect(renames(before, after)).toEqual([{ kind: "group", uid: "r/a", how: "renamed", before: "r/a", after: "r/new" }]);
});

test("mappings, default roles, invites and accounts give access too", () => {
  const before = snapshotOf([]);
  const after: Snapshot = {
    ...before,
    providers: new Map([["r/idp", { name: "okta", login: { oidc: { issuer: "https://acme.okta.com" } } }]]),
    mappings: [{ uid: "m", place: "r", externalGroupId: "admins", identityProviderUid: "r/idp", roleUid: "owner" }],
    offers: [
      { uid: "r/idp", kind: "identityProvider", place: "r", roleUid: "viewer" },
      { uid: "r/a/v", kind: "groupInvite", place: "r/a", roleUid: "owner", email: "eva@example.com" },
      { uid: "r/b/v", kind: "groupInvite", place: "r/b", roleUid: "unknown" },
    ],
    accounts: [{ uid: "r", place: "r", account: "AWS account 123456789012" }],
  };
  const changes = compare(before, after);
  expect(changes.map(({ severity, holder, role, at, through }) => [severity, holder, role.name, at.path, through.kind])).toEqual([
    [
      "critical",
      {
        externalGroupId: "admins",
        identityProviderUid: "r/idp",
        uid: "r/idp",
        path: "r/okta",
        login: { oidc: { issuer: "https://acme.okta.com" } },
      },
      "owner",
      "r",
      "externalGroupRoleMapping",
    ],
    ["high", { email: "eva@example.com" }, "owner", "r/a", "groupInvite"],
    ["high", {}, undefined, "r/b", "groupInvite"],
    ["medium", { account: "AWS account 123456789012" }, "account association", "r", "accountAssociation"],
    [
      "low",
      { identityProviderUid: "r/idp", uid: "r/idp", path: "r/okta", login: { oidc: { issuer: "https://acme.okta.com" } } },
      "viewer",
      "r",
      "identityProvider",
    ],
  ]);
});

test("five thousand groups and ten thousand bindings are compared in steps that grow with what changes", () => {
  const groups = Array.from({ length: 5000 }, (_, index) => `r/g${index % 50}/h${index}`);
  const large = (count: number): Snapshot => ({
    groups: new Map(["r", ...groups].map((uid) => [uid, { name: uid }])),
    identities: new Map(),
    roles: new Map([["owner", { name: "owner", capabilities: roles["owner"] ?? [] }]]),
    bindings: Array.from({ length: count }, (_, index) => ({
      uid: `b${index}`,
      place: groups[index % groups.length] ?? "r",
      identityUid: `p${index}`,
      roleUid: "owner",
    })),
    mappings: [],
    unreadable: [],
  });
  expect(compare(large(10_000), large(9_990))).toHaveLength(10);
});
