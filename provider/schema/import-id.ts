import { isUid } from "../client/uid";
import type { Fields } from "./field";
import { isValues, type Values } from "./values";

/**
 * How an import names an object of a kind, besides by its uid.
 *
 * - `parent`: by the path of the object that it belongs to, which has no other of its kind;
 * - `path`: by the path of the object around it, a separator and its name;
 * - `key`: by several parts with `|` between them. Each is a field.
 */
export type ImportForm =
  | { readonly is: "parent" }
  | { readonly is: "path"; readonly separator: "/" | ":" }
  | { readonly is: "key"; readonly parts: readonly string[] };

/** The text for the root group of the configured organisation, and the first name in a path from there. */
export const rootText = "platform:organization";

/** The parts of a declaration that decide how an import names the objects. */
interface Named {
  readonly importId?: ImportForm | undefined;
  readonly sharesUid: boolean;
  readonly naturalKey: readonly string[];
  readonly parentInput: string;
}

/** The form of a kind that declares none: by its natural key. Undefined without a natural key, because only the uid identifies an object. */
export function importFormOf({ importId, sharesUid, naturalKey, parentInput }: Named): ImportForm | undefined {
  if (importId !== undefined) return importId;
  if (sharesUid) return { is: "parent" };
  if (naturalKey.join() === "name") return { is: "path", separator: "/" };
  return naturalKey.length === 0 ? undefined : { is: "key", parts: [parentInput, ...naturalKey] };
}

/** One part of a key: a text, or the members of a login. */
export type KeyPart = string | Values;

/**
 * The parts between `|`. A part that contains `|` is written as JSON, as a text in quotes, and so is a login, as an object with `issuer` and
 * `subject`.
 *
 * @returns undefined for another number of parts, and for an empty one
 */
export function keyParts(text: string, count: number): KeyPart[] | undefined {
  const parts: KeyPart[] = [];
  let rest: string | undefined = text;
  while (rest !== undefined) {
    const [part, others]: [KeyPart, string | undefined] = firstPart(rest);
    parts.push(part);
    rest = others;
  }
  return parts.length === count && !parts.includes("") ? parts : undefined;
}

/** The part at the start of `text`, and the text after its `|`; undefined at the end. */
function firstPart(text: string): [KeyPart, string | undefined] {
  const ends = [...text.matchAll(/\||$/g)].map(({ index }) => index);
  const after = (end: number) => (end === text.length ? undefined : text.slice(end + 1));
  if (/^["{]/.test(text)) {
    for (const end of ends) {
      const value = jsonIn(text.slice(0, end));
      if (value !== undefined) return [value, after(end)];
    }
  }
  const [end = text.length] = ends;
  return [text.slice(0, end), after(end)];
}

function jsonIn(text: string): KeyPart | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "string" || isValues(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** True for a text that is a uid, or can be the name of an object in `form`. */
export function mayNameObject(text: string, form: ImportForm | undefined): boolean {
  if (isUid(text)) return true;
  if (form === undefined) return false;
  return form.is === "key" ? keyParts(text, form.parts.length) !== undefined : text.split("/").every((name) => name !== "");
}

/** The form in words, for messages and the documentation: `group|identity|role`, `repo:name`. Undefined if only the uid identifies an object. */
export function importFormText({ importForm, fields, parentInput }: Importable): string | undefined {
  const around = fields[parentInput]?.shape;
  const place = around?.is === "uid" ? around.of : parentInput;
  return importTextOf({ importForm, parentInput }, { place, name: () => "name", part: (field) => field.replace(/Uid$/, "") });
}

/** A text in the form of a kind, made of these parts. Undefined if only the uid identifies an object. */
export function importTextOf({ importForm, parentInput }: Omit<Importable, "fields">, parts: ImportParts): string | undefined {
  switch (importForm?.is) {
    case undefined:
      return undefined;
    case "parent":
      return parts.place;
    case "path":
      return `${parts.place}${importForm.separator}${parts.name()}`;
    case "key":
      return importForm.parts.map((field) => (field === parentInput ? parts.place : parts.part(field))).join("|");
  }
}

/** The parts of the text of an import. */
interface ImportParts {
  /** The object around it. */
  readonly place: string;
  /** Its own name. */
  name(): string;
  /** One field of its key. */
  part(field: string): string;
}

/** The members of a kind that {@link importFormText} reads. */
interface Importable {
  readonly importForm: ImportForm | undefined;
  readonly fields: Fields;
  readonly parentInput: string;
}
