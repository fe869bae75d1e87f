import { SpanKind, SpanStatusCode, trace } from "@opentelemetry/api";
import type { CallSpan } from "../../provider/client/tracing";
import { version } from "../../provider/client/version";

/**
 * Records a call in the tracer of this process, below the active span. Pulumi registers one in the process of a program that the engine
 * traces; without one, this does nothing.
 */
export function recordInTracer({ name, start, end, attributes, error }: CallSpan): void {
  const tracer = trace.getTracer("pulumi-platform", version);
  const span = tracer.startSpan(name, { kind: SpanKind.CLIENT, startTime: start, attributes });
  if (error !== undefined) span.setStatus({ code: SpanStatusCode.ERROR, message: error });
  span.end(end);
}
