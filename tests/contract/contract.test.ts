import { Contract, type Exchange } from "./contract";

const contract = new Contract();
const uid = `${"0".repeat(40)}/${"1".repeat(16)}`;
const group = {
  uid,
  name: "shop",
  description: "",
  resourceLimits: {},
  verified: false,
  createTime: "2026-01-01T00:00:00.123Z",
  updateTime: "2026-01-01T00:00:00Z",
  kind: "ORG_KIND_CUSTOMER",
  status: "ORG_STATUS_READY",
};
const get: Exchange = {
  method: "GET",
  path: `/iam/v2beta1/groups/${uid}`,
  query: "",
  requestBody: "",
  status: 200,
  contentType: "application/json",
  responseBody: JSON.stringify(group),
};
const answering = (value: unknown, more: Partial<Exchange> = {}): string[] =>
  contract.responseViolations({ ...get, responseBody: typeof value === "string" ? value : JSON.stringify(value), ...more });
const asking = (more: Partial<Exchange>): string[] => contract.requestViolations({ ...get, ...more });
const posting = (body: object) => asking({ method: "POST", requestBody: JSON.stringify(body) });

test("the published contract has 68 operations", () => {
  expect(contract.operations).toHaveLength(68);
});

describe("an answer", () => {
  test.each([
    ["as published", group, {}],
    ["with null for an unset time", { ...group, updateTime: null }, {}],
    ["that is empty, to a delete", "", { method: "DELETE" }],
    ["{} to a delete", {}, { method: "DELETE" }],
    ["of an error", { code: 5, message: "gone", details: [{ "@type": "x", reason: "NOT_FOUND" }] }, { status: 404 }],
    ["of an error on no route", { code: 5, message: "Not Found", details: [] }, { status: 404, path: "/nothing" }],
    ["of another path of its kind", { uid, content: "" }, { path: `/registry/v2/repos/${uid}/readme` }],
    ["with a duration that is unset", { roleUid: uid, ttl: null }, { path: `/iam/v2/groupInvites/${uid}` }],
    [
      "with a message that is unset",
      { name: "repo", sync_config: null, customOverlay: null },
      { path: `/registry/v2/repos/${uid}` },
    ],
  ])("%s is valid", (_what, body, more) => {
    expect(answering(body, more)).toEqual([]);
  });

  test.each([
    ["with a member that is not published", { ...group, colour: "red" }, {}],
    ["with an enum value that is not published", { ...group, kind: "CUSTOMER" }, {}],
    ["with null for text", { ...group, description: null }, {}],
    ["with a duration in hours", { roleUid: uid, ttl: "1h" }, { path: `/iam/v2/groupInvites/${uid}` }],
    ["with null for the text beside a duration", { roleUid: null, ttl: "1s" }, { path: `/iam/v2/groupInvites/${uid}` }],
    ["with a time that is no time", { ...group, createTime: "yesterday" }, {}],
    ["without a required member", { uid }, {}],
    ["that is empty, to a read", "", {}],
    ["of HTML", "<html>", {}],
    ["of another content type", group, { contentType: "text/html" }],
    ["200 on no route", {}, { path: "/iam/v2/nothing" }],
    ["of an error without its shape", { error: { code: 5 } }, { status: 404 }],
    ["with a total that is a number", { groups: [], totalCount: 0 }, { path: "/iam/v2/groups" }],
    [
      "with a severity that is not published",
      { severities: [{ type: "CVSS_V3" }] },
      { path: `/vulnerabilities/v2/advisories/${uid}` },
    ],
  ])("%s is a violation", (_what, body, more) => {
    expect(answering(body, more)).not.toEqual([]);
  });
});

describe("a request", () => {
  test.each([
    ["in snake_case", { path: "/iam/v2/groups", query: "uidp.children_of=x&page_size=1&order_by=name%20desc" }],
    ["in camelCase", { path: "/iam/v2/groups", query: "uidp.childrenOf=x&pageSize=1&uidp.inRoot=true" }],
    ["with a repeated list parameter", { path: "/iam/v2/groups", query: "uidp.ids=x&uidp.ids=y" }],
    ["of a mask and what it names", { method: "PATCH", query: "updateMask=description", requestBody: '{"description":""}' }],
  ])("%s is valid", (_what, request) => {
    expect(asking(request)).toEqual([]);
  });

  test.each([
    ["of an unknown parameter", { path: "/iam/v2/groups", query: "parent=x" }],
    ["of a number that is none", { path: "/iam/v2/groups", query: "page_size=many" }],
    ["of a repeated scalar", { path: "/iam/v2/groups", query: "name=a&name=b" }],
    ["without a required parameter", { path: "/iam/v2/identities:lookupIdentity", query: "issuer=x" }],
    ["on no route", { path: "/iam/v2/group" }],
    ["with a body on a read", { requestBody: "{}" }],
    ["without a required member", { method: "POST", requestBody: "{}" }],
    ["with a member that only the platform sets", { method: "PATCH", requestBody: '{"updateTime":"2026-01-01T00:00:00Z"}' }],
  ])("%s is a violation", (_what, request) => {
    expect(asking(request)).not.toEqual([]);
  });

  test("with a member that is not in the contract is a violation", () => {
    expect(posting({ name: "x" })).toEqual([]);
    expect(posting({ name: "x", parentUid: uid })).not.toEqual([]);
  });
});
