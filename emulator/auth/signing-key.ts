import { exportJWK, generateKeyPair, importJWK, SignJWT, type JWK, type JWTPayload } from "jose";
import { randomUUID } from "node:crypto";
import type { Database } from "../storage/database";

/** The algorithm of the emulator's own signatures. */
export const algorithm = "ES256";

/** A private key, kept in the database so that its signatures stay valid after a restart. */
export interface SigningKey {
  readonly publicKey: JWK;
  /** Signs the claims as a JWT. */
  readonly sign: (claims: JWTPayload) => Promise<string>;
}

/** Loads or creates the key of that name. */
export async function loadSigningKey(database: Database, name: string): Promise<SigningKey> {
  const stored = database.fact(name);
  const privateJwk = stored === undefined ? await newKey() : (JSON.parse(stored) as JWK);
  if (stored === undefined) database.setFact(name, JSON.stringify(privateJwk));
  const privateKey = await importJWK(privateJwk, algorithm);
  const { kty, crv, x, y, kid = "" } = privateJwk;
  return {
    publicKey: { kty, crv, x, y, kid, alg: algorithm, use: "sig" } as JWK,
    sign: (claims) => new SignJWT(claims).setProtectedHeader({ alg: algorithm, kid, typ: "JWT" }).sign(privateKey),
  };
}

async function newKey(): Promise<JWK> {
  const { privateKey } = await generateKeyPair(algorithm, { extractable: true });
  return { ...(await exportJWK(privateKey)), kid: randomUUID() };
}
