import { clockFinding, engineFinding, tokenFinding, versionFinding } from "../../../cli/doctor/findings";
import { needsFindings, readOnlyFinding, rightsFinding } from "../../../cli/doctor/rights";

const now = Date.parse("2026-01-01T00:00:00Z");

test.each([
  [0, "ok"],
  [30_000, "ok"],
  [31_000, "warning"],
  [-31_000, "warning"],
  [301_000, "problem"],
  [-301_000, "problem"],
])("a clock that is off by %d ms is %s", (off, status) => {
  expect(clockFinding(now + off, now)).toMatchObject({ check: "clock", status });
});

test("the clock finding says in which direction; without a date it is a warning", () => {
  expect(clockFinding(now - 60_000, now).message).toContain("60 s ahead of");
  expect(clockFinding(now + 60_000, now).message).toContain("60 s behind");
  expect(clockFinding(undefined, now).status).toBe("warning");
});

test.each([
  ["v2beta1", ["v2", "v2beta1"], "ok"],
  ["auto", ["v2"], "ok"],
  ["v2beta1", ["v2"], "problem"],
  ["auto", [], "problem"],
] as const)("the version %s where %j is served: %s", (configured, served, status) => {
  expect(versionFinding(configured, served)).toMatchObject({
    status,
    ...(status === "problem" && { fix: expect.anything() as string }),
  });
});

test("a token that is not renewed and ends within ten minutes is a warning", () => {
  const facts = { expiresAt: now + 599_000, audience: [] };
  expect(tokenFinding(facts, false, now).status).toBe("warning");
  expect(tokenFinding(facts, true, now).status).toBe("ok");
  expect(tokenFinding({ expiresAt: now + 600_000, audience: [] }, false, now).status).toBe("ok");
  expect(tokenFinding({ audience: [] }, false, now).status).toBe("ok");
});

test.each([
  ["v3.226.1\n", "ok"],
  ["v3.259.0", "ok"],
  ["v4.0.0", "ok"],
  ["v3.226.0", "problem"],
  ["unknown", "warning"],
  [undefined, "warning"],
])("the Pulumi CLI %j: %s", (version, status) => {
  expect(engineFinding(version).status).toBe(status);
});

/** Rights by place. */
const rights = (held: Record<string, string[]>) => ({
  rights: new Map(Object.entries(held).map(([place, names]) => [place, new Set(names)])),
});
const group = (verb: string) => `CAP_IAM_GROUPS_${verb}`;

test("rights bound above count, those in other groups do not", () => {
  expect(rightsFinding(rights({ r: ["CAP_A"] }), "r/e").message).toContain("CAP_A");
  const many = Array.from({ length: 13 }, (_, index) => `CAP_A${index}_LIST`).sort();
  const { message, capabilities } = rightsFinding(rights({ r: many }), "r");
  expect(capabilities).toEqual(many);
  expect(message).toBe("These credentials can only read in the organisation, by 13 capabilities: --json lists them.");
  expect(rightsFinding(rights({ "r/x": ["CAP_A"] }), "r/e").status).toBe("warning");
  expect(rightsFinding(rights({ "r/e/f": ["CAP_A"] }), "r/e").message).toContain("1 groups below");
  expect(rightsFinding({ unknown: "why" }, "r")).toMatchObject({
    status: "warning",
    message: expect.stringContaining("why") as string,
  });
});

test("what the objects of a stack need and the roles lack is named, where it is lacking", () => {
  const managed = [
    { kind: "iam:Group", uid: "r/e/a", place: "r/e" },
    { kind: "iam:Group", uid: "r/s/b", place: "r/s" },
  ];
  const own = rights({ r: [group("LIST"), group("CREATE"), group("UPDATE")], "r/e": [group("DELETE")] });
  expect(needsFindings(own, managed, false)).toEqual([
    expect.objectContaining({ status: "problem", message: `${group("DELETE")} is missing for 1 objects, in r/s.` }),
  ]);
  expect(needsFindings(own, managed, true).map(({ status }) => status)).toEqual(["ok"]);
  expect(needsFindings({ unknown: "why" }, managed, false).map(({ status }) => status)).toEqual(["warning"]);
});

test.each([
  ["iam:IdentityProvider", "IDENTITY_PROVIDERS"],
  ["iam:ExternalGroupRoleMapping", "IDENTITY_PROVIDERS"],
  ["iam:GroupInvite", "GROUP_INVITES"],
])("%s gives a role to others, so it also needs the capability to bind", (kind, domain) => {
  const own = rights({ r: ["LIST", "CREATE", "UPDATE", "DELETE"].map((verb) => `CAP_IAM_${domain}_${verb}`) });
  const managed = [{ kind, uid: "r/p", place: "r" }];
  expect(needsFindings(own, managed, false)).toMatchObject([
    { status: "problem", message: "CAP_IAM_ROLE_BINDINGS_CREATE is missing for 1 objects, in r." },
  ]);
  expect(needsFindings(own, managed, true)).toMatchObject([{ status: "ok" }]);
});

test("a kind that the platform cannot update needs no capability to update", () => {
  const own = rights({ r: ["LIST", "CREATE", "DELETE"].map((verb) => `CAP_EVENTS_SUBSCRIPTION_${verb}`) });
  expect(needsFindings(own, [{ kind: "events:Subscription", uid: "r/s", place: "r" }], false)).toMatchObject([{ status: "ok" }]);
});

test("a read-only identity whose roles write, here or below, is a warning; one without a role a problem", () => {
  expect(readOnlyFinding(rights({ r: [group("LIST")] }), "r").status).toBe("ok");
  expect(readOnlyFinding(rights({ r: [group("LIST")], "r/e": [group("DELETE")] }), "r").message).toContain(group("DELETE"));
  // Nothing in its name says create, update or delete, and it mints tokens for others.
  expect(readOnlyFinding(rights({ r: [group("LIST"), "CAP_IAM_SCIM_MANAGE"] }), "r").status).toBe("warning");
  expect(readOnlyFinding(rights({ x: [group("DELETE")] }), "r").status).toBe("problem");
});
