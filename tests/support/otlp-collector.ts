import { createServer, type Server as HttpServer } from "node:http";
import type { AddressInfo } from "node:net";
import { Server, ServerCredentials } from "@grpc/grpc-js";
import { BinaryReader } from "google-protobuf";

/** A span as a collector of OpenTelemetry receives it. */
export interface ReceivedSpan {
  service: unknown;
  traceId: string;
  spanId: string;
  parentId: string;
  name: string;
  kind: number;
  /** Nanoseconds since 1970. */
  start: bigint;
  end: bigint;
  attributes: Record<string, unknown>;
  error: string | undefined;
}

/** Collects spans by gRPC, as the engine does for plugins, and by HTTP, as a collector of a user. */
export class OtlpCollector {
  readonly spans: ReceivedSpan[] = [];
  /** All that came, as text. */
  received = "";
  #close: () => void = () => undefined;

  /** @returns `host:port` */
  async grpc(): Promise<string> {
    const server = new Server();
    const same = (bytes: Buffer) => bytes;
    const path = "/opentelemetry.proto.collector.trace.v1.TraceService/Export";
    const coding = { requestSerialize: same, requestDeserialize: same, responseSerialize: same, responseDeserialize: same };
    server.addService(
      { export: { path, requestStream: false, responseStream: false, ...coding } },
      {
        export: ({ request }: { request: Buffer }, done: (error: null, answer: Buffer) => void) => {
          this.#take(request);
          done(null, Buffer.alloc(0));
        },
      },
    );
    this.#close = () => server.forceShutdown();
    return new Promise((resolve, reject) => {
      server.bindAsync("127.0.0.1:0", ServerCredentials.createInsecure(), (error, port) => {
        if (error) reject(error);
        else resolve(`127.0.0.1:${port}`);
      });
    });
  }

  /** @returns its address */
  async http(): Promise<string> {
    const server: HttpServer = createServer((request, response) => {
      const parts: Buffer[] = [];
      request.on("data", (part: Buffer) => parts.push(part));
      request.on("end", () => {
        this.#take(Buffer.concat(parts));
        response.end();
      });
    });
    this.#close = () => {
      server.closeAllConnections();
      server.close();
    };
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  close(): void {
    this.#close();
  }

  #take(request: Buffer): void {
    this.received += request.toString("latin1");
    this.spans.push(...spansIn(request));
  }
}

type Field = Uint8Array | bigint;
type Fields = ReadonlyMap<number, readonly Field[]>;

/** The spans of an `ExportTraceServiceRequest`. */
function spansIn(request: Uint8Array): ReceivedSpan[] {
  return messages(fieldsOf(request), 1).flatMap((resourceSpans) => {
    const [resource = new Map()] = messages(resourceSpans, 1);
    const { "service.name": service } = attributesOf(resource, 1);
    return messages(resourceSpans, 2).flatMap((scope) => messages(scope, 2).map((span) => ({ service, ...spanOf(span) })));
  });
}

function spanOf(span: Fields): Omit<ReceivedSpan, "service"> {
  const [status] = messages(span, 15);
  const hex = (number: number) => Buffer.from((span.get(number)?.[0] as Uint8Array | undefined) ?? []).toString("hex");
  const whole = (fields: Fields | undefined, number: number) => (fields?.get(number)?.[0] as bigint | undefined) ?? 0n;
  return {
    ...{ traceId: hex(1), spanId: hex(2), parentId: hex(4), name: textIn(span, 5), kind: Number(whole(span, 6)) },
    ...{ start: whole(span, 7), end: whole(span, 8), attributes: attributesOf(span, 9) },
    error: whole(status, 3) === 2n ? textIn(status ?? new Map(), 2) : undefined,
  };
}

function attributesOf(fields: Fields, number: number): Record<string, unknown> {
  return Object.fromEntries(
    messages(fields, number).map((pair) => {
      const [value = new Map()] = messages(pair, 2);
      const [whole] = (value as Fields).get(3) ?? [];
      return [textIn(pair, 1), whole === undefined ? textIn(value as Fields, 1) : Number(whole)];
    }),
  );
}

function messages(fields: Fields, number: number): Fields[] {
  return (fields.get(number) ?? []).map((bytes) => fieldsOf(bytes as Uint8Array));
}

function textIn(fields: Fields, number: number): string {
  return Buffer.from((fields.get(number)?.[0] as Uint8Array | undefined) ?? []).toString();
}

function fieldsOf(bytes: Uint8Array): Fields {
  const [reader, fields] = [new BinaryReader(bytes), new Map<number, Field[]>()];
  while (reader.nextField()) {
    const wireType: number = reader.getWireType();
    const number = reader.getFieldNumber();
    if (wireType === 2) fields.set(number, [...(fields.get(number) ?? []), reader.readBytes()]);
    else if (wireType === 1) fields.set(number, [BigInt(reader.readFixed64String())]);
    else if (wireType === 0) fields.set(number, [BigInt(reader.readUint64String())]);
    else reader.skipField();
  }
  return fields;
}
