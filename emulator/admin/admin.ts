import { AdminObjects } from "./admin-objects";
import type { Faults } from "./faults";
import { isObject, type JsonObject } from "../wire/json";
import type { OidcClaims } from "../auth/oidc-issuer";
import type { Platform } from "../platform";
import type { RequestLog } from "./request-log";
import { jsonAnswer, type Answer, type Request } from "../wire/http";

type Handler = (body: JsonObject, rest: string, query: URLSearchParams) => unknown;

/** The admin side: what tests use to mint tokens, to change objects unseen, to inject faults and to see what was asked. */
export class Admin {
  private readonly handlers: Readonly<Record<string, Handler>>;

  /** @param renewTokenFile brings the OIDC token file up to date when the clock has been moved. */
  constructor(platform: Platform, faults: Faults, log: RequestLog, renewTokenFile: () => Promise<void>) {
    const { apiTokens, issuer, settings, addresses } = platform;
    const objects = new AdminObjects(platform);
    this.handlers = {
      "POST oidc-tokens": async (body) => ({ token: await issuer.mint(readClaims(body)) }),
      "POST api-tokens": async (body) => {
        const { identity = platform.seededIdentity, expiresInSeconds } = body;
        const lifetime = optional(expiresInSeconds, "expiresInSeconds", "number");
        return { token: (await apiTokens.issue(required(identity, "identity"), [addresses.baseUrl], lifetime)).token };
      },
      "POST revocations": () => {
        apiTokens.revokeAll();
        return {};
      },
      "GET requests": () => ({ requests: log.list() }),
      "DELETE requests": () => {
        log.clear();
        return {};
      },
      "GET objects": (_body, _rest, query) => ({ objects: objects.list(query.get("kind") ?? "") }),
      "POST objects": (body, collection) => objects.create(collection, body),
      "PATCH objects": (body, rest) => objects.update(...splitObject(rest), body),
      "DELETE objects": (_body, rest) => {
        objects.delete(...splitObject(rest));
        return {};
      },
      "POST faults": (body) => ({ id: faults.add(body) }),
      "GET faults": () => ({ faults: faults.list() }),
      "DELETE faults": () => {
        faults.clear();
        return {};
      },
      "GET settings": () => settings.values,
      "PATCH settings": async (body) => {
        settings.update(body);
        if ("clockOffsetSeconds" in body) await renewTokenFile();
        return settings.values;
      },
    };
  }

  /** Answers a request below `/admin/`. Whatever is wrong with it is a 400 that says so. */
  async handle({ method, path, query, body }: Request): Promise<Answer> {
    const [, noun = "", rest = ""] = /^\/admin\/([^/]*)\/?(.*)$/.exec(path) ?? [];
    const handler = this.handlers[`${method} ${noun}`];
    if (handler === undefined)
      return jsonAnswer(404, { message: `no such call; known are ${Object.keys(this.handlers).join(", ")}` });
    try {
      return jsonAnswer(200, await handler(readObject(body), decodeURIComponent(rest), new URLSearchParams(query)));
    } catch (error) {
      return jsonAnswer(400, { message: error instanceof Error ? error.message : String(error) });
    }
  }
}

function readObject(body: string): JsonObject {
  const value: unknown = body.trim() === "" ? {} : JSON.parse(body);
  if (!isObject(value)) throw new Error("the body must be a JSON object");
  return value;
}

function splitObject(rest: string): [string, string] {
  const slash = rest.indexOf("/");
  if (slash === -1) throw new Error("the path must be /admin/objects/{collection}/{uid}");
  return [rest.slice(0, slash), rest.slice(slash + 1)];
}

function readClaims({ subject, audience, expiresInSeconds, claims, issuedAt }: JsonObject): OidcClaims {
  const lifetime = optional(expiresInSeconds, "expiresInSeconds", "number");
  const issued = optional(issuedAt, "issuedAt", "number");
  if (claims !== undefined && !isObject(claims)) throw new Error("claims must be an object");
  const audiences = audience === undefined ? undefined : [audience].flat().map((each) => required(each, "audience"));
  return {
    subject: required(subject, "subject"),
    ...(audiences === undefined ? {} : { audience: audiences }),
    ...(lifetime === undefined ? {} : { expiresInSeconds: lifetime }),
    ...(issued === undefined ? {} : { issuedAt: issued }),
    ...(claims === undefined ? {} : { claims }),
  };
}

function required(value: unknown, name: string): string {
  if (typeof value !== "string" || value === "") throw new Error(`${name} must be a non-empty string`);
  return value;
}

function optional(value: unknown, name: string, type: "number"): number | undefined {
  if (value !== undefined && typeof value !== type) throw new Error(`${name} must be a ${type}`);
  return value as number | undefined;
}
