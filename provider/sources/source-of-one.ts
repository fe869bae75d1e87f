import { z } from "zod";
import type { Collection, WireObject } from "../client/collection";
import { hasCode, platformErrorAs, PlatformError } from "../client/errors";
import type { ListScope } from "../client/list";
import { maxPageSize } from "../client/list-page";
import { nearestName } from "../client/nearest-name";
import { alternatives, list, literal, shortList } from "../client/printable";
import { isKind, type ReadableKind } from "../schema/kind";
import { hiddenBuiltIn, role } from "../kinds/role";
import type { Field } from "../schema/field";
import { uid } from "../schema/inputs";
import { referenceRules } from "../schema/references";
import { comparedSchema } from "../schema/schemas";
import { withParent } from "./parent";
import type { ArgumentRules, Asked, Reader, Source } from "./source";

/** Name of the data source for one object of a kind: `getRoleBinding`. */
export function callOfOne({ name }: Pick<ReadableKind, "name">): string {
  return `get${name}`;
}

/**
 * The arguments that identify an object of a kind without its uid. They are its natural key, which includes its parent. The parent of an
 * object in a group is optional if a name identifies the object, because many programs know only its name.
 */
function keyRules({ fields, naturalKey, parentInput }: ReadableKind): ArgumentRules {
  // An object with the uid of its parent is found by that uid.
  if (parentInput !== undefined && naturalKey.includes(parentInput)) return {};
  const isNamed = naturalKey.join() === "name";
  const place = naturalKey.length > 0 && parentInput !== undefined ? [parentInput] : [];
  const names = isNamed ? [...naturalKey, ...place] : [...place, ...naturalKey];
  const path = referenceRules.group.refine((text) => text !== "", "must not be empty").optional();
  const rules = names.flatMap((name): [string, z.ZodType][] => {
    const rule = comparedSchema((fields[name] as Field).shape);
    if (name !== "parentUid") return [[name, rule]];
    const parent: [string, z.ZodType] = [name, isNamed ? rule.optional() : rule];
    return "parentPath" in fields ? [parent, ["parentPath", path]] : [parent];
  });
  return Object.fromEntries(rules);
}

/** One object of a kind, by uid or as the only one with a natural key. */
export function sourceOfOne<Wire extends WireObject>(kind: ReadableKind<Wire>): Source<object> {
  const { collection, naturalKey, parentInput } = kind;
  const key = keyRules(kind);
  const isKeyed = Object.keys(key).length > 0;
  const byUid = { ...z.strictObject(key).partial().shape, uid };
  const byKey = { uid: isKeyed ? uid.optional() : uid, ...key };
  const byPath = { ...byKey, parentUid: uid.optional() };
  return {
    call: callOfOne(kind),
    area: collection.area,
    rules: (asked) => ("uid" in asked ? byUid : "parentPath" in key && "parentPath" in asked ? byPath : byKey),
    excludes: { uid: Object.keys(key), ...("parentPath" in key && { parentPath: ["parentUid"] }) },
    usage: `which ${collection.noun}? Pass ${usage(key)}.`,
    async read(asked, reader) {
      if ("uid" in asked) return kind.result(await withUid(reader, collection, uid.parse(asked["uid"])));
      const sought = await withParent(asked, reader);
      const parentUid = parentInput === undefined ? undefined : sought[parentInput];
      const narrowed = { ...kind.lookup(sought), ...(typeof parentUid === "string" && { childrenOf: parentUid }) };
      const rows = await reader.list(collection, narrowed);
      // Not every part of a natural key has a filter.
      const found = rows.filter((row) => naturalKey.every((name) => Reflect.get(kind.result(row), name) === sought[name]));
      const search = { noun: collection.noun, asked, key };
      if (found.length === 0) throw notFound(search, await nearestTo(narrowed, collection, reader));
      const preferred = found.filter((row) => kind.isPreferred(row.uid));
      // With a parent, the program means a custom role.
      if (preferred.length === 0 && isKind(kind, role) && typeof parentUid !== "string")
        await rejectHiddenBuiltIn(reader, String(asked["name"]));
      const one = only(preferred.length > 0 ? preferred : found, search);
      return kind.result(one);
    },
  };
}

/** @throws PlatformError `NOT_FOUND` if a built-in role with this name may be hidden from these credentials */
async function rejectHiddenBuiltIn(reader: Reader, name: string): Promise<void> {
  const why = hiddenBuiltIn(name, await reader.list(role.collection, { inRoot: true }), "uid");
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

/** The arguments of a program, and those that it could have passed. */
interface Search {
  readonly noun: string;
  readonly asked: Asked;
  readonly key: ArgumentRules;
}

function only<Wire extends WireObject>(rows: Wire[], search: Search): Wire {
  const [row, ...others] = rows;
  if (row !== undefined && others.length === 0) return row;
  const candidates = shortList(
    rows.map(({ uid }) => uid),
    mostCandidates,
  );
  const narrower = alternatives([...unused(search), "uid"]);
  throw new PlatformError(
    "AMBIGUOUS",
    `there are ${rows.length} matches for ${wanted(search)}: ${candidates}. Name the one you mean by ${narrower}.`,
  );
}

/** The error if nothing matches. Names the arguments to check. @param near the nearest name, if any is near */
function notFound(search: Search, near: string | undefined): PlatformError {
  const where = unused(search).length > 0 ? ", anywhere" : "";
  const hint = near === undefined ? "" : ` Did you mean name ${literal(near)}?`;
  return new PlatformError(
    "NOT_FOUND",
    `no ${wanted(search)} is visible to these credentials${where}.${hint} Check ${list(Object.keys(search.asked))}, and whether this identity may read it.`,
  );
}

/** The name nearest to the missing one. It is only a hint, so the error goes without it if the List fails or is long. */
async function nearestTo<Wire extends WireObject>(
  { name, ...scope }: ListScope & { name?: unknown },
  collection: Collection<Wire>,
  reader: Reader,
): Promise<string | undefined> {
  if (typeof name !== "string") return undefined;
  const listed = await reader.listUpTo(collection, scope, maxPageSize).catch(platformErrorAs(() => undefined));
  const names = (listed?.rows ?? []).map((row) => (row as { name?: unknown }).name).filter((each) => typeof each === "string");
  return nearestName(name, names);
}

function wanted({ noun, asked }: Search): string {
  return `${noun} with ${list(Object.entries(asked).map(([name, value]) => `${name} ${literal(value)}`))}`;
}

/** Arguments that would narrow the search further. */
function unused({ key, asked }: Search): string[] {
  const isPlaced = "parentUid" in asked || "parentPath" in asked;
  return Object.keys(key).filter((name) => !(name in asked) && !(isPlaced && /^parent(Uid|Path)$/.test(name)));
}

/** Maximum number of candidates in a message. */
const mostCandidates = 10;

/** Both ways to name an object: `{ uid } or { name, parentUid? or parentPath? }`. */
function usage({ parentPath, ...key }: ArgumentRules): string {
  const members = Object.entries(key).map(([name, rule]) => {
    const mark = rule.safeParse(undefined).success ? "?" : "";
    return name === "parentUid" && parentPath !== undefined ? `${name}${mark} or parentPath${mark}` : `${name}${mark}`;
  });
  return members.length === 0 ? "{ uid }" : `{ uid } or { ${members.join(", ")} }`;
}
