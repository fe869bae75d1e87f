import { BinaryWriter } from "google-protobuf";
import type { CallSpan } from "../../client/tracing";
import { version } from "../../client/version";

/** The place of a span in its trace, in hexadecimal. */
export interface Place {
  readonly traceId: string;
  readonly parentId: string;
}

/** A call at its place. */
export interface PlacedSpan extends CallSpan, Place {
  readonly spanId: string;
}

/** The numbers of `SPAN_KIND_CLIENT` and `STATUS_CODE_ERROR`. */
const [client, failed] = [3, 2];

const scope = "pulumi-platform";

/**
 * `spans` as an `ExportTraceServiceRequest` of the OpenTelemetry protocol. The SDK of OpenTelemetry would write it too, but takes longer
 * to load than the whole plugin.
 */
// The numbers of fields are those of opentelemetry-proto 1.x, which are stable: https://opentelemetry.io/docs/specs/otlp/
export function exportRequest(spans: readonly PlacedSpan[]): Buffer {
  const resource = message((writer) => writer.writeBytes(1, keyValue("service.name", scope)));
  const named = message((writer) => {
    writer.writeString(1, scope);
    writer.writeString(2, version);
  });
  const scopeSpans = message((writer) => {
    writer.writeBytes(1, named);
    for (const span of spans) writer.writeBytes(2, spanMessage(span));
  });
  const resourceSpans = message((writer) => {
    writer.writeBytes(1, resource);
    writer.writeBytes(2, scopeSpans);
  });
  return Buffer.from(message((writer) => writer.writeBytes(1, resourceSpans)));
}

function spanMessage({ traceId, spanId, parentId, name, start, end, attributes, error }: PlacedSpan): Uint8Array {
  return message((writer) => {
    writer.writeBytes(1, Buffer.from(traceId, "hex"));
    writer.writeBytes(2, Buffer.from(spanId, "hex"));
    writer.writeBytes(4, Buffer.from(parentId, "hex"));
    writer.writeString(5, name);
    writer.writeEnum(6, client);
    writer.writeFixed64String(7, nanoseconds(start));
    writer.writeFixed64String(8, nanoseconds(end));
    for (const [key, value] of Object.entries(attributes)) writer.writeBytes(9, keyValue(key, value));
    if (error !== undefined) writer.writeBytes(15, statusMessage(error));
  });
}

function statusMessage(error: string): Uint8Array {
  return message((writer) => {
    writer.writeString(2, error);
    writer.writeEnum(3, failed);
  });
}

function keyValue(key: string, value: string | number): Uint8Array {
  const any = message((writer) => {
    if (typeof value === "string") writer.writeString(1, value);
    else writer.writeInt64(3, value);
  });
  return message((writer) => {
    writer.writeString(1, key);
    writer.writeBytes(2, any);
  });
}

/** A message within another one is written as bytes. */
function message(write: (writer: BinaryWriter) => void): Uint8Array {
  const writer = new BinaryWriter();
  write(writer);
  return writer.getResultBuffer();
}

function nanoseconds(milliseconds: number): string {
  return String(BigInt(Math.round(milliseconds * 1_000)) * 1_000n);
}
