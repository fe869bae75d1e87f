import { AsyncLocalStorage } from "node:async_hooks";
import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { Client, credentials, type Metadata } from "@grpc/grpc-js";
import { isLoopback } from "../../client/http";
import { type CallSpan, recordSpans } from "../../client/tracing";
import { exportRequest, type Place, type PlacedSpan } from "./otlp";

/** The variable with the address of the engine's own collector, `host:port`, which forwards to that of the user. */
export const collectorVariable = "PULUMI_OTEL_EXPORTER_OTLP_ENDPOINT";

/** The form of a sampled `traceparent` (W3C Trace Context, 3.2). */
const sampled = /^[\da-f]{2}-([\da-f]{32})-([\da-f]{16})-[\da-f][13579bdf]$/;

/** Milliseconds for which spans are collected, for an export, and for the last export at the end of a run. */
const [batchMs, exportMs, lastMs] = [200, 10_000, 2_000];

const places = new AsyncLocalStorage<Place | undefined>();

let exporter: SpanExporter | undefined;

/**
 * Exports the calls of the platform below the calls of the engine from now on.
 *
 * @param collector `host:port`. Another machine than this one gets nothing, because the connection is not encrypted
 */
export function exportSpans(collector: string): void {
  exporter = isLoopback(collector.replace(/:\d+$/, "")) ? new SpanExporter(collector) : undefined;
  recordSpans(exporter?.record);
}

/** Runs `work` for a call of the engine, whose metadata says where in a trace it is. */
export function below<Result>(metadata: Metadata, work: () => Promise<Result>): Promise<Result> {
  const [, traceId, parentId] = sampled.exec(String(metadata.get("traceparent")[0])) ?? [];
  return places.run(traceId && parentId ? { traceId, parentId } : undefined, work);
}

/** Exports what was recorded. Best effort, because no run waits long for its trace. */
export async function flushSpans(): Promise<void> {
  if (exporter !== undefined) await Promise.race([exporter.flush(), sleep(lastMs, undefined, { ref: false })]);
}

class SpanExporter {
  readonly #client: Client;
  readonly #sending = new Set<Promise<void>>();
  readonly #recorded: PlacedSpan[] = [];

  constructor(collector: string) {
    // A proxy for HTTP is for other machines.
    this.#client = new Client(collector, credentials.createInsecure(), { "grpc.enable_http_proxy": 0 });
  }

  readonly record = (span: CallSpan): void => {
    const place = places.getStore();
    if (place === undefined) return;
    if (this.#recorded.length === 0) setTimeout(() => void this.flush(), batchMs).unref();
    this.#recorded.push({ ...span, ...place, spanId: randomBytes(8).toString("hex") });
  };

  async flush(): Promise<void> {
    if (this.#recorded.length > 0) {
      const sending = this.#send(exportRequest(this.#recorded.splice(0))).finally(() => this.#sending.delete(sending));
      this.#sending.add(sending);
    }
    await Promise.all(this.#sending);
  }

  #send(request: Buffer): Promise<void> {
    const method = "/opentelemetry.proto.collector.trace.v1.TraceService/Export";
    const same = (bytes: Buffer) => bytes;
    return new Promise((resolve) => {
      // A collector that is gone gets no spans.
      this.#client.makeUnaryRequest(method, same, same, request, { deadline: Date.now() + exportMs }, () => resolve());
    });
  }
}
