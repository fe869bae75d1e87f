import { reviewText } from "../../cli/review/text";
import { acme, giving, made, object, reviewed, root, roleUid } from "../support/preview-steps";

const okta = "https://okta.acme.example";
const uid = "5".repeat(40);
const binds = (who: object) => made("RoleBinding", "new", { ...giving("owner"), identityUid: undefined, ...who });
/** A role binding of the person that the platform shows. */
const shown = {
  ...object("RoleBinding", `${root}/0123456789abcdef`, { identityUid: uid, roleUid: roleUid("viewer") }),
  place: root,
  row: { identity: { uid, issuer: okta, subject: "mallory", email: "" } },
};
const told = (steps: readonly object[], objects: readonly object[] = [acme]) =>
  reviewText(reviewed(steps, { objects: objects as never }));

test("a person bound by login is called by it", () => {
  const text = told([binds({ identityRef: { issuer: okta, subject: "mallory" } })]);
  expect(text).toContain("mallory (okta.acme.example) becomes owner of acme");
});

test("a person bound by uid is called by the login that another role binding of the organisation shows", () => {
  expect(told([binds({ identityUid: uid })], [acme, shown])).toContain("mallory (okta.acme.example) becomes owner of acme");
});

test("a person of whom nothing but the uid is known is said to be, with the way to a name", () => {
  const text = told([binds({ identityUid: uid })]);
  expect(text).toContain(`who ${uid} is`);
  expect(text).toContain("identityRef");
});

test("what a GroupAccess calls a person stands beside who it is", () => {
  const access = made("GroupAccess", "access", { parentUid: root, access: { owner: { alice: uid } } });
  expect(told([access], [acme, shown])).toContain('mallory (okta.acme.example), "alice" in the program, becomes owner of acme');
});
