import { Metadata, type StatusObject, status } from "@grpc/grpc-js";
import { type JavaScriptValue, Struct } from "google-protobuf/google/protobuf/struct_pb";
import { messageOf } from "../../client/errors";
import { initFailed } from "../plugin/failure-status";

/** `error` as Pulumi's dynamic provider host answers it. An error with an `id` is about an object that exists. */
export function dynamicFailure(error: unknown): Partial<StatusObject> {
  const details = messageOf(error);
  const { id, properties, reasons } = error as { id?: string; properties?: object; reasons?: string[] };
  if (id === undefined || properties === undefined) return { code: status.UNKNOWN, details, metadata: new Metadata() };
  return initFailed({
    id,
    properties: Struct.fromJavaScript(properties as Record<string, JavaScriptValue>),
    reasons: reasons ?? [],
    details,
  });
}
