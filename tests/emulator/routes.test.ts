import fc from "fast-check";
import { call } from "../support/test-platform";
import { casesOf } from "../support/tier";
import { refusal, useBench } from "./support";

const bench = useBench();

test.each(["v2beta1", "v2"])("ping %s needs no token", async (version) => {
  expect(await call("GET", `${bench.baseUrl}/ping/${version}/ping`, undefined, {})).toMatchObject({
    status: 200,
    body: { response: "pong" },
  });
});

test.each([
  "/",
  "/nothing",
  "/iam/v1/groups",
  "/iam/v2beta1/nothing",
  "/registry/v2beta1/groups",
  "/iam/v2beta1/groups:verb",
  "/iam/v2beta10/groups",
])("%s is an unknown route: 404, code 5, without details", async (path) => {
  expect(await bench.api("GET", path)).toMatchObject({ status: 404, body: { code: 5, message: "Not Found", details: [] } });
});

test.each([
  ["PUT", "/iam/v2beta1/groups"],
  ["PATCH", "/registry/v2beta1/tags/x"],
  ["POST", "/vulnerabilities/v2beta1/advisories/x"],
  ["DELETE", "/vulnerabilities/v2beta1/advisories/x"],
  ["GET", "/iam/v2beta1/roleBindings:batchCreate"],
  ["DELETE", "/sts/exchange"],
  ["POST", "/ping/v2/ping"],
])("%s %s is a method that the path does not have: 501, code 12", async (method, path) => {
  expect(await bench.api(method, path)).toMatchObject({
    status: 501,
    body: { code: 12, message: "Method Not Allowed", details: [] },
  });
});

test.each(["HEAD", "OPTIONS"])("%s is not served", async (method) => {
  expect((await bench.api(method, "/iam/v2beta1/groups")).status).toBe(501);
});

test("every answer carries Date by the emulator's clock and a request id of its own", async () => {
  await bench.settings({ clockOffsetSeconds: -86_400 });
  const [one, two] = [await bench.api("GET", "/ping/v2/ping"), await bench.api("GET", "/nothing")];
  await bench.settings({ clockOffsetSeconds: 0 });
  for (const { headers } of [one, two]) {
    expect(Math.abs(Date.parse(headers.get("date") ?? "") - (Date.now() - 86_400_000))).toBeLessThan(10_000);
  }
  expect(one.headers.get("x-request-id")).toMatch(/\S/);
  expect(one.headers.get("x-request-id")).not.toBe(two.headers.get("x-request-id"));
});

test("creation is not dated after the answer that reports it", async () => {
  const reply = await bench.api("POST", `/iam/v2beta1/groups/${bench.root}`, { name: "dated" });
  const date = Date.parse(reply.headers.get("date") ?? "");
  expect(Date.parse(String(reply.body["createTime"]))).toBeLessThan(date + 1000);
});

test.each(["{", "[]", '"text"', "null"])("body %s is rejected as malformed", async (body) => {
  const reply = await bench.api("POST", `/iam/v2beta1/groups/${bench.root}`, body);
  expect(reply).toMatchObject(refusal.invalid);
});

test("an empty uid is never taken for a list", async () => {
  for (const method of ["GET", "PATCH", "DELETE"]) {
    expect(await bench.api(method, "/iam/v2beta1/groups/", method === "PATCH" ? {} : undefined)).toMatchObject(refusal.invalid);
  }
});

test("only 127.0.0.1 is listened on", () => {
  expect(new URL(bench.baseUrl).hostname).toBe("127.0.0.1");
});

test("no request, however odd, makes the emulator fail", async () => {
  const collections = "iam/v2/groups iam/v2/identities iam/v2/roles iam/v2/roleBindings registry/v2/repos registry/v2/tags".split(
    " ",
  );
  const places = ["", "/", `/${bench.root}`, `/${bench.identity}`, "/%2F", "/%", "/acme.example", ":batchCreate"];
  const parameters = "name order_by page_size page_token skip uidp.ids uidp.in_root updateMask identity digest".split(" ");
  const fields = "name description claimMatch capabilities identityUid requests parent bundles customOverlay __proto__".split(
    " ",
  );
  const query = fc.array(fc.tuple(fc.constantFrom(...parameters), fc.string({ maxLength: 12 })), { maxLength: 4 });
  const body = fc.option(fc.dictionary(fc.constantFrom(...fields), fc.jsonValue({ maxDepth: 3 })), { nil: undefined });
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom("GET", "POST", "PATCH", "DELETE"),
      fc.constantFrom(...collections),
      fc.constantFrom(...places),
      query,
      body,
      async (method, collection, place, pairs, content) => {
        const path = `/${collection}${place}?${new URLSearchParams(pairs).toString()}`;
        const { status } = await bench.api(method, path, method === "GET" ? undefined : content);
        expect([200, 400, 403, 404, 409, 501]).toContain(status);
      },
    ),
    { seed: 20260105, numRuns: casesOf(300, 1_000) },
  );
});
