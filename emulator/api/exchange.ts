import {
  createLocalJWKSet,
  decodeJwt,
  errors as joseErrors,
  jwtVerify,
  type JSONWebKeySet,
  type JWTPayload,
  type JWTVerifyGetKey,
} from "jose";
import { bearerToken, type IssuedToken } from "../auth/api-tokens";
import { invalidArgument, permissionDenied, unauthenticated } from "../wire/errors";
import type { IssuerKeys } from "../auth/issuer-keys";
import { seededSubject } from "../auth/oidc-issuer";
import { matchesPattern } from "../auth/pattern";
import { isObject, stringOf, type Json, type JsonObject } from "../wire/json";
import type { Services } from "./services";
import { isKnownIdentity } from "../objects/role-bindings";
import type { Row } from "../storage/store";

// Only asymmetric algorithms, because a signature with a shared secret would be no proof.
const algorithms = ["ES256", "ES384", "ES512", "RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "EdDSA"];

/** The answer of an exchange. Refresh tokens are not issued. */
export interface Exchanged extends IssuedToken {
  readonly refreshToken: "";
}

/**
 * Exchanges an OIDC token for an API token of the identity that it may assume (docs/platform-api.md#token-exchange).
 * @throws {ApiError} code 3 for missing parameters, 16 for an invalid token, 7 for a token that no identity, or not the requested one,
 * accepts.
 */
export async function exchange(
  services: Services,
  keys: IssuerKeys,
  authorization: string | undefined,
  parameters: URLSearchParams,
): Promise<Exchanged> {
  const token = bearerToken(authorization);
  const audience = parameters.getAll("aud").filter((value) => value !== "");
  if (audience.length === 0) throw invalidArgument({ field: "aud", description: "the audience of the API token is required" });
  const claimed = readClaims(token);
  if (services.copied !== undefined && claimed.iss === services.issuer.url && claimed.sub === seededSubject) {
    const uid = await copiedIdentity(services, keys, token, parameters.get("identity") || services.seededIdentity);
    return { ...(await services.apiTokens.issue(uid, audience)), refreshToken: "" };
  }
  const identity = candidate(services, claimed, parameters.get("identity") ?? "");
  const relationship = relationshipOf(identity);
  refuseExpired(identity, services);
  const proven = await verify(token, await keysOf(identity, claimed, keys), services);
  checkAudience(services, relationship, proven);
  noteSeen(services, identity.uid);
  return { ...(await services.apiTokens.issue(identity.uid, audience)), refreshToken: "" };
}

/** In a copy, the token of its own issuer may assume every identity, people included. The login is not noted, so the copy stays exact. */
async function copiedIdentity(services: Services, keys: IssuerKeys, token: string, uid: string): Promise<string> {
  const proven = await verify(token, await keys.of(services.issuer.url), services);
  checkAudience(services, {}, proven);
  if (!isKnownIdentity(uid, services.store)) throw permissionDenied(`identity "${uid}" is not in this copy`);
  return uid;
}

/** Static keys stop working when they expire. */
function refuseExpired({ uid, fields }: Row, { settings }: Services): void {
  const expiry = isObject(fields["staticKeys"]) ? stringOf(fields["staticKeys"]["expirationTime"]) : "";
  if (expiry !== "" && expiry <= settings.timestamp())
    throw permissionDenied(`the static keys of identity ${uid} expired at ${expiry}`);
}

/** Reads the identity again before writing, because it may have changed while keys were fetched. */
function noteSeen({ store, settings }: Services, uid: string): void {
  const row = store.get("identities", uid);
  if (row === undefined) throw permissionDenied(`identity ${uid} was deleted`);
  store.update({ ...row, fields: { ...row.fields, lastSeenTime: settings.timestamp() } });
}

function readClaims(token: string): JWTPayload {
  try {
    return decodeJwt(token);
  } catch {
    throw unauthenticated("the bearer token is not a JWT");
  }
}

async function verify(token: string, keys: JWTVerifyGetKey, { settings }: Services): Promise<JWTPayload> {
  try {
    const currentDate = new Date(settings.now());
    return (await jwtVerify(token, keys, { algorithms, currentDate, requiredClaims: ["iss", "sub", "exp"] })).payload;
  } catch (error) {
    if (error instanceof joseErrors.JWTExpired) throw unauthenticated("the OIDC token has expired; fetch a new one");
    throw unauthenticated(`the OIDC token is not valid: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** The identity to assume by the unverified claims, so that keys are fetched only from an issuer trusted by an identity. */
function candidate({ store }: Services, claimed: JWTPayload, uid: string): Row {
  if (uid !== "") {
    const identity = store.get("identities", uid);
    if (identity === undefined) throw permissionDenied(`identity ${uid} does not exist`);
    const mismatches = mismatchesOf(relationshipOf(identity), claimed);
    if (mismatches.length > 0) throw permissionDenied(`the OIDC token may not assume identity ${uid}: ${mismatches.join("; ")}`);
    return identity;
  }
  const plausible = store.select("identities", [
    {
      sql: `coalesce(fields ->> '$.claimMatch.issuer', fields ->> '$.staticKeys.issuer', '') IN ('', ?)
        AND coalesce(fields ->> '$.claimMatch.subject', fields ->> '$.staticKeys.subject', '') IN ('', ?)`,
      values: [claimed.iss ?? "", claimed.sub ?? ""],
    },
  ]);
  const fitting = plausible.filter((row) => canBeAssumed(row) && mismatchesOf(relationshipOf(row), claimed).length === 0);
  const [only] = fitting;
  const who = `issuer "${claimed.iss ?? ""}" and subject "${claimed.sub ?? ""}"`;
  if (only === undefined) throw permissionDenied(`no identity matches a token of ${who}`);
  if (fitting.length > 1)
    throw permissionDenied(`${fitting.length} identities match a token of ${who}; name one with the parameter identity`);
  return only;
}

function canBeAssumed({ fields }: Row): boolean {
  return isObject(fields["claimMatch"]) || isObject(fields["staticKeys"]);
}

function relationshipOf({ uid, fields }: Row): JsonObject {
  const relationship = fields["claimMatch"] ?? fields["staticKeys"];
  if (isObject(relationship)) return relationship;
  throw permissionDenied(`identity ${uid} has neither a claim match nor static keys: no OIDC token can assume it`);
}

/** The differences between a token's claims and an identity's match. Patterns match the whole value (docs/platform-api.md#patterns). */
function mismatchesOf(match: JsonObject, claims: JWTPayload): string[] {
  const wanted: [string, Json | undefined, Json | undefined][] = [
    ["iss", match["issuer"], match["issuerPattern"]],
    ["sub", match["subject"], match["subjectPattern"]],
    ...entriesOf(match["claims"]).map(([claim, value]): [string, Json, undefined] => [claim, value, undefined]),
    ...entriesOf(match["claimPatterns"]).map(([claim, pattern]): [string, undefined, Json] => [claim, undefined, pattern]),
  ];
  return wanted.flatMap(([claim, exact, pattern]) => {
    const held = claims[claim];
    const value = typeof held === "string" ? held : JSON.stringify(held);
    if (fits(value, exact, pattern)) return [];
    const expected = exact === undefined ? `does not match ${stringOf(pattern)}` : `is not "${stringOf(exact)}"`;
    return [`its claim ${claim}, ${held === undefined ? "which is missing," : `"${value}",`} ${expected}`];
  });
}

function entriesOf(map: Json | undefined): [string, Json][] {
  return isObject(map) ? Object.entries(map) : [];
}

function fits(value: string | undefined, exact: Json | undefined, pattern: Json | undefined): boolean {
  if (value === undefined) return false;
  return exact === undefined ? matchesPattern(stringOf(pattern), value) : value === exact;
}

async function keysOf({ uid, fields }: Row, claimed: JWTPayload, keys: IssuerKeys): Promise<JWTVerifyGetKey> {
  const staticKeys = fields["staticKeys"];
  if (!isObject(staticKeys)) return keys.of(claimed.iss ?? "");
  try {
    return createLocalJWKSet(JSON.parse(stringOf(staticKeys["issuerKeys"])) as JSONWebKeySet);
  } catch {
    throw permissionDenied(`the static keys of identity ${uid} are not a JSON Web Key Set`);
  }
}

/** The audience must be the host of this service's issuer, or an audience that the identity declares (docs/platform-api.md#identities). */
function checkAudience({ addresses }: Services, match: JsonObject, proven: JWTPayload): void {
  const held = [proven.aud ?? []].flat();
  const { audience, audiencePattern, audiences } = match;
  const own = [new URL(addresses.authUrl).host];
  const expected = typeof audience === "string" ? [audience] : Array.isArray(audiences) && audiences.length > 0 ? audiences : own;
  const isMeant = (value: string) =>
    typeof audiencePattern === "string" ? fits(value, undefined, audiencePattern) : expected.includes(value);
  if (held.some(isMeant)) return;
  const wanted = typeof audiencePattern === "string" ? `one that matches ${audiencePattern}` : expected.map(String).join(" or ");
  throw unauthenticated(`the OIDC token is for audience "${held.join(", ")}"; expected ${wanted}`);
}
