import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PlatformError } from "../../provider/client/errors";
import { type Configuration, readConfiguration } from "../../provider/credentials";
import { listenOnLastingPort } from "../support/lasting-port";

/** What a server saw of one request. */
export interface Seen {
  path: string;
  query: URLSearchParams;
  authorization: string | undefined;
  userAgent: string | undefined;
}

/** What a server answers; a string is sent as HTML, anything else as JSON. */
export interface Answer {
  status?: number;
  headers?: Record<string, string>;
  body: unknown;
}

const cleanUps: (() => unknown)[] = [];

/** Stops the servers and removes the files of one test. */
export async function cleanUp(): Promise<void> {
  for (const undo of cleanUps.splice(0)) await undo();
}

/** A server, by default on a free port, that answers as `answer` says and records the requests. */
export async function startServer(
  answer: (seen: Seen, count: number) => Answer | "reset",
  port = 0,
): Promise<{ url: string; seen: Seen[] }> {
  const seen: Seen[] = [];
  const server = createServer((request: IncomingMessage, response) => {
    const url = new URL(request.url ?? "/", "http://localhost");
    const asked = {
      path: url.pathname,
      query: url.searchParams,
      authorization: request.headers.authorization,
      userAgent: request.headers["user-agent"],
    };
    seen.push(asked);
    const answered = answer(asked, seen.length);
    if (answered === "reset") {
      request.socket.resetAndDestroy();
      return;
    }
    const { status = 200, headers = {}, body } = answered;
    const isHtml = typeof body === "string";
    response.writeHead(status, { "content-type": isHtml ? "text/html" : "application/json", ...headers });
    response.end(isHtml ? body : JSON.stringify(body));
  });
  return { url: await listen(server, port), seen };
}

async function listen(server: Server, port: number): Promise<string> {
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  cleanUps.push(() => {
    server.close();
    server.closeAllConnections();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** An address without a listener; the port stays free. */
export async function deadAddress(): Promise<string> {
  const server = createServer();
  const port = await listenOnLastingPort(server);
  await new Promise((resolve) => server.close(resolve));
  return `http://127.0.0.1:${port}`;
}

/** A file with `text`, by default with mode 0600. */
export function tokenFile(text: string, mode = 0o600): string {
  const folder = mkdtempSync(join(tmpdir(), "credentials-"));
  cleanUps.push(() => {
    rmSync(folder, { recursive: true });
  });
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

/** What `action` throws, which must be a {@link PlatformError}. */
export async function errorOf(action: () => unknown): Promise<PlatformError> {
  try {
    await action();
  } catch (error) {
    if (PlatformError.isInstance(error)) return error;
    throw error;
  }
  throw new Error("nothing was thrown");
}
