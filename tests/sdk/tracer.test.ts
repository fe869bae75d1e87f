import { SpanStatusCode, trace, type Tracer } from "@opentelemetry/api";
import { recordInTracer } from "../../sdk/program/tracer";

const call = { name: "GET /iam/v2/groups", start: 1_000, end: 2_000, attributes: { "platform.attempts": 1 } };

afterEach(() => trace.disable());

test("without a tracer in the process, a call of the program is recorded nowhere, and fails nothing", () => {
  expect(() => recordInTracer({ ...call, error: "NOT_FOUND" })).not.toThrow();
});

test("a tracer of the process gets each call of the program, with its own times", () => {
  const recorded: { started: unknown[]; statuses: unknown[]; ended: unknown[] } = { started: [], statuses: [], ended: [] };
  const startSpan = (name: string, options: unknown) => {
    recorded.started.push([name, options]);
    return {
      setStatus: (status: unknown) => recorded.statuses.push(status),
      end: (time: unknown) => recorded.ended.push(time),
    };
  };
  trace.setGlobalTracerProvider({ getTracer: () => ({ startSpan }) as unknown as Tracer });
  recordInTracer({ ...call, error: undefined });
  recordInTracer({ ...call, error: "NOT_FOUND" });
  const options = { kind: 2, startTime: 1_000, attributes: call.attributes };
  expect(recorded).toEqual({
    started: [
      [call.name, options],
      [call.name, options],
    ],
    statuses: [{ code: SpanStatusCode.ERROR, message: "NOT_FOUND" }],
    ended: [2_000, 2_000],
  });
});
