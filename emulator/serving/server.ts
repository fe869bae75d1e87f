import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import { setTimeout as wait } from "node:timers/promises";
import type { Admin } from "../admin/admin";
import { codeOfHttpStatus, internalError } from "../wire/errors";
import type { Fault, Faults } from "../admin/faults";
import { isObject, mergePatch, type Json } from "../wire/json";
import type { LoggedRequest, RequestLog } from "../admin/request-log";
import { areaOf, type Routes } from "../api/routes";
import { jsonAnswer, type Answer, type Request } from "../wire/http";
import type { Settings } from "../settings/settings";

/** The parts that answer requests. */
export interface Handlers {
  readonly routes: Pick<Routes, "handle">;
  readonly admin: Pick<Admin, "handle">;
  readonly faults: Pick<Faults, "take">;
  readonly log: Pick<RequestLog, "add">;
  readonly settings: Pick<Settings, "values" | "now" | "timestamp">;
}

/** The HTTP server on 127.0.0.1. Answers 503 until handlers are attached. */
export class HttpServer {
  readonly #server: Server;
  readonly #closing = new AbortController();
  #handlers: Handlers | undefined;

  private constructor() {
    // Only the client closes idle connections, because a request that crosses the server's close would be lost.
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

  /** Ends every request with its answer, or with a 500 after any error. */
  async #serve(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const handlers = this.#handlers;
    if (handlers === undefined) {
      response.writeHead(503).end();
      return;
    }
    const { admin, log, settings } = handlers;
    const [path = "", query = ""] = (incoming.url ?? "").split(/\?(.*)/s);
    const requestId = randomUUID();
    response.setHeader("x-request-id", requestId);
    let entry: LoggedRequest | undefined;
    try {
      const request = await readRequest(incoming, path, query);
      if (/^\/admin(\/|$)/.test(path)) {
        send(response, isLocalCaller(incoming) ? await admin.handle(request) : foreignCaller, settings);
        return;
      }
      const { method } = request;
      const body = bodyToLog(request);
      entry = { time: settings.timestamp(), method, path, query, body, status: null, requestId };
      log.add(entry);
      await this.#answer(handlers, request, entry, response);
    } catch (error) {
      // Nobody waits for an answer, because the client has left or the emulator closes.
      if (!incoming.complete || this.#closing.signal.aborted) {
        response.destroy();
        return;
      }
      const { headers, body } = jsonAnswer(500, internalError(error).body(areaOf(path)));
      if (entry !== undefined) entry.status = 500;
      // Does not use `send`, whose clock may be the cause of the error.
      if (response.headersSent) response.destroy();
      else response.writeHead(500, headers).end(body);
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
      send(response, answer, settings, fault?.kind === "truncate" ? "half" : "whole");
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

/**
 * A complete request.
 * @throws {Error} if the connection breaks before.
 */
async function readRequest(incoming: IncomingMessage, path: string, query: string): Promise<Request> {
  const { method = "", headers } = incoming;
  const { authorization, "content-type": contentType = "" } = headers;
  return { method, path, query, authorization, contentType, body: await text(incoming) };
}

/** Rejects web pages, which could reach the admin API from a browser, directly or by DNS rebinding. */
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

/** Sends an answer, or the first half of an answer that breaks off. */
function send(
  response: ServerResponse,
  { status, headers, body }: Answer,
  settings: Handlers["settings"],
  part: "whole" | "half" = "whole",
): void {
  // Clients compare creation times with this header, so it uses the same clock.
  const date = new Date(settings.now()).toUTCString();
  response.writeHead(status, { ...headers, date, "content-length": Buffer.byteLength(body) });
  if (part === "whole") response.end(body);
  else response.write(body.slice(0, Math.floor(body.length / 2)), () => response.destroy());
}
