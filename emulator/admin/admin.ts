import { z } from "zod";
import { ApiError } from "../wire/errors";
import { InputError, parseInput, seconds } from "../wire/input";
import { acceptInvite } from "./accept-invite";
import { AdminObjects } from "./admin-objects";
import type { Faults } from "./faults";
import { isObject, type JsonObject } from "../wire/json";
import type { Services } from "../api/services";
import type { Store } from "../storage/store";
import type { RequestLog } from "./request-log";
import { jsonAnswer, type Answer, type Request } from "../wire/http";

const word = z.string().min(1);

const oidcToken = z.strictObject({
  subject: word,
  audience: z.union([word, z.array(word)]).optional(),
  expiresInSeconds: seconds.optional(),
  issuedAt: seconds.optional(),
  claims: z.record(z.string(), z.json()).optional(),
});

const apiToken = z.strictObject({ identity: word.optional(), expiresInSeconds: seconds.optional() });

/** The body of a call without a body. */
const nothing = z.strictObject({});

/** Calls that use their body, path or query. Every other call is refused if it has them. */
const withBody = ["oidc-tokens", "api-tokens", "invite-acceptances", "objects", "faults", "settings"];

type Handler = (body: JsonObject, rest: string, query: URLSearchParams) => unknown;

/** The admin API: tests use it to mint tokens, change objects, inject faults and read the request log. */
export class Admin {
  readonly #handlers: Readonly<Record<string, Handler>>;
  readonly #store: Store;

  /** @param renewTokenFile rewrites the OIDC token file after a clock change. */
  constructor(services: Services, faults: Faults, log: RequestLog, renewTokenFile: () => Promise<void>) {
    const { apiTokens, issuer, settings, addresses, store } = services;
    this.#store = store;
    const objects = new AdminObjects(services);
    this.#handlers = {
      "POST oidc-tokens": async (body) => ({ token: await issuer.mint(parseInput(oidcToken, body, "oidc-tokens")) }),
      "POST api-tokens": async (body) => {
        const { identity = services.seededIdentity, expiresInSeconds } = parseInput(apiToken, body, "api-tokens");
        return { token: (await apiTokens.issue(identity, [addresses.baseUrl], expiresInSeconds)).token };
      },
      "POST revocations": () => apiTokens.revokeAll(),
      "POST invite-acceptances": (body) => acceptInvite(services, body),
      "GET requests": () => ({ requests: log.list() }),
      "DELETE requests": () => log.clear(),
      "GET objects": (_body, _rest, query) => {
        const kind = query.get("kind");
        return kind === null ? { collections: objects.listAll() } : { objects: objects.list(kind) };
      },
      "POST objects": (body, collection) => objects.create(collection, body),
      "PATCH objects": (body, rest) => objects.update(...splitObject(rest), body),
      "DELETE objects": (_body, rest) => objects.delete(...splitObject(rest)),
      "POST faults": (body) => ({ id: faults.add(body) }),
      "GET faults": () => ({ faults: faults.list() }),
      "DELETE faults": () => faults.clear(),
      "GET settings": () => settings.values,
      "PATCH settings": async (body) => {
        settings.update(body);
        if ("clockOffsetSeconds" in body) await renewTokenFile();
        return settings.values;
      },
    };
  }

  /** Answers a request below `/admin/`. An invalid call is a 400 with a message. */
  async handle({ method, path, query, body }: Request): Promise<Answer> {
    const [, noun = "", rest = ""] = /^\/admin\/([^/]*)\/?(.*)$/.exec(path) ?? [];
    const handler = this.#handlers[`${method} ${noun}`];
    if (handler === undefined)
      return jsonAnswer(404, { message: `unknown call; known: ${Object.keys(this.#handlers).join(", ")}` });
    try {
      const given = readObject(body);
      const parameters = new URLSearchParams(query);
      refuseUnused(`${method} ${noun}`, given, rest, parameters);
      const place = decodePath(rest);
      // A handler that waits writes no objects afterwards, so each is one transaction.
      return jsonAnswer(200, (await this.#store.transaction(() => handler(given, place, parameters))) ?? {});
    } catch (error) {
      if (error instanceof InputError || error instanceof ApiError) return jsonAnswer(400, { message: error.message });
      throw error;
    }
  }
}

/** @throws {Error} for a part of the request that the call would ignore. */
function refuseUnused(call: string, body: JsonObject, rest: string, query: URLSearchParams): void {
  const [method = "", noun = ""] = call.split(" ");
  const takesBody = (method === "POST" || method === "PATCH") && withBody.includes(noun);
  if (!takesBody) parseInput(nothing, body, noun);
  if (rest !== "" && noun !== "objects") throw new InputError(`${call} takes no path after it: ${rest}`);
  const taken = call === "GET objects" ? ["kind"] : [];
  const unknown = [...query.keys()].filter((name) => !taken.includes(name));
  if (unknown.length > 0) throw new InputError(`${call} takes no query parameter ${unknown.join(", ")}`);
}

function readObject(body: string): JsonObject {
  const value = body.trim() === "" ? {} : parseJson(body);
  if (!isObject(value)) throw new InputError("the body must be a JSON object");
  return value;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new InputError(`the body is no JSON: ${String(error)}`);
  }
}

function decodePath(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    throw new InputError(`malformed path: ${path}`);
  }
}

function splitObject(rest: string): [string, string] {
  const slash = rest.indexOf("/");
  if (slash === -1) throw new InputError("the path must be /admin/objects/{collection}/{uid}");
  return [rest.slice(0, slash), rest.slice(slash + 1)];
}
