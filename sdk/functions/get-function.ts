import type * as pulumi from "@pulumi/pulumi";
import { z } from "zod";
import type { PlatformClient } from "../../provider/client/client";
import type { Collection, WireObject } from "../../provider/client/collection";
import { hasCode, PlatformError } from "../../provider/client/errors";
import type { Scope } from "../../provider/client/list";
import { maxPageSize } from "../../provider/client/list-page";
import { nearestName } from "../../provider/client/nearest-name";
import { alternatives, list, literal } from "../../provider/client/printable";
import { uid } from "../../provider/kinds/inputs";
import type { ArgumentRules } from "./arguments";
import { sharedList } from "./shared-lists";
import type { Asked, Source } from "./source";

/** An object by its uid. */
export interface ByUid {
  /** Uid of the object. */
  uid: string;
}

/** An object by its name; names are unique among siblings only. */
export interface ByName {
  /** Name of the object, exactly. */
  name: string;
  /** Uid of its parent group. Default: anywhere that these credentials see. */
  parentUid?: string | undefined;
}

/** The members of `One` or those of `Other`, never both. */
export type Either<One, Other> = (One & { [Name in keyof Other]?: undefined }) | (Other & { [Name in keyof One]?: undefined });

/**
 * A data source for one object. It reads in previews too, and stores nothing in state.
 *
 * @param args which object
 * @param opts `provider` (or that of `parent`) selects another platform or identity; the other options have no effect
 * @throws pulumi.RunError for an invalid argument, for no match, and for several matches
 */
export type GetFunction<Args, Result> = (args: Args, opts?: pulumi.InvokeOptions) => Promise<Result>;

/** Declaration of a singular data source. */
interface Declaration<Wire extends WireObject, Values extends object, Key extends ArgumentRules> {
  collection: Collection<Wire, Values>;
  /** Rules of the arguments that identify an object without its `uid`. */
  key: Key;
  /** Query that narrows a List to the object with this key. */
  query: (key: z.output<z.ZodObject<Key>>) => Scope & Values;
  /** Narrows several matches. Default: keeps all. */
  prefer?: (rows: Wire[]) => Wire[];
}

/** One object of a collection: by uid, or the only one with a natural key. */
export function sourceOfOne<Wire extends WireObject, Values extends object, Key extends ArgumentRules>(
  call: string,
  { collection, key, query, prefer = (rows) => rows }: Declaration<Wire, Values, Key>,
): Source<Wire> {
  const byUid = { ...z.strictObject(key).partial().shape, uid };
  const byKey = { uid: uid.optional(), ...key };
  const rules = (asked: object) => ("uid" in asked ? byUid : byKey);
  const excludes = { uid: Object.keys(key) };
  return {
    call,
    area: collection.area,
    rules,
    excludes,
    usage: `which ${collection.noun}? Give ${usage(key)}.`,
    async read(asked, client) {
      if ("uid" in asked) return withUid(client, collection, uid.parse(asked["uid"]));
      const narrowed = query(z.strictObject(key).parse(asked));
      const rows = await sharedList(client, collection, narrowed);
      if (rows.length === 0) throw await notFound(client, collection, narrowed, asked, key);
      return only(prefer(rows), collection.noun, asked, key);
    },
  };
}

/** Scope of the children of `parentUid`; of everything if it is omitted. */
export function under(parentUid: string | undefined): Pick<Scope, "childrenOf"> {
  return parentUid === undefined ? {} : { childrenOf: parentUid };
}

async function withUid<Wire extends WireObject>(
  client: PlatformClient,
  collection: Collection<Wire>,
  wanted: string,
): Promise<Wire> {
  try {
    return await client.get(collection, wanted);
  } catch (error) {
    if (!hasCode(error, "NOT_FOUND")) throw error;
    const text = `no ${collection.noun} ${wanted} is visible to these credentials. Check the uid and who may see it. (${error.message})`;
    throw new PlatformError("NOT_FOUND", text, { cause: error });
  }
}

function only<Wire extends WireObject>(rows: Wire[], noun: string, asked: Asked, key: ArgumentRules): Wire {
  const [row, ...others] = rows;
  if (row !== undefined && others.length === 0) return row;
  const narrower = alternatives([...unused(key, asked), "uid"]);
  throw new PlatformError(
    "AMBIGUOUS",
    `there are ${rows.length} matches for ${wanted(noun, asked)}: ${candidates(rows)}. Name the one you mean by ${narrower}.`,
  );
}

/** The error if nothing matches. Names the arguments to check and the nearest name. */
async function notFound<Wire extends WireObject>(
  client: PlatformClient,
  collection: Collection<Wire>,
  { name, ...scope }: Scope & { name?: unknown },
  asked: Asked,
  key: ArgumentRules,
): Promise<PlatformError> {
  const where = unused(key, asked).length > 0 ? ", anywhere" : "";
  // Only a hint: a List that fails or is long must neither replace nor delay the error.
  const rows = typeof name === "string" ? await client.listUpTo(collection, scope, maxPageSize).catch(() => []) : [];
  const names = Array.isArray(rows) ? rows.flatMap((row) => (row as { name?: string }).name ?? []) : [];
  const near = nearestName(String(name), names);
  const hint = near === undefined ? "" : ` Did you mean name ${literal(near)}?`;
  return new PlatformError(
    "NOT_FOUND",
    `no ${wanted(collection.noun, asked)} is visible to these credentials${where}.${hint} Check ${list(Object.keys(asked))}, and who may see it.`,
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
const shownCandidates = 10;

function candidates(rows: WireObject[]): string {
  const shown = rows.slice(0, shownCandidates).map((row) => row.uid);
  const rest = rows.length - shown.length;
  return list([...shown, ...(rest > 0 ? [`${rest} more`] : [])]);
}

/** Both ways to name an object: `{ uid } or { name, parentUid? }`. */
function usage(key: ArgumentRules): string {
  const members = Object.entries(key).map(([name, rule]) => (rule.safeParse(undefined).success ? `${name}?` : name));
  return `{ uid } or { ${members.join(", ")} }`;
}
