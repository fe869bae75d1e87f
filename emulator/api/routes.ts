import type { Access } from "../auth/authorization";
import type { Action } from "./action";
import { collectionActions, objectAction } from "./actions";
import { Collection } from "./collection";
import { acceptTerms, listTerms } from "./terms";
import { jsonAnswer, type Answer, type Request } from "../wire/http";
import { ApiError, Code, gatewayError, httpStatus } from "../wire/errors";
import { exchange } from "./exchange";
import { learn } from "./learn";
import type { IssuerKeys } from "../auth/issuer-keys";
import type { Json, JsonObject } from "../wire/json";
import type { ObjectKind } from "../objects/object-kind";
import * as kinds from "../objects/all-kinds";
import type { Services } from "./services";
import { Query } from "../wire/query";

const apiPath = /^\/(iam|registry|vulnerabilities|events)\/v2(?:beta1)?\/([A-Za-z]+)([:/].*)?$/;

/** The area of the API of a path, by its name in errors. */
export function areaOf(path: string): string {
  return apiPath.exec(path)?.[1] ?? "sts";
}

/** Routes requests to the API, the token exchange and the OIDC issuer. */
export class Routes {
  constructor(
    private readonly services: Services,
    private readonly issuerKeys: IssuerKeys,
  ) {}

  /** Answers a request. Every refusal becomes an error body (docs/platform-api.md#error-body). */
  async handle(request: Request): Promise<Answer> {
    try {
      return await this.#route(request);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      const challenge = error.code === Code.Unauthenticated ? { "www-authenticate": headerText(error.message) } : {};
      return jsonAnswer(httpStatus(error.code), error.body(areaOf(request.path)), challenge);
    }
  }

