import { randomBytes } from "node:crypto";
import { builtInRoleUid } from "../auth/built-in-roles";
import { identityProviders } from "../objects/identity-providers";
import { messageNamed } from "../contract/messages";
import { newEtag, scimAt, scimEndpoint, storedScim } from "../objects/scim";
import type { Row } from "../storage/store";
import { ancestorsOf } from "../storage/uid";
import { aborted, failedPrecondition, invalidArgument, notFound } from "../wire/errors";
import { stringOf, type JsonObject } from "../wire/json";
import { millisecondsOf, parseMessage, renderMessage } from "../wire/message";
import type { Action, ActionCall } from "./action";
import { Collection, viewOf } from "./collection";

const capabilities = ["CAP_IAM_SCIM_MANAGE", "CAP_IAM_IDENTITY_PROVIDERS_LIST"];
const dayMs = 24 * 3600 * 1000;
const yearMs = 365 * dayMs;
const fewestOwners = 2;

interface Scim {
  readonly call: ActionCall;
  readonly provider: Row;
  /** The body of the request. */
  readonly asked: JsonObject;
  /** The stored status, and the status by the clock. */
  readonly stored: JsonObject;
  readonly current: JsonObject;
}

/**
 * Makes an action from its name in the contract and a function. The function returns the changes, and the answer beside the identity
 * provider and the new etag.
 */
function scimAction(name: string, run: (scim: Scim) => ScimChange): Action {
  const request = messageNamed(`iam.IdentityProvidersService.${name}Body`);
  const message = messageNamed(`iam.${name}Response`);
  return {
    method: "POST",
    kind: identityProviders,
    suffix: `:${name.charAt(0).toLowerCase()}${name.slice(1)}`,
    on: "object",
    run(call) {
      const { services, access, uid, body } = call;
      const provider = new Collection(services, identityProviders, access).require(uid, capabilities);
      const asked = parseMessage(request, body);
      const current = scimAt(provider, viewOf(services));
      const { change, shown } = run({ call, provider, asked, stored: storedScim(provider), current });
      const scim = { ...storedScim(provider), ...change, etag: newEtag() };
      services.store.update({ ...provider, fields: { ...provider.fields, scim } });
      const value = { identityProviderUid: uid, etag: scim.etag, ...shown };
      return renderMessage(message, value, services.settings.rendering);
    },
  };
}

interface ScimChange {
  readonly change: JsonObject;
  readonly shown: JsonObject;
}

/** Issues the first token, or one after a revocation. */
export const generateScimToken = scimAction("GenerateScimToken", (scim) => {
  const { provider, stored } = scim;
  if (stored["credentialState"] === "CREDENTIAL_STATE_LIVE") {
    const description = `identity provider ${provider.uid} has a SCIM token; regenerate or revoke it`;
    throw failedPrecondition([{ type: "TOKEN_EXISTS", subject: provider.uid, description }]);
  }
  const { change, shown } = newToken(scim);
  return { change: { ...change, previousTokenExpireTime: null }, shown };
});

/** Replaces a token. The old one keeps working for the overlap. */
export const regenerateScimToken = scimAction("RegenerateScimToken", (scim) => {
  const { call, provider, asked, current } = scim;
  checkEtag(scim);
  if (current["credentialState"] === "CREDENTIAL_STATE_NOT_ISSUED") throw notFound("SCIM token", provider.uid);
  const overlap = stringOf(asked["overlap"]) || "3600s";
  const overlapMs = millisecondsOf(overlap);
  if (overlapMs < 0 || overlapMs > dayMs)
    throw invalidArgument({ field: "overlap", description: "must be between 0s and 86400s" });
  const isLive = ["CREDENTIAL_STATE_LIVE", "CREDENTIAL_STATE_ROTATING"].includes(stringOf(current["credentialState"]));
  const end = new Date(call.services.settings.now() + overlapMs).toISOString();
  const expiry = stringOf(current["tokenExpireTime"]);
  const previousTokenExpireTime = !isLive || overlapMs === 0 ? null : expiry !== "" && expiry < end ? expiry : end;
  const { change, shown } = newToken(scim);
  return {
    change: { ...change, previousTokenExpireTime },
    shown: { ...shown, previousTokenExpireTime, requestedOverlap: overlap },
  };
});

/** Ends every token. Needs no etag, and leaves the switch as it is. */
export const revokeScimToken = scimAction("RevokeScimToken", ({ call, stored }) => {
  const wasIssued = stored["credentialState"] !== "CREDENTIAL_STATE_NOT_ISSUED";
  return {
    change: wasIssued
      ? { credentialState: "CREDENTIAL_STATE_REVOKED", tokenExpireTime: null, previousTokenExpireTime: null }
      : {},
    shown: { enabled: stored["enabled"] ?? false, revokeTime: call.services.settings.timestamp() },
  };
});

/** Switches SCIM on or off. */
export const setScimEnabled = scimAction("SetScimEnabled", (scim) => {
  checkEtag(scim);
  const enabled = scim.asked["enabled"] === true;
  if (enabled) requireOwners(scim);
  return { change: { enabled }, shown: { enabled } };
});

function newToken({ call: { services }, provider, asked }: Scim): ScimChange {
  const now = services.settings.now();
  const given = stringOf(asked["expireTime"]);
  const isEndless = asked["neverExpires"] === true;
  const refuse = (description: string) => invalidArgument({ field: "expire_time", description });
  if (isEndless && given !== "") throw refuse("must not be set together with never_expires");
  if (given !== "" && (Date.parse(given) <= now || Date.parse(given) > now + 2 * yearMs))
    throw refuse("must be in the future, at most two years ahead");
  const expireTime = isEndless ? null : given === "" ? new Date(now + yearMs).toISOString() : given;
  return {
    change: { credentialState: "CREDENTIAL_STATE_LIVE", tokenExpireTime: expireTime },
    shown: {
      token: `scim_${randomBytes(32).toString("hex")}`,
      expireTime,
      endpointUrl: scimEndpoint(provider.uid, services.addresses.baseUrl),
    },
  };
}

function checkEtag({ asked, stored, provider }: Scim): void {
  const etag = stringOf(asked["etag"]);
  if (etag === "") throw invalidArgument({ field: "etag", description: "is required: pass the one from the last read" });
  if (etag !== stored["etag"]) throw aborted(`SCIM of identity provider ${provider.uid} has changed; read its etag again`);
}

/** Otherwise a directory could remove the last owner. */
function requireOwners({ call: { services }, provider }: Scim): void {
  const places = ancestorsOf(provider.uid);
  const conditions = [
    { sql: "parent IN (SELECT value FROM json_each(?))", values: [JSON.stringify(places)] },
    { sql: "role = ?", values: [builtInRoleUid("owner")] },
  ];
  const owners = new Set(services.store.select("roleBindings", conditions).map((row) => row.fields["identityUid"]));
  if (owners.size >= fewestOwners) return;
  const description = `SCIM needs ${fewestOwners} owners that were bound by hand; identity provider ${provider.uid} has ${owners.size}`;
  throw failedPrecondition([{ type: "TOO_FEW_OWNERS", subject: provider.uid, description }]);
}
