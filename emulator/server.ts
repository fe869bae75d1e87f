import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import { setTimeout as wait } from "node:timers/promises";
import type { Admin } from "./admin/admin";
import { codeOfHttpStatus, internalError } from "./wire/errors";
import type { Fault, Faults } from "./admin/faults";
import { isObject, mergePatch, type Json } from "./wire/json";
import type { LoggedRequest, RequestLog } from "./admin/request-log";
import { areaOf, type Routes } from "./api/routes";
import { jsonAnswer, type Answer, type Request } from "./wire/http";
import type { Settings } from "./settings/settings";

/** The parts that answer requests. */
export interface Handlers {
  readonly routes: Routes;
  readonly admin: Admin;
  readonly faults: Faults;
  readonly log: RequestLog;
  readonly settings: Settings;
}

/** The HTTP server on 127.0.0.1. Answers 503 until handlers are attached. */
export class HttpServer {
  readonly #server: Server;
  readonly #closing = new AbortController();
  #handlers: Handlers | undefined;

  private constructor() {
    // Idle connections are for the client to close: a request that crosses the server's close would be lost.
    this.#server = createServer({ keepAliveTimeout: 0 }, (request, response) => void this.#serve(request, response));
  }

  /**
   * Listens on a port; 0 picks a free one.
   * @throws {Error} if the port is in use.
   */
  static async listen(port: number): Promise<HttpServer> {
    const listening = new HttpServer();
    try {
      listening.#server.listen(port, "127.0.0.1");
      await once(listening.#server, "listening");
    } catch (error) {
      const isTaken = isObject(error) && error["code"] === "EADDRINUSE";
      const why = isTaken
        ? "is in use: stop the process that listens there, or choose another port (0 picks a free one)"
        : `cannot be used: ${String(error)}`;
      throw new Error(`port ${port} on 127.0.0.1 ${why}`, { cause: error });
    }
    return listening;
  }

  /** The port it listens on. */
  get port(): number {
    const address = this.#server.address();
    return typeof address === "object" && address !== null ? address.port : 0;
  }

  /** Starts answering. */
  attach(handlers: Handlers): void {
    this.#handlers = handlers;
  }

  /** Stops listening and ends every connection, busy or idle. */
  async close(): Promise<void> {
    this.#closing.abort();
    const closed = once(this.#server, "close");
    this.#server.close();
    this.#server.closeAllConnections();
    await closed;
  }

  async #serve(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const handlers = this.#handlers;
    if (handlers === undefined) {
      response.writeHead(503).end();
      return;
    }
    const request = await readRequest(incoming);
    // The client broke the connection.
    if (request === undefined) return;
    const { method, path, query } = request;
    const { admin, log, settings } = handlers;
    const requestId = randomUUID();
    response.setHeader("x-request-id", requestId);
    if (/^\/admin(\/|$)/.test(path)) {
      send(response, isLocalCaller(incoming) ? await admin.handle(request) : foreignCaller, settings);
      return;
    }
    const body = bodyToLog(request);
    const entry: LoggedRequest = { time: settings.timestamp(), method, path, query, body, status: null, requestId };
    log.add(entry);
    try {
      await this.#answer(handlers, request, entry, response);
    } catch (error) {
      if (this.#closing.signal.aborted) {
        response.destroy();
      } else {
        entry.status = 500;
        send(response, jsonAnswer(500, internalError(error).body(areaOf(path))), settings);
      }
    }
  }

  async #answer(
    { routes, faults, settings }: Handlers,
    request: Request,
    entry: LoggedRequest,
    response: ServerResponse,
  ): Promise<void> {
    const fault = faults.take(request.method, request.path, request.query);
    if (settings.values.latencyMs > 0) await this.#pause(settings.values.latencyMs);
    const answer = await this.#outcome(fault, () => routes.handle(request));
    if (answer === "reset") {
      response.socket?.resetAndDestroy();
    } else if (answer !== "hang") {
      entry.status = answer.status;
      if (fault?.kind === "truncate") sendHalf(response, answer, settings);
      else send(response, answer, settings);
    }
  }

  /** The outcome of a request under a fault. */
  async #outcome(fault: Fault | undefined, apply: () => Promise<Answer>): Promise<Answer | "reset" | "hang"> {
    switch (fault?.kind) {
      case undefined:
      case "truncate":
        return apply();
      case "answer": {
        const { status, code = codeOfHttpStatus(status), message, body, headers } = fault;
        const answer = jsonAnswer(status, { code, message, details: [] }, headers);
        return body === undefined ? answer : { ...answer, body };
      }
      case "reset":
      case "hang":
        if (fault.when === "after") await apply();
        return fault.kind;
      case "delay": {
        const early = fault.when === "before" ? await apply() : undefined;
        await this.#pause(fault.delayMs);
        return early ?? apply();
      }
      case "rewrite": {
        const answer = await apply();
        return {
          ...answer,
          body: JSON.stringify(mergePatch(answer.body === "" ? {} : (JSON.parse(answer.body) as Json), fault.patch)),
        };
      }
      case "replaceBody": {
        const answer = await apply();
        return { status: 200, headers: { ...answer.headers, ...fault.headers }, body: fault.body };
      }
    }
  }

  #pause(milliseconds: number): Promise<void> {
    return wait(milliseconds, undefined, { signal: this.#closing.signal });
  }
}

/** A request, once it is whole; undefined if the connection breaks before. */
async function readRequest(incoming: IncomingMessage): Promise<Request | undefined> {
  const body = await text(incoming).catch(() => undefined);
  if (body === undefined) return undefined;
  const { method = "", url = "", headers } = incoming;
  const [path = "", ...query] = url.split("?");
  return {
    method,
    path,
    query: query.join("?"),
    authorization: headers.authorization,
    contentType: headers["content-type"] ?? "",
    body,
  };
}

/** Rejects web pages, which could reach the admin API from a browser: directly, or by DNS rebinding. */
function isLocalCaller({ headers }: IncomingMessage): boolean {
  return headers.origin === undefined && /^(127\.0\.0\.1|localhost)(:\d+)?$/.test(headers.host ?? "");
}

const foreignCaller = jsonAnswer(403, { message: "the admin API serves programs on this machine only, not web pages" });

function bodyToLog({ body, contentType }: Request): Json {
  if (body === "" || contentType.startsWith("application/x-www-form-urlencoded")) return null;
  try {
    return JSON.parse(body) as Json;
  } catch {
    return null;
  }
}

function send(response: ServerResponse, answer: Answer, settings: Settings): void {
  writeHead(response, answer, settings);
  response.end(answer.body);
}

function sendHalf(response: ServerResponse, answer: Answer, settings: Settings): void {
  writeHead(response, answer, settings);
  response.write(answer.body.slice(0, Math.floor(answer.body.length / 2)), () => response.destroy());
}

function writeHead(response: ServerResponse, { status, headers, body }: Answer, settings: Settings): void {
  // Clients compare creation times with this header, so it uses the same clock.
  const date = new Date(settings.now()).toUTCString();
  response.writeHead(status, { ...headers, date, "content-length": Buffer.byteLength(body) });
}
