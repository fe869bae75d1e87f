import { gunzipSync } from "node:zlib";
import type { Dispatcher } from "undici";
import { type Clock, monotonicClock } from "./clock";
import { codeOf, isLoginAtProxy, PlatformError, type PlatformErrorCode } from "./errors";
import { unlessAborted, whyAborted } from "./interruption";
import { quoted } from "./printable";
import { destination } from "./rehearsal";
import { logVariable, traceLine } from "./trace";
import { version } from "./version";

/** One request, sent once. */
export interface HttpRequest {
  method: "GET" | "POST" | "PATCH" | "DELETE";
  url: URL;
  headers?: Record<string, string>;
  body?: string;
  /** Deadline of this attempt in milliseconds, from connecting to the last byte. */
  timeoutMs: number;
  signal?: AbortSignal | undefined;
  /** Default: the monotonic clock of this process. */
  clock?: Clock;
}

/** An answer, whatever its status. */
export interface HttpResponse {
  status: number;
  headers: Record<string, string | undefined>;
  text: string;
}

/** Names this package in the platform's audit log. */
const userAgent = `pulumi-platform/${version}`;

/** Largest answer that is read, in bytes. A page of 200 advisories with their events is far smaller. */
const maxResponseBytes = 32 * 1024 * 1024;

const certificate = /CERT|SELF_SIGNED|UNABLE_TO_|ERR_TLS/;

/** The problem of a certificate and the remedy, by error code. */
const certificateProblems: Record<string, string> = {
  CERT_HAS_EXPIRED: "has expired. Renew it, or correct the clock of this machine",
  CERT_NOT_YET_VALID: "is not valid yet. Correct the clock of this machine, or of the one that issued it",
  ERR_TLS_CERT_ALTNAME_INVALID: "is for another host name. Check the address",
};

/** True for the loopback addresses, where plain http is allowed. Names other than `localhost` may resolve to another machine. */
export function isLoopback(hostname: string): boolean {
  return hostname === "localhost" || hostname === "[::1]" || /^127(\.\d{1,3}){3}$/.test(hostname);
}

/** Maximum number of connections to one address, and default and maximum of `platform:concurrency`. */
export const maxConnections = 64;

/** The reason why no connection was made, so that nothing can have been sent. */
class Unconnected extends Error {
  constructor(readonly reason: Error) {
    super(reason.message);
  }
}

let loaded: ReturnType<typeof load> | undefined;

/**
 * Loaded with the first request, because loading takes longer than everything else and a program that only declares sends no request.
 * Jest's runtime for the tests of a program has no dynamic `import()`.
 */
function load() {
  // eslint-disable-next-line @typescript-eslint/no-require-imports
  const { Agent, EnvHttpProxyAgent, Pool, buildConnector, request } = require("undici") as typeof import("undici");
  // After an error with the code of a lost socket, undici reconnects for the queued requests. If a proxy drops each connection, it does so
  // forever. `Unconnected` has no code, and shows that nothing was sent.
  const factory = (origin: string | URL, options: import("undici").Pool.Options) => {
    const connect = typeof options.connect === "function" ? options.connect : buildConnector({ allowH2: false });
    return new Pool(origin, {
      ...options,
      connect: (target, done) => {
        connect(target, (...[error, socket]) => {
          if (error) done(new Unconnected(error), null);
          else done(null, socket);
        });
      },
    });
  };
  const options = { factory, keepAliveTimeout: 10_000, connections: maxConnections };
  const direct = new Agent(options);
  let proxied: Dispatcher | undefined;
  const beyond = (): Dispatcher => {
    const name = ["https_proxy", "HTTPS_PROXY", "http_proxy", "HTTP_PROXY"].find((each) => process.env[each]);
    const address = name && process.env[name];
    if (!address) return direct;
    // Other tools, such as curl, take an address without a scheme, too.
    const proxy = /^[a-z][a-z\d+.-]*:\/\//i.test(address) ? address : `http://${address}`;
    try {
      return new EnvHttpProxyAgent({ ...options, httpProxy: proxy, httpsProxy: proxy });
    } catch {
      const problem = `${name} cannot be used. Set it to the address of the proxy, such as http://proxy.example.com:3128.`;
      throw new PlatformError("CONFIGURATION", `Nothing was sent: ${problem}`);
    }
  };
  return { request, dispatcherFor: (url: URL): Dispatcher => (isLoopback(url.hostname) ? direct : (proxied ??= beyond())) };
}

