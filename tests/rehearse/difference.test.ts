import { differenceBetween, isDifferent, type RehearsedRun } from "../../rehearse/difference";
import type { LedgerCall, LedgerObject } from "../../rehearse/ledger";

const call: LedgerCall = {
  ...{ verb: "create", kind: "iam:RoleBinding", place: "acme/eng" },
  key: { identityUid: "acme/eng/ci", roleUid: "acme/deployer" },
  body: { identityUid: "acme/eng/ci", roleUid: "acme/deployer" },
};
const other: LedgerCall = { ...call, place: "acme/ops" };
const invite: LedgerCall = { verb: "create", kind: "iam:GroupInvite", place: "acme", key: {}, body: { roleUid: "r" }, times: 1 };
const role: LedgerObject = {
  ...{ kind: "iam:Role", uid: "acme/2", path: "acme/deployer", name: "deployer" },
  decides: { capabilities: ["CAP_REPO_LIST"] },
};
const wider = { ...role, decides: { capabilities: ["CAP_REPO_LIST", "CAP_REPO_CREATE"] } };
const ci: LedgerObject = { kind: "iam:Identity", path: "acme/eng/ci", name: "ci", decides: { claimMatch: { subject: "ci" } } };
const binding = (uid: string, roleUid: string): LedgerObject => {
  return { kind: "iam:RoleBinding", uid, path: "acme", decides: { roleUid } };
};
const run: RehearsedRun = {
  ...{ command: "pulumi up", stack: "access/live", platform: "https://api.example", identity: "acme/writer" },
  ...{ errors: [], undecided: [], calls: [call, invite], objects: [role, ci] },
};

const none = { callsThen: [], callsNow: [], objects: [], facts: [] };
const undecided = { what: "what shop becomes", reason: "it depends on another package" };

test.each<{ what: string; then?: Partial<RehearsedRun>; now: Partial<RehearsedRun>; found: object }>([
  { what: "nothing", now: {}, found: none },
  { what: "the order", now: { calls: [invite, call], objects: [ci, role] }, found: none },
  { what: "a call more", now: { calls: [call, other, invite] }, found: { ...none, callsNow: [other] } },
  { what: "a call less", now: { calls: [invite] }, found: { ...none, callsThen: [call] } },
  {
    what: "how often a call is made",
    now: { calls: [call, { ...invite, times: 2 }] },
    found: { ...none, callsThen: [invite], callsNow: [{ ...invite, times: 2 }] },
  },
  {
    what: "another body",
    now: { calls: [{ ...call, body: { ...call.body, roleUid: "acme/owner" } }, invite] },
    found: { ...none, callsThen: [call], callsNow: [{ ...call, body: { ...call.body, roleUid: "acme/owner" } }] },
  },
  {
    what: "the capabilities of a role",
    now: { objects: [wider, ci] },
    found: { ...none, objects: [{ kind: "iam:Role", path: "acme/deployer", then: [role], now: [wider] }] },
  },
  {
    what: "another role with the name",
    now: { objects: [{ ...role, uid: "acme/3" }, ci] },
    found: { ...none, objects: [{ kind: "iam:Role", path: "acme/deployer", then: [role], now: [{ ...role, uid: "acme/3" }] }] },
  },
  {
    what: "an object that exists already",
    now: { objects: [role, { ...ci, uid: "acme/eng/9" }] },
    found: { ...none, objects: [{ kind: "iam:Identity", path: "acme/eng/ci", then: [ci], now: [{ ...ci, uid: "acme/eng/9" }] }] },
  },
  {
    what: "one of two objects without a name",
    then: { objects: [binding("acme/1", "r"), binding("acme/2", "r")] },
    now: { objects: [binding("acme/1", "r"), binding("acme/2", "other")] },
    found: {
      ...none,
      objects: [{ kind: "iam:RoleBinding", path: "acme", then: [binding("acme/2", "r")], now: [binding("acme/2", "other")] }],
    },
  },
  {
    what: "an object that only equal calls of one side name",
    now: { objects: [ci] },
    found: { ...none, objects: [{ kind: "iam:Role", path: "acme/deployer", then: [role], now: [] }] },
  },
  {
    what: "an object that only another call names",
    now: { calls: [invite], objects: [ci] },
    found: { ...none, callsThen: [call] },
  },
  {
    what: "command, stack, platform and identity",
    now: { command: "pulumi destroy", stack: "access/test", platform: "https://other.example", identity: undefined },
    found: {
      ...none,
      facts: [
        { what: "command", then: "pulumi up", now: "pulumi destroy" },
        { what: "stack", then: "access/live", now: "access/test" },
        { what: "platform", then: "https://api.example", now: "https://other.example" },
        { what: "identity", then: "acme/writer", now: undefined },
      ],
    },
  },
  {
    what: "errors and undecided facts, in both directions",
    then: { errors: ["old", "both"], undecided: [] },
    now: { errors: ["both", "new"], undecided: [undecided] },
    found: {
      ...none,
      facts: [
        { what: "error", then: "old" },
        { what: "error", now: "new" },
        { what: "undecided", now: "what shop becomes: it depends on another package" },
      ],
    },
  },
])("rehearsals that differ in $what", ({ then = {}, now, found }) => {
  const difference = differenceBetween({ ...run, ...then }, { ...run, ...now });
  expect(difference).toEqual(found);
  expect(isDifferent(difference)).toBe(JSON.stringify(found) !== JSON.stringify(none));
});
