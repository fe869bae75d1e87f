import { useBench } from "./support";

const bench = useBench();
afterEach(() => bench.adminReply("DELETE", "faults"));

const path = () => `/iam/v2beta1/groups/${bench.root}`;
const create = (name: string) => bench.api("POST", path(), { name });
const exists = async (name: string) => (await bench.rows(`/iam/v2beta1/groups?name=${name}`)).length === 1;
const inject = async (fault: Record<string, unknown>, rest: Record<string, unknown> = { match: { method: "POST" } }) => {
  expect(await bench.adminReply("POST", "faults", { ...rest, fault })).toMatchObject({
    status: 200,
    body: { id: expect.any(String) as unknown },
  });
};

test("a status is answered instead of handling, with code, message and headers", async () => {
  await inject({ status: 503, message: "busy", headers: { "Retry-After": "7" } });
  const reply = await create("refused");
  expect(reply).toMatchObject({ status: 503, body: { code: 14, message: "busy", details: [] } });
  expect(reply.headers.get("retry-after")).toBe("7");
  expect(await exists("refused")).toBe(false);
  expect((await create("refused")).status).toBe(200);
});

test("a status may come with a body of any kind", async () => {
  await inject({ status: 502, body: "<html>Bad Gateway</html>", contentType: "text/html" });
  const reply = await create("proxied");
  expect(reply).toMatchObject({ status: 502, text: "<html>Bad Gateway</html>" });
  expect(reply.headers.get("content-type")).toBe("text/html");
});

test.each([
  ["before", false],
  ["after", true],
])("a reset %s the request is applied", async (reset, isApplied) => {
  await inject({ reset });
  await expect(create(`reset ${reset}`)).rejects.toThrow();
  expect(await exists(`reset%20${reset}`)).toBe(isApplied);
});

/** The log's entry of the create of this name, once the emulator has it. */
async function logged(name: string): Promise<{ time: string }> {
  for (;;) {
    const { body } = await bench.adminReply("GET", "requests");
    const entries = body["requests"] as { time: string; body: { name?: string } | null }[];
    const found = entries.find((entry) => entry.body?.name === name);
    if (found !== undefined) return found;
  }
}

test.each([
  ["before", false],
  ["after", true],
])("a hang %s the request is applied lasts until the client gives up", async (hang, isApplied) => {
  const name = `hang-${hang}`;
  await inject({ hang });
  const client = new AbortController();
  const headers = { authorization: `Bearer ${await bench.tokenOf(bench.identity)}` };
  const body = JSON.stringify({ name });
  const request = fetch(bench.baseUrl + path(), { method: "POST", headers, body, signal: client.signal });
  const outcome = expect(request).rejects.toThrow(/abort/);
  await logged(name);
  while (isApplied && !(await exists(name)));
  client.abort();
  await outcome;
  expect(await exists(name)).toBe(isApplied);
});

test.each([
  [undefined, false],
  ["before", false],
  ["after", true],
])("a delay holds the answer; then %p decides when the request is applied", async (then, isAppliedLate) => {
  const name = `delayed ${String(then)}`;
  await inject({ delayMs: 150, ...(then === undefined ? {} : { then }) });
  const { body } = await create(name);
  const [applied, answered] = [Date.parse(String(body["createTime"])), Date.now()];
  const asked = Date.parse((await logged(name)).time);
  // Only lower limits: a busy machine may take longer than the delay for everything else.
  expect(isAppliedLate ? applied - asked : answered - applied).toBeGreaterThanOrEqual(140);
});

test("a truncated answer breaks off after the request was applied", async () => {
  await inject({ truncate: true });
  await expect(create("cut")).rejects.toThrow();
  expect(await exists("cut")).toBe(true);
});

test("a rewrite merges members into the answer, and null removes one", async () => {
  await inject({ rewrite: { description: "other", verified: null, resourceLimits: { clusters: 1 } } });
  const { body } = await create("rewritten");
  expect(body).toMatchObject({ name: "rewritten", description: "other", resourceLimits: { clusters: 1 } });
  expect(body).not.toHaveProperty("verified");
});

test("a replaced body is answered with 200 after the request was applied", async () => {
  await inject({ replaceBody: "not json" });
  expect(await create("replaced")).toMatchObject({ status: 200, text: "not json" });
  expect(await exists("replaced")).toBe(true);
});

test("skip lets matches pass first, times limits the rest, and hits are counted", async () => {
  await inject({ status: 429 }, { match: { method: "GET", path: "/groups$", query: "name=" }, skip: 1, times: 2 });
  const statuses = [];
  for (let index = 0; index < 4; index += 1) statuses.push((await bench.api("GET", "/iam/v2beta1/groups?name=x")).status);
  expect(statuses).toEqual([200, 429, 429, 200]);
  expect((await bench.api("GET", "/iam/v2beta1/groups")).status).toBe(200);
  expect((await bench.adminReply("GET", "faults")).body).toMatchObject({ faults: [{ skip: 1, times: 2, hits: 4 }] });
});

test("times 0 lasts until faults are removed", async () => {
  await inject({ status: 500 }, { times: 0 });
  for (let index = 0; index < 3; index += 1) expect((await bench.api("GET", "/ping/v2/ping")).status).toBe(500);
  await bench.adminReply("DELETE", "faults");
  expect((await bench.api("GET", "/ping/v2/ping")).status).toBe(200);
});

test("the exchange is open to faults, the admin side is not", async () => {
  await inject({ status: 503 }, { times: 0 });
  expect((await bench.exchange(await bench.oidcTokenInFile(), { aud: "x" })).status).toBe(503);
  expect((await bench.adminReply("GET", "settings")).status).toBe(200);
});

test.each([
  [{}],
  [{ fault: {} }],
  [{ fault: { status: 500, reset: "before" } }],
  [{ fault: { reset: "sometime" } }],
  [{ fault: { status: "500" } }],
  [{ fault: { truncate: true, body: "x" } }],
  [{ fault: { status: 500 }, match: { path: "(" } }],
  [{ fault: { status: 500 }, match: { host: "x" } }],
  [{ fault: { status: 500 }, times: -1 }],
  [{ fault: { status: 500 }, colour: "red" }],
])("%j is not a fault: 400 with the reason", async (body) => {
  expect(await bench.adminReply("POST", "faults", body)).toMatchObject({
    status: 400,
    body: { message: expect.stringMatching(/\w{4}/) as unknown },
  });
});
