import { Metadata } from "@grpc/grpc-js";
import { recordSpans } from "../../provider/client/tracing";
import { below, exportSpans, flushSpans } from "../../provider/host/plugin/spans";
import { clientOf, errorOf, group, rpcError } from "../client/support";
import { groups } from "../support/collections";
import { startServer } from "../support/http-double";
import { OtlpCollector } from "../support/otlp-collector";

const [traceId, parentId] = ["0af7651916cd43dd8448eb211c80319c", "b7ad6b7169203331"];
let collector: OtlpCollector;

beforeEach(() => {
  collector = new OtlpCollector();
});

afterEach(() => {
  recordSpans(undefined);
  collector.close();
});

/** Metadata of a call of the engine. */
function traced(traceparent: string): Metadata {
  const metadata = new Metadata();
  metadata.set("traceparent", traceparent);
  return metadata;
}

test("calls are spans below the call of the engine that caused them", async () => {
  const server = await startServer(({ method }) => (method === "GET" ? { body: group("root/a") } : rpcError(404, 5)));
  exportSpans(await collector.grpc());
  const client = clientOf(server.url);
  await Promise.all([
    below(traced(`00-${traceId}-${parentId}-01`), () => client.get(groups, "root/a")),
    below(traced(`00-${traceId}-00f067aa0ba902b7-01`), () => errorOf(client.delete(groups, "root/a"))),
  ]);
  await flushSpans();
  const common = { service: "pulumi-platform", traceId, kind: 3, spanId: expect.stringMatching(/^[\da-f]{16}$/) as string };
  expect(collector.spans.sort((one, other) => one.parentId.localeCompare(other.parentId))).toMatchObject([
    { ...common, parentId: "00f067aa0ba902b7", name: "DELETE /iam/v2beta1/groups/{uid}", error: "NOT_FOUND" },
    {
      ...{ ...common, parentId, name: "GET /iam/v2beta1/groups/{uid}", error: undefined },
      attributes: { "platform.collection": "groups", "platform.attempts": 1, "http.response.status_code": 200 },
    },
  ]);
  for (const { start, end } of collector.spans) {
    expect(Math.abs(Number(start / 1_000_000n) - Date.now())).toBeLessThan(60_000);
    expect(end).toBeGreaterThanOrEqual(start);
  }
  expect(new Set(collector.spans.map(({ spanId }) => spanId)).size).toBe(2);
});

test.each([
  ["without a trace", new Metadata()],
  ["of a trace that is not sampled", traced(`00-${traceId}-${parentId}-00`)],
  ["with a text that is no context", traced("00-secret")],
])("a call %s is not exported", async (_, metadata) => {
  const server = await startServer(() => ({ body: group("root/a") }));
  exportSpans(await collector.grpc());
  await below(metadata, () => clientOf(server.url).get(groups, "root/a"));
  await flushSpans();
  expect(collector.spans).toEqual([]);
});

test.each(["", "collector.example.com:4317", "10.0.0.1:4317"])(
  "nothing is exported to the address %j, which is not of this machine",
  async (address) => {
    const server = await startServer(() => ({ body: group("root/a") }));
    exportSpans(address);
    await below(traced(`00-${traceId}-${parentId}-01`), () => clientOf(server.url).get(groups, "root/a"));
    await flushSpans();
  },
);

test("a collector that is gone fails no call, and the end of a run does not wait for it", async () => {
  const server = await startServer(() => ({ body: group("root/a") }));
  const address = await collector.grpc();
  collector.close();
  exportSpans(address);
  await below(traced(`00-${traceId}-${parentId}-01`), () => clientOf(server.url).get(groups, "root/a"));
  const start = performance.now();
  await flushSpans();
  expect(performance.now() - start).toBeLessThan(8_000);
});
