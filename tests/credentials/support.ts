import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Configuration, readConfiguration } from "../../provider/credentials";

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});

/** A file of one test with `text`, by default with mode 0600. */
export function tokenFile(text: string, mode = 0o600): string {
  const folder = mkdtempSync(join(tmpdir(), "credentials-"));
  folders.push(folder);
  const file = join(folder, "token");
  writeFileSync(file, text);
  chmodSync(file, mode);
  return file;
}

/** A JSON Web Token of `claims`; tests do not check its signature. */
export function jwt(claims: object): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
  return `${part({ alg: "RS256", kid: "test" })}.${part(claims)}.c2lnbmF0dXJl`;
}

/** Seconds since 1970, `offset` seconds from `now`. */
export function seconds(offset: number, now = Date.now()): number {
  return Math.floor(now / 1000) + offset;
}

export const claims = { iss: "https://issuer.example.com", sub: "repo:acme/infra", aud: "platform.example.com" };

/** An OIDC token that nothing speaks against. */
export function goodOidcToken(more: object = {}): string {
  return jwt({ ...claims, exp: seconds(600), ...more });
}

/** The configuration of an environment in which the platform is at `baseUrl`. */
export function configuration(baseUrl: string, environment: Record<string, string>): Configuration {
  return readConfiguration({}, { PLATFORM_BASE_URL: baseUrl, ...environment });
}
