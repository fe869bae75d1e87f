import type { PlatformClient } from "../../client/client";
import { hasCode, PlatformError } from "../../client/errors";
import { literal } from "../../client/printable";
import { hasPlatformForm, isUid } from "../../client/uid";
import * as kinds from "../../kinds/list";
import { importFormText, type KeyPart, keyParts, mayNameObject, rootText } from "../../schema/import-id";
import { type Inputs, isKind, type Kind } from "../../schema/kind";
import { type IdentityRef, referencesOf } from "../../schema/references";
import type { Names } from "../sharing/names";
import { childAt, childNamed, type Written } from "./child-path";
import { groupAt } from "./group-path";
import { identityNamed } from "./identity-ref";
import type { Looking } from "./needs";
import { candidates, problem, uidsOf, Unresolved } from "./problem";
import { roleNamed } from "./role-name";

/** The part of a run that imports need. */
export interface Importing {
  readonly client: Pick<PlatformClient, "get">;
  readonly names: Names;
  /** Uid of the root group, if configured. */
  readonly organization: string | undefined;
}

/** A search with the text of the import, for messages. */
interface Search extends Looking {
  readonly client: Importing["client"];
  readonly written: Written;
}

/** Values of fields, by name. */
type Sought = Readonly<Record<string, string>>;

/** An import does not know what its program declares. */
const nothingDeclared = { declarations: { has: () => false }, logins: { has: () => false } };

/**
 * The uid of the object that the text of an import means. The uid of an object which these credentials see means this object.
 * Any other text is read in the form of the kind, such as a path, and must mean exactly one object.
 *
 * @throws PlatformError `NOT_FOUND` with the part without an object; `AMBIGUOUS` with the candidates; `INVALID_INPUT` for a text
 *   in no form
 */
// See docs/decisions/0073-imports-by-path.md.
export async function uidOfImport(kind: Kind, text: string, run: Importing): Promise<string> {
  if (isUid(text) && hasPlatformForm(text)) return text;
  if (!mayNameObject(text, kind.importForm)) throw inNoForm(kind, text);
  const written = { name: `${kind.collection.noun} id`, path: text };
  const search = { names: run.names, client: run.client, root: run.organization, ledger: nothingDeclared, written };
  return kind.importForm?.is === "parent" ? uidNamed(parentKind(kind), text, search) : uidNamed(kind, text, search);
}

/** The uid of the object of `kind` that `text` means: a uid, or a name in the form of the kind. */
async function uidNamed(kind: Kind, text: string, search: Search): Promise<string> {
  const { importForm } = kind;
  if (importForm?.is === "key") return isUid(text) ? text : withKey(kind, importForm.parts, text, search);
  if (isUid(text) && (await isSeen(kind, text, search))) return text;
  if (isKind({ collection: kind.parents }, kind)) return groupNamed(text, search);
  if (isKind(kind, kinds.role) && !text.includes("/")) return builtInRole(text, search);
  return childNamedBy(kind, text, search);
}

/** The object at a path that ends with its name. */
async function childNamedBy(kind: Kind, text: string, search: Search): Promise<string> {
  const separator = kind.importForm?.is === "path" ? kind.importForm.separator : "/";
  if (separator !== "/") return inParent(kind, separator, text, search);
  if (!text.includes("/")) throw inNoForm(kind, text);
  return childAt(kind, { ...search.written, path: text }, search);
}

/**
 * True if a text in the form of a uid is one: a name may have that form too. A hidden object is none to these credentials, whatever the
 * platform answers.
 */
async function isSeen({ collection }: Kind, uid: string, { client }: Search): Promise<boolean> {
  if (hasPlatformForm(uid)) return true;
  try {
    await client.get(collection, uid);
    return true;
  } catch (error) {
    if (hasCode(error, "NOT_FOUND", "PERMISSION_DENIED", "INVALID_ARGUMENT", "WRONG_OBJECT")) return false;
    throw error;
  }
}

async function groupNamed(text: string, search: Search): Promise<string> {
  const names = text.split("/");
  if (names[0] === rootText && search.root === undefined) {
    const why = "the root group is not configured. Set platform:organization to its uid, or write its name instead.";
    throw problem("INVALID_INPUT", search.written.name, text, why);
  }
  return groupAt(search.written.name, text, names, search);
}

/** A role without a path is a built-in one, because they are in no group. */
async function builtInRole(text: string, { names, written }: Search): Promise<string> {
  const nowhere = "";
  return roleNamed({ name: written.name, uid: "the id" }, text, nowhere, { names }).catch((error: unknown) => {
    if (!hasCode(error, "NOT_FOUND")) throw error;
    const why =
      "no built-in role that these credentials see has that name. Before the name of a custom role, write the path of its group.";
    throw problem("NOT_FOUND", written.name, text, why);
  });
}

/** The object behind the last separator, in the one before it. */
async function inParent(kind: Kind, separator: string, text: string, search: Search): Promise<string> {
  const end = text.lastIndexOf(separator);
  if (end < 1 || end === text.length - 1) throw inNoForm(kind, text);
  const [place, name] = [text.slice(0, end), text.slice(end + separator.length)];
  const uid = await uidNamed(parentKind(kind), place, search);
  const around = { label: `${kind.parents.noun} ${literal(place)}`, uid };
  return childNamed(kind, search.written, around, { name, run: search });
}

