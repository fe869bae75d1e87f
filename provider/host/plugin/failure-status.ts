import { Metadata, type StatusObject, status } from "@grpc/grpc-js";
import { ErrorResourceInitFailed } from "@pulumi/pulumi/proto/provider_pb";
import { Status } from "@pulumi/pulumi/proto/status_pb";
import { Any } from "google-protobuf/google/protobuf/any_pb";
import type { Struct } from "google-protobuf/google/protobuf/struct_pb";
import { messageOf, textOf, withCode } from "../../client/errors";
import { CreatedButFailed } from "../../resources/creating/created-but-failed";
import { Failure } from "../failure";
import { type Secrets, toWire } from "./properties";

/** A call that this provider does not implement. */
export class Unimplemented extends Error {}

/**
 * `error` as the answer to the engine. For an existing object it carries the id and properties, so that the state contains the object.
 *
 * @param secrets see {@link toWire}
 */
// See docs/contributing/engine.md#errors-with-an-id.
export function failureStatus(error: unknown, secrets: Secrets = {}): Partial<StatusObject> {
  if (error instanceof Unimplemented) return { code: status.UNIMPLEMENTED, details: withCode("UNIMPLEMENTED", messageOf(error)) };
  const details = error instanceof Failure ? error.message : textOf(error);
  if (!(error instanceof CreatedButFailed)) return { code: status.UNKNOWN, details };
  return initFailed({ id: error.uid, properties: toWire(error.state, secrets), reasons: [details], details });
}

/** The answer to a create or update that failed although its object exists. */
export function initFailed(failed: {
  readonly id: string;
  readonly properties: Struct;
  readonly reasons: readonly string[];
  readonly details: string;
}): Partial<StatusObject> {
  const { details } = failed;
  const detail = new ErrorResourceInitFailed();
  detail.setId(failed.id);
  detail.setProperties(failed.properties);
  detail.setReasonsList([...failed.reasons]);
  const packed = new Any();
  packed.pack(detail.serializeBinary(), "pulumirpc.ErrorResourceInitFailed");
  const answer = new Status();
  answer.setCode(status.UNKNOWN);
  answer.setMessage(details);
  answer.addDetails(packed);
  const metadata = new Metadata();
  metadata.add("grpc-status-details-bin", Buffer.from(answer.serializeBinary()));
  return { code: status.UNKNOWN, details, metadata };
}
