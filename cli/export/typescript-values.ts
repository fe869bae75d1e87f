import { brackets, braces, type Piece, quotedText } from "./source-text";
import { Claims, isList, JsonText, SecretOf, UidOf, type Value } from "./values";
import type { PlatformObject } from "../../inventory/objects";

/** The context that printing a value needs from its file. */
export interface Scope {
  /** The variable with the resource of an object, imported if necessary; undefined if the file cannot use it. */
  variableOf(target: PlatformObject): string | undefined;
  /** The constant for a text that the program often uses; undefined if there is none. */
  constantOf(text: string): string | undefined;
  /** Notes that the file uses a name of the package. */
  use(name: string): void;
  /** Notes that the file uses the stack's configuration. */
  useConfig(): void;
}

/** `value` as an expression of TypeScript. */
export function expression(value: Value, scope: Scope): Piece[] {
  if (value instanceof UidOf) {
    const variable = scope.variableOf(value.target);
    return variable === undefined ? expression(value.target.uid, scope) : [`${variable}.uid`];
  }
  if (value instanceof SecretOf) {
    scope.useConfig();
    return [`config.getSecret(${quotedText(value.key)})`];
  }
  if (value instanceof JsonText) return ["JSON.stringify(", jsonText(JSON.parse(value.text)), ")"];
  if (value instanceof Claims) {
    scope.use(value.helper);
    const call: Piece[] = [`${value.helper}(`, members(value.args, scope), ")"];
    const more = Object.entries(value.more);
    return more.length === 0 ? call : [braces([["...", ...call], ...more.map(([name, each]) => member(name, each, scope))])];
  }
  if (typeof value === "string") return [scope.constantOf(value) ?? quotedText(value)];
  if (typeof value !== "object") return [String(value)];
  return isList(value) ? [brackets(value.map((item) => expression(item, scope)))] : [members(value, scope)];
}

/** Values by name as an object literal. */
export function members(values: Readonly<Record<string, Value>>, scope: Scope): Piece {
  return braces(Object.entries(values).map(([name, value]) => member(name, value, scope)));
}

function member(name: string, value: Value, scope: Scope): Piece[] {
  const pieces = expression(value, scope);
  const key = propertyName(name);
  return pieces.length === 1 && pieces[0] === key && key === name ? [key] : [`${key}: `, ...pieces];
}

/** A JSON document as an expression, without references to the program. */
function jsonText(value: unknown): Piece {
  if (Array.isArray(value)) return brackets(value.map((item: unknown) => [jsonText(item)]));
  if (typeof value !== "object" || value === null) return typeof value === "string" ? quotedText(value) : String(value);
  return braces(Object.entries(value).map(([name, item]: [string, unknown]) => [`${propertyName(name)}: `, jsonText(item)]));
}

/** The name of a property. The plain name `__proto__` would set the prototype. */
function propertyName(name: string): string {
  if (name === "__proto__") return '["__proto__"]';
  return /^[A-Za-z_$][A-Za-z0-9_$]*$/.test(name) ? name : quotedText(name);
}
