import { type Difference, differencesOf } from "./differences";
import { derivedOnce } from "./derived";
import { type Field, type Fields, inputsIn, isSent, own, type Shape } from "./field";
import { ownValue, type Path, valueAt, type Values } from "./values";
import { type DeclaredInputs, type Inputs, inputNames, type Kind } from "./kind";
import { snakeCase } from "./wire-names";

/** The body of a create, with every input except the parent, by its name on the wire. */
export function createBody(kind: Kind, inputs: Inputs): Inputs {
  const entries = bodyFields(kind.fields).filter(([name]) => inputs[name] !== undefined);
  return Object.fromEntries(entries.map(([name, field]) => [field.traits.wire ?? name, onWire(inputs[name], field)]));
}

const bodyFields = derivedOnce((fields: Fields) =>
  inputsIn(fields).filter(([, field]) => isSent(field) && field.by !== "parent"),
);

/** The content of an update. */
export interface MaskedBody {
  /**
   * The fields that differ; a cleared one has its empty value. If only some members of a message differ, its required members are added,
   * because the platform's schema rejects the message without them. The mask does not name these.
   */
  readonly body: Inputs;
  /** Their paths in snake_case. */
  readonly mask: string[];
  /** The names of all inputs that differ, sent or not. */
  readonly changed: string[];
}

/** The update from `before` to `after`, with the different fields that the platform knows and can change in place. */
export function changeOf(kind: Kind, before: DeclaredInputs, after: DeclaredInputs): MaskedBody {
  const body: Inputs = {};
  const mask = new Set<string>();
  const changes = differencesOf(kind.fields, before, after);
  for (const difference of changes) {
    const { path, fields } = sentFor(kind, difference);
    if (kind.immutable.includes(path[0] ?? "") || fields.some(({ by, traits }) => by === "local" || traits.immutable)) continue;
    // Sending a value again must never clear it.
    if (path !== difference.path && valueAt(after, path) === undefined) continue;
    const wholes = fields.findIndex(({ shape }) => shape.is === "message" && shape.update === "whole");
    const masked = wholes < 0 ? path : path.slice(0, wholes + 1);
    const wirePath = masked.map((name, depth) => (depth < fields.length ? fields[depth]?.traits.wire : undefined) ?? name);
    const name = wirePath.map(snakeCase).join(".");
    if (mask.has(name)) continue;
    mask.add(name);
    const field = masked.length <= fields.length ? fields[masked.length - 1] : undefined;
    for (const [path, value] of requiredAround({ path: masked, fields }, wirePath, after)) put(body, path, value);
    put(body, wirePath, sentAt(after, masked, field));
  }
  return { body, mask: [...mask], changed: inputNames(changes) };
}

/** The difference to send for a difference, which is the field itself or the field that it sends once more. */
function sentFor(kind: Kind, difference: Difference): Difference {
  const { path, fields } = difference;
  const resends = path.length === fields.length ? fields.at(-1)?.traits.resends : undefined;
  const around = fields.at(-2)?.shape;
  const field = resends === undefined ? undefined : (around?.is === "message" ? around.members : kind.fields)[resends];
  if (resends === undefined || field === undefined) return difference;
  return { path: [...path.slice(0, -1), resends], fields: [...fields.slice(0, -1), field] };
}

/** The wire value at `path`, which has no field if it is undeclared. */
function sentAt(values: Values, path: Path, field: Field | undefined): unknown {
  const value = valueAt(values, path);
  if (value === undefined) return field === undefined ? null : (field.traits.unset ?? emptyOf(field.shape));
  return field === undefined ? value : onWire(value, field);
}

/** The value that clears a field (docs/platform-api.md#field-masks). */
function emptyOf({ is }: Shape): unknown {
  const empty = {
    text: "",
    uid: "",
    reference: "",
    enum: "",
    time: null,
    number: 0,
    flag: false,
    set: [],
    list: [],
    map: {},
    message: null,
  };
  return empty[is];
}

/** The required members of the messages along a path, by their paths on the wire. */
function requiredAround({ path, fields }: Difference, wirePath: Path, after: Values): [Path, unknown][] {
  return fields.slice(0, path.length - 1).flatMap(({ shape }, depth) =>
    Object.entries(shape.is === "message" ? shape.members : {}).flatMap(([name, member]): [Path, unknown][] => {
      const value = valueAt(after, [...path.slice(0, depth + 1), name]);
      if (member.by !== "required" || value === undefined) return [];
      return [[[...wirePath.slice(0, depth + 1), member.traits.wire ?? name], onWire(value, member)]];
    }),
  );
}

/** `value` in the platform's form, with the members of messages under their names on the wire. */
function onWire(value: unknown, { shape, traits }: Field): unknown {
  if (typeof value === "string") return traits.sentAs?.(value) ?? value;
  if (shape.is !== "message" || typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, member]): [string, unknown][] => {
      const field = own(shape.members, name);
      if (field === undefined) return [[name, member]];
      return field.by === "local" ? [] : [[field.traits.wire ?? name, onWire(member, field)]];
    }),
  );
}

function put(body: Inputs, [name = "", ...rest]: Path, value: unknown): void {
  const member = rest.length === 0 ? value : (ownValue(body, name) ?? {});
  // An assignment to `__proto__` would add no member.
  Object.defineProperty(body, name, { value: member, writable: true, enumerable: true, configurable: true });
  if (rest.length > 0) put(member as Inputs, rest, value);
}
