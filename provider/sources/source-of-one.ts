import { z } from "zod";
import type { Collection, WireObject } from "../client/collection";
import { hasCode, orOnFailure, PlatformError } from "../client/errors";
import type { Scope } from "../client/list";
import { maxPageSize } from "../client/list-page";
import { nearestName } from "../client/nearest-name";
import { alternatives, list, literal, shortList } from "../client/printable";
import { isKind, type ReadableKind } from "../schema/kind";
import { hiddenBuiltIn, isBuiltIn, role } from "../kinds/role";
import type { Field } from "../schema/field";
import { uid } from "../schema/inputs";
import { comparedSchema } from "../schema/schemas";
import type { ArgumentRules, Asked, Reader, Source } from "./source";

/** Name of the data source for one object of a kind: `getRoleBinding`. */
export function callOfOne({ name }: Pick<ReadableKind, "name">): string {
  return `get${name}`;
}

/**
 * The arguments that identify an object of a kind without its uid: its natural key, and its parent. The parent of an object in a
 * group is optional if a name identifies the object: many programs know only its name.
 */
function keyRules({ fields, naturalKey, parentInput }: ReadableKind): ArgumentRules {
  // An object that shares the uid of its parent is found by that.
  if (parentInput !== undefined && naturalKey.includes(parentInput)) return {};
  const isNamed = naturalKey.join() === "name";
  const place = naturalKey.length > 0 && parentInput !== undefined ? [parentInput] : [];
  const names = isNamed ? [...naturalKey, ...place] : [...place, ...naturalKey];
  const rules = names.map((name): [string, z.ZodType] => {
    const rule = comparedSchema((fields[name] as Field).shape);
    return [name, isNamed && name === "parentUid" ? rule.optional() : rule];
  });
  return Object.fromEntries(rules);
}

/** One object of a kind: by uid, or the only one with a natural key. */
export function sourceOfOne<Wire extends WireObject>(kind: ReadableKind<Wire>): Source<object> {
  const { collection, naturalKey, parentInput } = kind;
  const key = keyRules(kind);
  const isKeyed = Object.keys(key).length > 0;
  const byUid = { ...z.strictObject(key).partial().shape, uid };
  const byKey = { uid: isKeyed ? uid.optional() : uid, ...key };
  return {
    call: callOfOne(kind),
    area: collection.area,
    rules: (asked) => ("uid" in asked ? byUid : byKey),
    excludes: { uid: Object.keys(key) },
    usage: `which ${collection.noun}? Pass ${usage(key)}.`,
    async read(asked, reader) {
      if ("uid" in asked) return kind.result(await withUid(reader, collection, uid.parse(asked["uid"])));
      const parentUid = parentInput === undefined ? undefined : asked[parentInput];
      const narrowed = { ...kind.lookup(asked), ...(typeof parentUid === "string" && { childrenOf: parentUid }) };
      const rows = await reader.list(collection, narrowed);
      // Not every part of a natural key has a filter.
      const found = rows.filter((row) => naturalKey.every((name) => Reflect.get(kind.result(row), name) === asked[name]));
      if (found.length === 0) throw await notFound(reader, collection, narrowed, asked, key);
      const preferred = found.filter((row) => kind.isPreferred(row.uid));
      // In a group, no built-in role is meant.
      if (preferred.length === 0 && isKind(kind, role) && typeof parentUid !== "string")
        await rejectHiddenBuiltIn(reader, String(asked["name"]));
      const one = only(preferred.length > 0 ? preferred : found, collection.noun, asked, key);
      return kind.result(one);
    },
  };
}

/** @throws PlatformError `NOT_FOUND` if a built-in role with this name may be hidden from these credentials */
async function rejectHiddenBuiltIn(reader: Reader, name: string): Promise<void> {
  const builtIn = (await reader.list(role.collection, { inRoot: true })).filter((row) => isBuiltIn(row.uid));
  const why = hiddenBuiltIn(name, builtIn.length > 0, "uid");
  if (why !== undefined) throw new PlatformError("NOT_FOUND", `name ${literal(name)}: ${why}`);
}

async function withUid<Wire extends WireObject>(reader: Reader, collection: Collection<Wire>, wanted: string): Promise<Wire> {
  try {
    return await reader.get(collection, wanted);
  } catch (error) {
    if (!hasCode(error, "NOT_FOUND")) throw error;
    const text = `no ${collection.noun} ${wanted} is visible to these credentials. Check the uid, and whether this identity may read it. (${error.message})`;
    throw new PlatformError("NOT_FOUND", text, { cause: error });
  }
}

function only<Wire extends WireObject>(rows: Wire[], noun: string, asked: Asked, key: ArgumentRules): Wire {
  const [row, ...others] = rows;
  if (row !== undefined && others.length === 0) return row;
  const candidates = shortList(
    rows.map(({ uid }) => uid),
    mostCandidates,
  );
  const narrower = alternatives([...unused(key, asked), "uid"]);
  throw new PlatformError(
    "AMBIGUOUS",
    `there are ${rows.length} matches for ${wanted(noun, asked)}: ${candidates}. Name the one you mean by ${narrower}.`,
  );
}

/** The error if nothing matches. Names the arguments to check and the nearest name. */
async function notFound<Wire extends WireObject>(
  reader: Reader,
  collection: Collection<Wire>,
  { name, ...scope }: Scope & { name?: unknown },
  asked: Asked,
  key: ArgumentRules,
): Promise<PlatformError> {
  const where = unused(key, asked).length > 0 ? ", anywhere" : "";
  // Only a hint: a List that fails or is long must neither replace nor delay the error.
  const listed =
    typeof name === "string" ? await orOnFailure(reader.listUpTo(collection, scope, maxPageSize), undefined) : undefined;
  const names = (listed?.rows ?? []).flatMap((row) => (row as { name?: string }).name ?? []);
  const near = nearestName(String(name), names);
  const hint = near === undefined ? "" : ` Did you mean name ${literal(near)}?`;
  return new PlatformError(
    "NOT_FOUND",
    `no ${wanted(collection.noun, asked)} is visible to these credentials${where}.${hint} Check ${list(Object.keys(asked))}, and whether this identity may read it.`,
  );
}

function wanted(noun: string, asked: Asked): string {
  return `${noun} with ${list(Object.entries(asked).map(([name, value]) => `${name} ${literal(value)}`))}`;
}

/** Arguments that would narrow the search further. */
function unused(key: ArgumentRules, asked: Asked): string[] {
  return Object.keys(key).filter((name) => !(name in asked));
}

/** Maximum number of candidates in a message. */
const mostCandidates = 10;

/** Both ways to name an object: `{ uid } or { name, parentUid? }`. */
function usage(key: ArgumentRules): string {
  const members = Object.entries(key).map(([name, rule]) => (rule.safeParse(undefined).success ? `${name}?` : name));
  return members.length === 0 ? "{ uid }" : `{ uid } or { ${members.join(", ")} }`;
}
