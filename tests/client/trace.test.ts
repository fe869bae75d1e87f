import { readFileSync } from "node:fs";
import path from "node:path";
import { rememberToken } from "../../provider/client/redact";
import { traceLine } from "../../provider/client/trace";
import { version } from "../../provider/client/version";
import { groups } from "../support/collections";
import { deadServer, startServer } from "../support/http-double";
import { clientOf, errorOf, fixedToken, group, rpcError } from "./support";

const written: string[] = [];

beforeEach(() => {
  written.length = 0;
  jest.spyOn(process.stderr, "write").mockImplementation((text) => {
    written.push(String(text));
    return true;
  });
});

afterEach(() => {
  jest.restoreAllMocks();
  delete process.env["PLATFORM_LOG"];
});

const token = "token-that-stays-hidden";

async function twoRequests(): Promise<string> {
  const server = await startServer((_, count) => ({
    ...(count === 1 ? rpcError(503, 14, "secret-of-the-answer") : { body: group("root/a") }),
    headers: { "x-request-id": "req-1" },
  }));
  await clientOf(server.url, { tokens: fixedToken(token) }).update(groups, "root/a", { description: "secret-of-the-body" }, [
    "description",
  ]);
  return server.url;
}

test("PLATFORM_LOG=debug writes one line for each request that is sent, retries among them", async () => {
  process.env["PLATFORM_LOG"] = "debug";
  const url = await twoRequests();
  const line = (status: number) =>
    new RegExp(`^platform: \\d{4}-\\S+Z PATCH ${url}/iam/v2beta1/groups/root/a ${status} in \\d+ ms \\(request req-1\\)\\n$`);
  expect(written).toEqual([expect.stringMatching(line(503)), expect.stringMatching(line(200))]);
});

test("the trace holds no header, query or body", async () => {
  process.env["PLATFORM_LOG"] = "debug";
  await twoRequests();
  expect(written.join("")).not.toMatch(/secret|hidden|Bearer|updateMask/);
});

test("a request without an answer is traced with its code", async () => {
  process.env["PLATFORM_LOG"] = "debug";
  await errorOf(clientOf((await deadServer()).url).get(groups, "a"));
  expect(written[0]).toMatch(/GET http:\S+ NOT_CONNECTED in \d+ ms\n$/);
});

test.each([undefined, "", "info"])("with PLATFORM_LOG=%s nothing is written", async (value) => {
  if (value !== undefined) process.env["PLATFORM_LOG"] = value;
  await twoRequests();
  expect(written).toEqual([]);
});

test("a line stays one line and shows no secret, whatever the address and the server's id hold", () => {
  rememberToken(token);
  const url = new URL(`https://api.example.com/${token}?token=${token}`);
  const line = traceLine({ method: "GET", url, outcome: 200, requestId: `a\nb\u001b[2J ${token}`, durationMs: 1.6 }, new Date(0));
  expect(line).toBe(
    "platform: 1970-01-01T00:00:00.000Z GET https://api.example.com/[redacted] 200 in 2 ms (request a b\\u{1b}[2J [redacted])\n",
  );
});

test("every request names the package and its version", async () => {
  const server = await startServer(() => ({ body: group("a") }));
  await clientOf(server.url).get(groups, "a");
  const manifest = JSON.parse(readFileSync(path.resolve(__dirname, "../../package.json"), "utf8")) as { version: string };
  expect(version).toBe(manifest.version);
  expect(server.seen[0]?.headers["user-agent"]).toBe(`pulumi-platform/${version}`);
});
