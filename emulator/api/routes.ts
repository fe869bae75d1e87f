import { Collection } from "./collection";
import { jsonAnswer, type Answer, type Request } from "../wire/http";
import { ApiError, Code, gatewayError, httpStatus, invalidArgument } from "../wire/errors";
import { exchange } from "../auth/exchange";
import type { IssuerKeys } from "../auth/issuer-keys";
import { stringOf, type Json, type JsonObject } from "../wire/json";
import { text, type Kind } from "../objects/kind";
import { kinds } from "../objects/all-kinds";
import { parseMessage, type Message } from "../wire/message";
import type { Platform } from "../platform";
import { Query } from "../wire/query";
import { roleBindings } from "../objects/role-bindings";

const apiPath = /^\/(iam|registry|vulnerabilities)\/v2(?:beta1)?\/([A-Za-z]+)(:[A-Za-z]+)?(\/.*)?$/;
const batchLimit = 25;

const batchMessage: Message = {
  parent: text,
  roleUid: text,
  requests: {
    type: "list",
    of: {
      type: "message",
      of: { parent: text, roleBinding: { type: "message", of: { identityUid: text, roleUid: text } } },
    },
  },
};

/** Answers requests to the platform: its API, its token exchange and its OIDC issuer. */
export class Routes {
  constructor(
    private readonly platform: Platform,
    private readonly issuerKeys: IssuerKeys,
  ) {}

  /** Answers a request; whatever goes wrong becomes an error answer (SPEC §7). */
  async handle(request: Request): Promise<Answer> {
    const area = apiPath.exec(request.path)?.[1] ?? "sts";
    try {
      return await this.route(request);
    } catch (error) {
      const failure = error instanceof ApiError ? error : new ApiError(Code.Internal, `Internal: ${String(error)}`, "INTERNAL");
      const challenge = failure.code === Code.Unauthenticated ? { "www-authenticate": headerText(failure.message) } : {};
      return jsonAnswer(httpStatus(failure.code), failure.body(area), challenge);
    }
  }

  private async route(request: Request): Promise<Answer> {
    const { issuer } = this.platform;
    switch (request.path) {
      case "/ping/v2/ping":
      case "/ping/v2beta1/ping":
        allow(request, "GET");
        return jsonAnswer(200, { response: "pong" });
      case "/sts/exchange":
        allow(request, "GET", "POST");
        return jsonAnswer(
          200,
          await exchange(this.platform, this.issuerKeys, request.authorization, exchangeParameters(request)),
        );
      case "/issuer/.well-known/openid-configuration":
        allow(request, "GET");
        return jsonAnswer(200, issuer.discovery());
      case "/issuer/jwks":
        allow(request, "GET");
        return jsonAnswer(200, issuer.jwks());
      default:
        return this.routeApi(request);
    }
  }

  private async routeApi(request: Request): Promise<Answer> {
    const [, area, collection, verb = "", rest] = apiPath.exec(request.path) ?? [];
    const kind = kinds.find((each) => each.area === area && each.collection === collection);
    if (kind === undefined) throw gatewayError("Not Found", Code.NotFound);
    if (verb !== "") return this.batchCreate(kind, verb + (rest ?? ""), request);

    const uid = decodeUid(rest?.slice(1) ?? "");
    const { create, update, delete: remove } = kind.capabilities;
    const isOffered = { GET: true, POST: create !== undefined, PATCH: update !== undefined, DELETE: remove !== undefined };
    allow(request, ...Object.entries(isOffered).flatMap(([method, isOne]) => (isOne ? [method] : [])));
    const objects = await this.collection(kind, request);
    const query = new Query(request.query);
    switch (request.method) {
      case "POST":
        return jsonAnswer(200, objects.create(uid, readJson(request.body)));
      case "PATCH":
        return jsonAnswer(200, objects.update(uid, readJson(request.body), query));
      case "DELETE":
        objects.delete(uid);
        return this.platform.settings.values.deleteBody === "object"
          ? jsonAnswer(200, {})
          : { status: 200, headers: { "content-type": "application/json" }, body: "" };
      default:
        return jsonAnswer(200, rest === undefined ? objects.list(query) : objects.get(uid));
    }
  }

  private async batchCreate(kind: Kind, verb: string, request: Request): Promise<Answer> {
    if (kind !== roleBindings || verb !== ":batchCreate") throw gatewayError("Not Found", Code.NotFound);
    allow(request, "POST");
    const objects = await this.collection(kind, request);
    const batch = parseMessage(batchMessage, readJson(request.body), { unknownKeys: "ignore", outputFields: "ignore" });
    const { parent, bindings } = readBatch(batch);
    return jsonAnswer(200, objects.batchCreate(parent, bindings));
  }

  private async collection(kind: Kind, { authorization }: Request): Promise<Collection> {
    return new Collection(this.platform, kind, await this.platform.apiTokens.accessOf(authorization));
  }
}

/** The bindings of a batch, each with the role that the batch names for all, where it names none itself (API-FACTS §9). */
function readBatch(batch: JsonObject): { parent: string; bindings: JsonObject[] } {
  const parent = stringOf(batch["parent"]);
  const commonRole = stringOf(batch["roleUid"]);
  const requests = (batch["requests"] ?? []) as { parent?: string; roleBinding?: { identityUid?: string; roleUid?: string } }[];
  if (requests.length === 0 || requests.length > batchLimit) {
    throw invalidArgument({ field: "requests", description: `must hold 1 to ${batchLimit} requests, got ${requests.length}` });
  }
  const bindings = requests.map(({ parent: own = "", roleBinding = {} }, index) => {
    const { identityUid = "", roleUid = "" } = roleBinding;
    if (own !== "" && own !== parent) {
      throw invalidArgument({
        field: `requests[${index}].parent`,
        description: `differs from the parent of the batch, ${parent}`,
      });
    }
    if (commonRole !== "" && roleUid !== "" && roleUid !== commonRole) {
      throw invalidArgument({
        field: `requests[${index}].role_binding.role_uid`,
        description: "differs from the role of the batch",
      });
    }
    return { identityUid, roleUid: roleUid === "" ? commonRole : roleUid };
  });
  return { parent, bindings };
}

/** A JSON body is ignored, as the service ignores it (API-FACTS §6). */
function exchangeParameters({ query, contentType, body }: Request): URLSearchParams {
  return new URLSearchParams(contentType.startsWith("application/x-www-form-urlencoded") ? `${query}&${body}` : query);
}

function allow({ method }: Request, ...methods: string[]): void {
  if (!methods.includes(method)) throw gatewayError("Method Not Allowed", Code.Unimplemented);
}

function decodeUid(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw gatewayError(`malformed path: ${text}`);
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