/** The HTTP client of this process. If it cannot be loaded, nothing was sent, and the next request tries to load it again. */
function client(): ReturnType<typeof load> {
  try {
    return (loaded ??= load());
  } catch (error) {
    const { code } = error as { code?: unknown };
    throw new PlatformError("NOT_CONNECTED", `The HTTP client could not be loaded: ${String(code)}.`);
  }
}

/**
 * Sends `request` once over the pooled connections of this process, and traces it if `PLATFORM_LOG` is `debug`. Never follows a redirect,
 * which would send the token to another address.
 *
 * @throws PlatformError `NOT_CONNECTED`, `CONNECTION_LOST`, `TIMEOUT`, `CALLER_ABORTED`, `CONFIGURATION` (plain http to another machine, no
 * trusted TLS, an address without a copy in a rehearsal), `INVALID_INPUT` (a header that cannot be written) or `UNEXPECTED_ANSWER` (a redirect, an answer too large)
 */
export async function send(request: HttpRequest): Promise<HttpResponse> {
  if (process.env[logVariable]?.trim() !== "debug") return sendOnce(request);
  const { method, url } = request;
  const start = performance.now();
  const trace = (outcome: number | string, requestId?: string) =>
    process.stderr.write(traceLine({ method, url, outcome, requestId, durationMs: performance.now() - start }));
  try {
    const response = await sendOnce(request);
    trace(response.status, response.headers["x-request-id"]);
    return response;
  } catch (error) {
    trace(codeOf(error));
    throw error;
  }
}

async function sendOnce(request: HttpRequest): Promise<HttpResponse> {
  const { url } = request;
  const what = `${request.method} ${url.origin}${url.pathname}`;
  if (url.protocol !== "https:" && !(url.protocol === "http:" && isLoopback(url.hostname))) {
    throw new PlatformError("CONFIGURATION", `${what} was not sent: the address must be https (http only to this machine).`);
  }
  if (url.protocol === "https:" && process.env["NODE_TLS_REJECT_UNAUTHORIZED"] === "0") {
    throw new PlatformError(
      "CONFIGURATION",
      `${what} was not sent: NODE_TLS_REJECT_UNAUTHORIZED=0 lets any server impersonate this one. Unset it; for a private authority, set NODE_EXTRA_CA_CERTS to its certificate file.`,
    );
  }
  const target = destination(url);
  const undici = client();
  const deadline = (request.clock ?? monotonicClock).deadline(request.timeoutMs);
  const signal = request.signal ? AbortSignal.any([deadline, request.signal]) : deadline;
  try {
    const answering = undici.request(target, {
      method: request.method,
      headers: { "user-agent": userAgent, "accept-encoding": "identity", ...request.headers },
      body: request.body ?? null,
      signal,
      dispatcher: undici.dispatcherFor(target),
    });
    // undici notices an abort only once it has a connection.
    const response = await unlessAborted(answering, signal, () => "No response yet.");
    const headers = flatten(response.headers);
    const text = decoded(await readBody(response.body, what), headers["content-encoding"], what);
    if (response.statusCode >= 300 && response.statusCode < 400) {
      throw new PlatformError(
        "UNEXPECTED_ANSWER",
        `${what} returned a redirect (${response.statusCode}). Redirects are never followed: set the final address.`,
        { status: response.statusCode },
      );
    }
    return { status: response.statusCode, headers, text };
  } catch (error) {
    if (PlatformError.isInstance(error) && !signal.aborted) throw error;
    throw connectionError(error, what, request, deadline);
  }
}

