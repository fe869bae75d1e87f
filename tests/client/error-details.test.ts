import { PlatformError, withContext } from "../../provider/client/errors";
import { noDetails } from "../../provider/client/error-details";
import { rememberSecret } from "../../provider/client/redact";
import * as sdk from "../../sdk";
import { groups } from "../support/collections";
import { type Answer, startServer } from "../support/http-double";
import { clientOf, errorOf, rpcError } from "./support";

const detail = (type: string, members: object) => ({ "@type": `type.googleapis.com/google.rpc.${type}`, ...members });

async function errorWith(details: unknown, answer: Partial<Answer> = {}): Promise<PlatformError> {
  const server = await startServer(() => ({ ...rpcError(400, 9, "no"), body: { code: 9, message: "no", details }, ...answer }));
  return errorOf(clientOf(server.url).get(groups, "root/a"));
}

test("details of every type that is understood become one object", async () => {
  const { details, requestId } = await errorWith([
    detail("ErrorInfo", { reason: "FAILED_PRECONDITION", domain: "iam.platform.example", metadata: {} }),
    detail("BadRequest", {
      fieldViolations: [{ field: "claim_match.issuer", description: "must be https", reason: "", localizedMessage: null }],
    }),
    detail("PreconditionFailure", { violations: [{ type: "RESOURCE_NOT_EMPTY", subject: "root/a", description: "has repos" }] }),
    detail("QuotaFailure", { violations: [{ subject: "root", description: "100 groups" }] }),
    detail("ResourceInfo", { resourceType: "group", resourceName: "root/a", owner: "", description: "" }),
    detail("Help", { links: [{ description: "Limits", url: "https://docs.example/limits" }] }),
    detail("RequestInfo", { requestId: "req-9", servingData: "" }),
    detail("RetryInfo", { retryDelay: "1.5s" }),
  ]);
  expect(details).toEqual({
    reason: "FAILED_PRECONDITION",
    domain: "iam.platform.example",
    resource: { type: "group", name: "root/a" },
    fieldViolations: [{ field: "claim_match.issuer", description: "must be https" }],
    preconditionViolations: [{ type: "RESOURCE_NOT_EMPTY", subject: "root/a", description: "has repos" }],
    quotaViolations: [{ type: "", subject: "root", description: "100 groups" }],
    links: [{ description: "Limits", url: "https://docs.example/limits" }],
  });
  expect(requestId).toBe("req-9");
});

test.each([
  ["null", null],
  ["an object", { reason: "x" }],
  ["of other types", [{ "@type": "type.googleapis.com/google.rpc.DebugInfo", stackEntries: ["x"], reason: "SECRET" }]],
  ["of other forms", [null, 7, "text", [], detail("Help", { links: "many" }), detail("ErrorInfo", { reason: 7, domain: {} })]],
])("details that are %s are dropped", async (_, details) => {
  expect((await errorWith(details)).details).toEqual(noDetails);
});

test("one item of another form does not hide the others", async () => {
  const { details } = await errorWith([
    detail("BadRequest", { fieldViolations: [null, { field: 7, description: "must match" }, { field: "name" }] }),
  ]);
  expect(details.fieldViolations).toEqual([
    { field: "", description: "must match" },
    { field: "name", description: "" },
  ]);
});

test("text in details is without secrets and control characters, and bounded, as is its amount", async () => {
  rememberSecret("a-secret-of-this-test");
  const { details } = await errorWith([
    detail("ErrorInfo", { reason: "\u001b[31mRED", domain: "a-secret-of-this-test" }),
    detail("BadRequest", { fieldViolations: Array(500).fill({ field: "x".repeat(9_000), description: "y".repeat(9_000) }) }),
  ]);
  expect(details.reason).toBe("\\u{1b}[31mRED");
  expect(details.domain).toBe("[redacted]");
  expect(details.fieldViolations).toHaveLength(100);
  expect(details.fieldViolations[0]?.field.length).toBeLessThan(300);
  expect(details.fieldViolations[0]?.description.length).toBeLessThan(2_100);
});

test("details cannot be changed", async () => {
  const { details } = await errorWith([detail("BadRequest", { fieldViolations: [{ field: "name", description: "" }] })]);
  for (const part of [details, details.fieldViolations, details.fieldViolations[0], details.links])
    expect(Object.isFrozen(part)).toBe(true);
});

test("a next step in the message keeps them", async () => {
  const body = { code: 3, message: "no", details: [detail("ErrorInfo", { reason: "HELD", domain: "" })] };
  const error = await errorWith([], { body });
  expect(error.message).toMatch(/Fix the cause named above\.$/);
  expect(error.details.reason).toBe("HELD");
});

test("an error of the package itself has none", () => {
  expect(new PlatformError("KEY_TAKEN", "taken").details).toEqual(noDetails);
  expect(withContext("read", new Error("x")).details).toEqual(noDetails);
});

test("the class is exported to programs", () => {
  expect(sdk.PlatformError).toBe(PlatformError);
});