  async #route(request: Request): Promise<Answer> {
    const { issuer } = this.services;
    switch (request.path) {
      case "/ping/v2/ping":
      case "/ping/v2beta1/ping":
        allow(request, "GET");
        return jsonAnswer(200, { response: "pong" });
      case "/sts/exchange":
        allow(request, "GET", "POST");
        return jsonAnswer(
          200,
          await exchange(this.services, this.issuerKeys, request.authorization, exchangeParameters(request)),
        );
      case "/issuer/.well-known/openid-configuration":
        allow(request, "GET");
        return jsonAnswer(200, issuer.discovery());
      case "/issuer/jwks":
        allow(request, "GET");
        return jsonAnswer(200, issuer.jwks());
      default:
        return this.#routeApi(request);
    }
  }

  async #routeApi(request: Request): Promise<Answer> {
    const serve = this.#operation(request);
    const { apiTokens, store } = this.services;
    const bearer = await apiTokens.bearerOf(request.authorization);
    const learned = await learn(this.services, request);
    // From here on nothing waits, so each operation is one transaction. Its writes are applied completely or not at all, by the rights of
    // the caller at that moment.
    return store.transaction(() => {
      this.#removeExpiredInvites();
      return serve(apiTokens.accessOf(bearer), learned);
    });
  }

  /** Removes expired invites, if the platform does so by the settings. */
  #removeExpiredInvites(): void {
    const { store, settings } = this.services;
    if (settings.values.expiredInvites === "kept") return;
    const expired = { sql: "fields ->> 'expirationTime' <= ?", values: [settings.timestamp()] };
    for (const { uid } of store.select(kinds.groupInvites.collection, [expired])) store.remove(uid);
  }

  /** The operation of a request, as a function of its caller's access and of what a copy has learned for it. */
  #operation(request: Request): (access: Access, learned?: string) => Answer {
    const [, area, collection, rest = ""] = apiPath.exec(request.path) ?? [];
    if (area === "iam" && collection === "terms") return this.#terms(uidIn(rest), request);
    const kind = Object.values<ObjectKind>(kinds).find((each) => each.area === area && each.collection === collection);
    if (kind === undefined) throw gatewayError("Not Found", Code.NotFound);
    if (rest.startsWith(":")) return this.#action(collectionActions(kind, rest), "", request);
    const action = objectAction(kind, request.method, rest);
    if (action !== undefined) return this.#action([action], uidIn(rest.slice(0, -action.suffix.length)), request);
    return this.#objects(kind, rest, request);
  }

  /** List, get, create, update or delete. */
  #objects(kind: ObjectKind, rest: string, request: Request): (access: Access) => Answer {
    const { services } = this;
    const { method, query, body } = request;
    const { create, update, delete: remove } = kind.capabilities;
    const isOffered = { GET: true, POST: create !== undefined, PATCH: update !== undefined, DELETE: remove !== undefined };
    allow(request, ...Object.entries(isOffered).flatMap(([each, isOne]) => (isOne ? [each] : [])));
    const uid = uidIn(rest);
    return (access) => {
      const objects = new Collection(services, kind, access);
      switch (method) {
        case "POST":
          return jsonAnswer(200, objects.create(uid, readJson(body)));
        case "PATCH":
          return jsonAnswer(200, objects.update(uid, readJson(body), new Query(query)));
        case "DELETE":
          objects.delete(uid);
          return services.settings.values.deleteBody === "object"
            ? jsonAnswer(200, {})
            : { status: 200, headers: { "content-type": "application/json" }, body: "" };
        default:
          return jsonAnswer(200, rest === "" ? this.#list(kind, objects, new Query(query)) : objects.get(uid));
      }
    };
  }

  /** A List, unless the route of Get shadows it (docs/platform-api.md#identity-providers). */
  #list(kind: ObjectKind, objects: Collection, query: Query): JsonObject {
    const { identityProvidersList } = this.services.settings.values;
    if (kind.collection !== "identityProviders" || identityProvidersList === "rows") return objects.list(query);
    return identityProvidersList === "error" ? objects.get("") : objects.empty();
  }

  /** Accepts and lists terms, whose path holds the uid of a group. */
  #terms(group: string, request: Request): (access: Access) => Answer {
    allow(request, "GET", "POST");
    const { services } = this;
    return (access) =>
      jsonAnswer(
        200,
        request.method === "POST"
          ? acceptTerms(services, access, group, readJson(request.body))
          : listTerms(services, access, group, new Query(request.query)),
      );
  }

  #action(actions: readonly Action[], uid: string, request: Request): (access: Access, learned?: string) => Answer {
    if (actions.length === 0) throw gatewayError("Not Found", Code.NotFound);
    allow(request, ...actions.map(({ method }) => method));
    const { services } = this;
    const action = actions.find(({ method }) => method === request.method);
    return (access, learned) => {
      const call = { services, access, uid, query: new Query(request.query), body: readJson(request.body), learned };
      return jsonAnswer(200, action?.run(call));
    };
  }
}

/** A JSON body is ignored (docs/platform-api.md#token-exchange). */
function exchangeParameters({ query, contentType, body }: Request): URLSearchParams {
  return new URLSearchParams(contentType.startsWith("application/x-www-form-urlencoded") ? `${query}&${body}` : query);
}

function allow({ method }: Request, ...methods: string[]): void {
  if (!methods.includes(method)) throw gatewayError("Method Not Allowed", Code.Unimplemented);
}

/** The uid in the rest of a path, which starts with a slash unless it is empty. */
function uidIn(rest: string): string {
  try {
    return decodeURIComponent(rest.slice(1));
  } catch {
    throw gatewayError(`malformed path: ${rest}`);
  }
}

function readJson(body: string): Json {
  if (body.trim() === "") return {};
  try {
    return JSON.parse(body) as Json;
  } catch (error) {
    throw gatewayError(`proto: syntax error (line 1:1): ${String(error)}`);
  }
}

function headerText(message: string): string {
  return message.replace(/[^\x20-\x7e]/g, "?");
}