function flatten(headers: Record<string, string | string[] | undefined>): Record<string, string | undefined> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, Array.isArray(value) ? value[0] : value]));
}

async function readBody(body: Dispatcher.ResponseData["body"], what: string): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > maxResponseBytes) {
      body.destroy();
      throw tooLarge(what);
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function tooLarge(what: string): PlatformError {
  const why = `the answer is larger than ${maxResponseBytes} bytes, the most that is read.`;
  return new PlatformError("UNEXPECTED_ANSWER", `${what}: ${why}`, { isTooLarge: true });
}

/** The text in `body`. Some proxies compress answers although requests forbid it. */
function decoded(body: Buffer, encoding = "identity", what: string): string {
  if (body.length === 0 || encoding === "identity") return body.toString("utf8");
  try {
    if (encoding === "gzip" || encoding === "x-gzip")
      return gunzipSync(body, { maxOutputLength: maxResponseBytes }).toString("utf8");
  } catch (error) {
    if ((error as { code?: unknown }).code === "ERR_BUFFER_TOO_LARGE") throw tooLarge(what);
  }
  const name = quoted(encoding, 100);
  throw new PlatformError("UNEXPECTED_ANSWER", `${what}: the answer cannot be read, because it is encoded as ${name}.`);
}

/** @param status of the proxy's answer */
function refusedBy(status: number): string {
  const login = "\nName its user in HTTPS_PROXY: http://USER:PASSWORD@HOST:PORT.";
  return `the proxy refuses to connect (HTTP ${status}).${isLoginAtProxy({ status }) ? login : ""}`;
}

/** Sets no cause, because an error of the HTTP parser contains the received bytes, and a server may echo our own header. */
function connectionError(error: unknown, what: string, request: HttpRequest, deadline: AbortSignal): PlatformError {
  const isUnconnected = error instanceof Unconnected;
  const cause = (isUnconnected ? error.reason : error) as { code?: string; message?: string; syscall?: string };
  const { code = "", message = "", syscall } = cause;
  const fail = (kind: PlatformErrorCode, why: string) => new PlatformError(kind, `${what}: ${why}`);
  if (request.signal?.aborted) return fail("CALLER_ABORTED", `no response yet. ${whyAborted(request.signal)}`);
  if (deadline.aborted) return fail("TIMEOUT", `no complete response within ${request.timeoutMs / 1000} s.`);
  if (certificate.test(code)) {
    const problem =
      certificateProblems[code] ?? "is not trusted. For a private authority, set NODE_EXTRA_CA_CERTS to its certificate file";
    return fail("CONFIGURATION", `the server's certificate ${problem} (${code}).`);
  }
  if (code === "ERR_SSL_WRONG_VERSION_NUMBER")
    return fail("CONFIGURATION", "the server does not speak https. Check the address.");
  if (code === "UND_ERR_INVALID_ARG") return fail("INVALID_INPUT", `was not sent: ${message}.`);
  const [, refusal] = (code === "UND_ERR_ABORTED" && /^Proxy response \((\d+)\)/.exec(message)) || [];
  if (refusal) return new PlatformError("NOT_CONNECTED", `${what}: ${refusedBy(Number(refusal))}`, { status: Number(refusal) });
  // Connections to a SOCKS proxy bypass our pool, so their errors are not `Unconnected`.
  if (isUnconnected || syscall === "connect") return fail("NOT_CONNECTED", `cannot connect (${code || "unknown"}).`);
  const details = [code, message].filter(Boolean).join(": ") || "unknown";
  return fail("CONNECTION_LOST", `the connection was lost before the whole response arrived (${details}).`);
}
