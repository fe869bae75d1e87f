import { reviewText } from "../../cli/review/text";
import { endAsGate } from "../../cli/review/gate";
import {
  acme,
  deleted,
  giving,
  identity,
  made,
  object,
  reviewed,
  root,
  roleUid,
  stays,
  step,
  undecidedIn,
} from "../support/preview-steps";

const okta = "https://okta.acme.example";
const uid = "5".repeat(40);
const binds = (who: object) => made("RoleBinding", "new", { ...giving("owner"), identityUid: undefined, ...who });
/** A role binding of the person that the platform shows. */
const shown = {
  ...object("RoleBinding", `${root}/0123456789abcdef`, { identityUid: uid, roleUid: roleUid("viewer") }),
  place: root,
  row: { identity: { uid, issuer: okta, subject: "mallory", email: "" } },
};
/** Whom it binds, as an inventory has people. */
const mallory = { kind: "iam:Identity", uid, place: undefined, value: { claimMatch: { issuer: okta, subject: "mallory" } } };
const told = (steps: readonly object[], objects: readonly object[] = [acme]) =>
  reviewText(reviewed(steps, { objects: objects as never }));

test("a person bound by login is called by it", () => {
  const text = told([binds({ identityUid: uid, identityRef: { issuer: okta, subject: "mallory" } })], [acme, mallory]);
  expect(text).toContain("mallory (okta.acme.example) becomes owner of acme");
});

test("a person of whom only the uid is known is shown by it, and a warning says how to see who it is", () => {
  const text = told([binds({ identityUid: uid })]);
  expect(text).toContain(`${uid} (a person who has not signed up, or is not visible) becomes owner of acme`);
  expect(text).toContain(`who ${uid} is, this review does not know: \`pulumi-platform rehearse\` does`);
});

test("a person bound by uid is called by the login that another role binding of the organisation shows", () => {
  expect(told([binds({ identityUid: uid })], [acme, mallory, shown])).toContain(
    "mallory (okta.acme.example) becomes owner of acme",
  );
});

test("a person of whom nothing but the uid is known is said to be, with the way to a name", () => {
  const text = told([binds({ identityUid: uid })]);
  expect(text).toContain(`who ${uid} is`);
  expect(text).toContain("identityRef");
});

test("what a GroupAccess calls a person stands beside who it is", () => {
  const access = made("GroupAccess", "access", { parentUid: root, access: { owner: { alice: uid } } });
  expect(told([access], [acme, mallory, shown])).toContain('mallory (okta.acme.example; labelled "alice") becomes owner of acme');
});

test("a managed role binding of a person is called by the platform's row, whatever name the person has chosen", () => {
  const named = { outputs: { identity: { uid, issuer: okta, subject: "mallory", name: "zoe" } } };
  const raised = step("RoleBinding", "r", giving("viewer", root, uid), giving("owner", root, uid), named);
  expect(told([raised], [acme, mallory, shown])).toContain("mallory (okta.acme.example) becomes owner of acme");
  const gone = deleted(stays("RoleBinding", "0123456789abcdef", giving("viewer", root, uid)));
  expect(told([gone], [acme, mallory, shown])).toContain("mallory (okta.acme.example) is no longer viewer of acme");
});

test("a person is not called by the login that a program writes beside another uid", () => {
  const alice = { identityRef: { issuer: okta, subject: "alice" } };
  const kept = stays("RoleBinding", "r", { ...giving("viewer", root, uid), ...alice });
  const access = made("GroupAccess", "access", { parentUid: root, access: { owner: { bob: uid } } });
  const text = told([kept, access], [acme]);
  expect(text).toContain(`${uid} (a person who has not signed up, or is not visible; labelled "bob") becomes owner of acme`);
  expect(text).not.toContain("alice");
});

test("naming a bound person by login instead of by uid changes no access", () => {
  const byLogin = { ...giving("viewer", root, uid), identityRef: { issuer: okta, subject: "mallory" } };
  const found = reviewed([step("RoleBinding", "0123456789abcdef", giving("viewer", root, uid), byLogin)], {
    objects: [acme, mallory, shown] as never,
  });
  expect([found.changes, found.unknown]).toEqual([[], []]);
});

describe("an import of a role binding by a reference", () => {
  const bound = { ...object("RoleBinding", `${root}/r`, giving("owner")), place: root };
  const opened = step("Identity", "ci", identity("ci"), identity("ci", "mallory"));
  const { urn, newState } = made("RoleBinding", "r", {});
  const inputs = { parentUid: root, roleUid: roleUid("owner"), identityRef: "acme/ci" };
  const imported = {
    op: "import",
    urn,
    newState: { ...newState, id: `${root}/r`, importID: `${root}/r`, inputs },
  };

  test("keeps what the platform shows that it binds", () => {
    const { changes } = reviewed([opened, imported], { objects: [acme, bound] as never });
    expect(changes).toContainEqual(expect.objectContaining({ effect: "gain", severity: "critical" }));
  });

  test("is undecided where nothing shows what it binds", () => {
    expect(undecidedIn(reviewed([imported], { objects: [acme] as never }))).toContain("what identityRef of r means today");
  });
});

test("the gate's reasons are one line each, without what a terminal interprets", () => {
  const write = jest.spyOn(process.stderr, "write").mockReturnValue(true);
  const what = "x\n::error::y\u001b[2J";
  endAsGate({ ...reviewed([]), undecided: [{ what, reason: "z" }] }, "high");
  process.exitCode = undefined;
  expect(write.mock.calls.join("")).toContain("- x\\n::error::y\\u{1b}[2J: z.\n");
  write.mockRestore();
});
