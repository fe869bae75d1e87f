import { noState } from "../../preview/file";
import { unwrittenFields } from "../../preview/half-done";
import { kindName } from "../../inventory/kinds";
import type { Kind } from "../../provider/schema/kind";
import { identity, identityProvider, role, roleBinding } from "../support/resource-fixture";

/** A resource of a preview whose inputs say one value of a field, and its outputs, which the platform gave, another. */
function halfDone(kind: Kind, field: string, declared: unknown, read: unknown): string | undefined {
  const state = { ...noState, urn: "urn:pulumi:a::b::platform:iam:Any::it" };
  const before = { ...state, inputs: { [field]: declared }, outputs: { [field]: read } };
  return unwrittenFields(
    { urn: state.urn, kind: kindName(kind), before, after: before, op: "keep", reasons: [], isImported: false },
    kind,
  );
}

const claimMatch = (subject: string) => ({ issuer: "https://issuer.example", subject });
const awsIdentity = (arn: string) => ({ awsAccount: "123456789012", arn, userId: "AROA:a" });

test.each<[string, Kind, unknown, unknown]>([
  ["identityUid", roleBinding, "r/a", "r/b"],
  ["roleUid", roleBinding, "r/a", "r/b"],
  ["claimMatch", identity, claimMatch("a"), claimMatch("b")],
  ["awsIdentity", identity, awsIdentity("arn:aws:iam::123456789012:role/a"), awsIdentity("arn:aws:iam::123456789012:role/b")],
  ["capabilities", role, ["CAP_IAM_GROUPS_LIST"], ["CAP_IAM_GROUPS_DELETE"]],
  ["defaultRole", identityProvider, "r/a", "r/b"],
  ["oidc", identityProvider, { issuer: "https://a.example" }, { issuer: "https://b.example" }],
])("an update that failed before it wrote %s is told, with the way on", (field, kind, declared, read) => {
  expect(halfDone(kind, field, declared, declared)).toBeUndefined();
  const sentence = halfDone(kind, field, declared, read);
  for (const part of ["it: ", field, "--refresh"]) expect(sentence).toContain(part);
});

test("a value that the preview hides is not compared", () => {
  const oidc = { issuer: "https://a.example", clientId: "c" };
  expect(halfDone(identityProvider, "oidc", { ...oidc, clientSecret: "[secret]" }, "[secret]")).toBeUndefined();
});

test("what does not say who has access may have a form of the platform's own", () => {
  expect(halfDone(role, "description", "a", "b")).toBeUndefined();
});
