import { readFileSync } from "node:fs";
import path from "node:path";
import { Schemas, type Schema } from "./schemas";

/** A request and its answer, as they went over the wire. */
export interface Exchange {
  readonly method: string;
  readonly path: string;
  /** Without the question mark. */
  readonly query: string;
  readonly requestBody: string;
  readonly status: number;
  readonly contentType: string;
  readonly responseBody: string;
}

interface Parameter {
  readonly name: string;
  readonly in: "path" | "query";
  readonly required?: boolean;
  readonly schema: Schema;
}

interface Content {
  readonly content: { readonly "application/json": { readonly schema: Schema } };
}

interface Operation {
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: Content;
  readonly responses: { readonly "200": Content; readonly default: Content };
}

interface Route {
  /** Method and path, as the contract writes them. */
  readonly id: string;
  readonly method: string;
  readonly pattern: RegExp;
  readonly operation: Operation;
}

interface Document {
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}

/** The published contract of the API, as a judge of what goes over the wire. */
export class Contract {
  readonly #document: Document;
  readonly #routes: readonly Route[];
  readonly #schemas: Schemas;

  constructor() {
    this.#document = JSON.parse(readFileSync(path.join(__dirname, "../../emulator/contract/api.json"), "utf8")) as Document;
    this.#schemas = new Schemas(this.#document.components.schemas);
    const templates = Object.entries(this.#document.paths).sort(([one], [other]) => other.length - one.length);
    // The longest template first: a uid may hold slashes, so `{uid}` alone fits every longer path too.
    this.#routes = templates.flatMap(([template, operations]) =>
      Object.entries(operations).map(([method, operation]) => ({
        id: `${method.toUpperCase()} ${template}`,
        method: method.toUpperCase(),
        pattern: new RegExp(`^${template.replace(/\{\w+\}/g, "(.+)")}$`),
        operation,
      })),
    );
  }

  /** Every operation, as `GET /iam/v2/groups`. */
  get operations(): string[] {
    return this.#routes.map(({ id }) => id).sort();
  }

  /** The values of an enum of the contract. */
  enumOf(name: string): readonly string[] {
    return this.#document.components.schemas[name]?.enum ?? [];
  }

  /** The operation that a request means; undefined when the contract has none. v2beta1 has the routes of v2. */
  operationOf({ method, path: asked }: Pick<Exchange, "method" | "path">): string | undefined {
    return this.#route(method, asked)?.id;
  }

  /** How a request breaks the contract; empty when it does not. */
  requestViolations(exchange: Exchange): string[] {
    const route = this.#route(exchange.method, exchange.path);
    const name = `${exchange.method} ${exchange.path}`;
    if (route === undefined) return [`request ${name}: no such operation`];
    const found = [...this.#queryViolations(route, exchange.query), ...this.#bodyViolations(route, exchange.requestBody)];
    return found.map((violation) => `request ${name}: ${violation}`);
  }

  /** How an answer breaks the contract; empty when it does not. */
  responseViolations(exchange: Exchange): string[] {
    const route = this.#route(exchange.method, exchange.path);
    const isOk = exchange.status === 200;
    const name = `answer ${exchange.status} to ${exchange.method} ${exchange.path}`;
    if (exchange.contentType !== "application/json") return [`${name}: content type ${exchange.contentType}`];
    if (isOk && route === undefined) return [`${name}: no such operation`];
    // Clients must take an empty body for a deleted object; the contract says an object.
    if (isOk && exchange.method === "DELETE" && exchange.responseBody === "") return [];
    const responses = route?.operation.responses ?? this.#anyError();
    const { schema } = (isOk ? responses["200"] : responses.default).content["application/json"];
    const body = parse(exchange.responseBody);
    return this.#schemas.violations(schema, "platform", body).map((violation) => `${name}: ${violation}`);
  }

  #anyError(): Operation["responses"] {
    const [any] = this.#routes;
    if (any === undefined) throw new Error("the contract has no operation");
    return any.operation.responses;
  }

  #route(method: string, asked: string): Route | undefined {
    const versioned = asked.replace("/v2beta1/", "/v2/");
    return this.#routes.find((route) => route.method === method && route.pattern.test(versioned));
  }

  #queryViolations({ method, operation }: Route, query: string): string[] {
    const given = new Map<string, string[]>();
    for (const [name, value] of new URLSearchParams(query)) {
      const key = camelCase(name);
      given.set(key, [...(given.get(key) ?? []), value]);
    }
    // Update masks are documented for every PATCH, but not part of the published document.
    if (method === "PATCH") given.delete("updateMask");
    const declared = (operation.parameters ?? []).filter((parameter) => parameter.in === "query");
    const unknown = [...given.keys()].filter((name) => !declared.some((parameter) => parameter.name === name));
    const missing = declared.filter(({ name, required }) => required === true && !given.has(name));
    const wrong = [...given].flatMap(([name, values]) => {
      const schema = declared.find((parameter) => parameter.name === name)?.schema;
      if (schema === undefined) return [];
      const value = schema.type === "array" ? values : coerce(schema, values);
      return this.#schemas.violations(schema, "client", value).map((violation) => `query parameter ${name}: ${violation}`);
    });
    return [
      ...unknown.map((name) => `unknown query parameter ${name}`),
      ...missing.map(({ name }) => `query parameter ${name} is missing`),
      ...wrong,
    ];
  }

  #bodyViolations({ method, operation }: Route, body: string): string[] {
    const schema = operation.requestBody?.content["application/json"].schema;
    if (schema === undefined) return body === "" ? [] : ["a body, where none is defined"];
    // The body of a PATCH holds what the mask names and no more, so nothing is required in it.
    const { required, ...partial } = schema;
    return this.#schemas.violations(
      method === "PATCH" ? partial : { ...partial, ...(required && { required }) },
      "client",
      parse(body),
    );
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function camelCase(name: string): string {
  return name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

/** A scalar of a query as JSON; repeated, it is a list, which no scalar schema takes. */
function coerce({ type }: Schema, values: readonly string[]): unknown {
  const [value = "", ...more] = values;
  if (more.length > 0) return values;
  return type === "integer" || type === "boolean" ? parse(value) : value;
}
