import { randomBytes } from "node:crypto";
import { isObject, stringOf, type JsonObject } from "../wire/json";
import type { Row } from "../storage/store";
import type { View } from "./object-kind";

type CredentialState = `CREDENTIAL_STATE_${"NOT_ISSUED" | "LIVE" | "EXPIRED" | "REVOKED" | "ROTATING"}`;

/** The SCIM status of a new identity provider, which is off and without a token. */
export function newScim(): JsonObject {
  return { enabled: false, credentialState: "CREDENTIAL_STATE_NOT_ISSUED" satisfies CredentialState, etag: newEtag() };
}

/** A new etag, which changes with every SCIM call. */
export function newEtag(): string {
  return randomBytes(8).toString("hex");
}

/** The stored SCIM status, whose state is `NOT_ISSUED`, `LIVE` or `REVOKED`. */
export function storedScim({ fields }: Row): JsonObject {
  return isObject(fields["scim"]) ? fields["scim"] : newScim();
}

/** The SCIM status in an answer. The clock turns a live token into an expired one, and ends a rotation. */
export function scimAt(row: Row, { now, baseUrl }: Pick<View, "now" | "baseUrl">): JsonObject {
  const scim = storedScim(row);
  const expiry = stringOf(scim["tokenExpireTime"]);
  const previous = stringOf(scim["previousTokenExpireTime"]);
  const isRotating = previous > now;
  const shown = {
    ...scim,
    previousTokenExpireTime: isRotating ? previous : null,
    // A copy shows the address that it read.
    endpointUrl: stringOf(scim["endpointUrl"]) || scimEndpoint(row.uid, baseUrl),
  };
  if (scim["credentialState"] !== ("CREDENTIAL_STATE_LIVE" satisfies CredentialState)) return shown;
  const state = expiry !== "" && expiry <= now ? "EXPIRED" : isRotating ? "ROTATING" : "LIVE";
  return { ...shown, credentialState: `CREDENTIAL_STATE_${state}` satisfies CredentialState };
}

/** The address to which an external directory sends its SCIM requests. The emulator does not serve them. */
export function scimEndpoint(uid: string, baseUrl: string): string {
  return `${baseUrl}/scim/v2/${uid}`;
}