/** The object whose fields have the values of the parts. */
async function withKey(kind: Kind, parts: readonly string[], text: string, search: Search): Promise<string> {
  const values = keyParts(text, parts.length);
  if (values === undefined) throw inNoForm(kind, text);
  const written = new Map(parts.map((name, index): [string, KeyPart] => [name, values[index] ?? ""]));
  const sought: Record<string, string> = {};
  // Roles and logins are looked up from a group.
  for (const name of [...parts].sort((one, other) => Number(isPlaced(kind, one)) - Number(isPlaced(kind, other))))
    sought[name] = await partOf(kind, name, { value: written.get(name) ?? "", sought }, search);
  const { [kind.parentInput]: parentUid, ...others } = sought;
  const query = { childrenOf: parentUid ?? "" };
  const { found } = await search.names.matches(kind.collection, query, (row) => isSought(kind.result(row), others));
  const [only, ...more] = found;
  const named = Object.entries(others).map(([name, value]) => `${name} ${literal(value)}`);
  if (only === undefined) {
    const why = `${kind.parents.noun} ${query.childrenOf} exists, but it has no ${kind.collection.noun} with ${named.join(" and ")} that these credentials see.`;
    throw problem("NOT_FOUND", search.written.name, text, why);
  }
  if (more.length === 0) return only.uid;
  const why = `there are ${found.length}: ${candidates(found)}. Pass the uid of the one you mean.`;
  throw problem("AMBIGUOUS", search.written.name, text, why);
}

function isSought(result: object, sought: Sought): boolean {
  return Object.entries(sought).every(([name, value]) => Reflect.get(result, name) === value);
}

/** True for a field whose texts are looked up from the group in another field. */
function isPlaced({ fields }: Kind, name: string): boolean {
  return referencesOf(fields).some(({ uid, to }) => uid === name && to !== "group");
}

/** The value of one field of a key. @param given.sought the fields that are known */
async function partOf(
  kind: Kind,
  name: string,
  { value, sought }: { readonly value: KeyPart; readonly sought: Sought },
  search: Search,
): Promise<string> {
  const shape = kind.fields[name]?.shape;
  const place = sought[referencesOf(kind.fields).find(({ uid }) => uid === name)?.place ?? kind.parentInput] ?? "";
  const of = shape?.is === "uid" ? kindOf(shape.of) : undefined;
  if (typeof value !== "string") {
    if (of === undefined || !isKind(of, kinds.identity) || !isLogin(value)) throw inNoForm(kind, search.written.path);
    return identityNamed(search.written.name, value, place, search);
  }
  if (of === undefined) return value;
  return isKind(of, kinds.role) ? roleWritten(value, place, search) : uidNamed(of, value, search);
}

function isLogin(value: object): value is Exclude<IdentityRef, string> {
  const { issuer, subject, ...others } = value as Inputs;
  return typeof issuer === "string" && typeof subject === "string" && Object.keys(others).length === 0;
}

/** The uid of the role with this uid, with this name in `place` or above, or at this path. */
async function roleWritten(text: string, place: string, search: Search): Promise<string> {
  if (isUid(text) && (await isSeen(kinds.role, text, search))) return text;
  const { written } = search;
  const asName = await unlessMissing(roleNamed({ name: written.name, uid: "that part" }, text, place, search));
  const asPath = text.includes("/") ? await unlessMissing(childAt(kinds.role, { ...written, path: text }, search)) : asName;
  if (asName instanceof Unresolved && asPath instanceof Unresolved) throw asPath;
  const found = [...new Set([asName, asPath])].filter((each) => typeof each === "string");
  const [only = "", ...others] = found;
  if (others.length === 0) return only;
  const why = `${literal(text)} is the name of one role and the path of another: ${uidsOf(found.map((uid) => ({ uid })))}. Pass the uid of the one you mean.`;
  throw problem("AMBIGUOUS", written.name, written.path, why);
}

async function unlessMissing(search: Promise<string>): Promise<string | Unresolved> {
  return search.catch((error: unknown) => {
    if (error instanceof Unresolved && error.code === "NOT_FOUND") return error;
    throw error;
  });
}

/** The kind of the objects around those of `kind`. */
function parentKind(kind: Kind): Kind {
  return kindOf(kind.parents.noun) ?? kinds.group;
}

function kindOf(noun: string): Kind | undefined {
  return Object.values<Kind>(kinds).find(({ collection }) => collection.noun === noun);
}

function inNoForm(kind: Kind, text: string): PlatformError {
  const form = importFormText(kind);
  const what = isUid(text) ? "is not the uid of an object that these credentials see" : "is no uid";
  const why = `${what}${form === undefined ? "" : `, and not of the form ${form}`}.`;
  return new PlatformError("INVALID_INPUT", `${kind.collection.noun} id ${literal(text)} ${why}`);
}
