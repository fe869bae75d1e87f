import { z } from "zod";
import type { Collection, WireObject } from "../client/collection";
import { PlatformError } from "../client/errors";
import type { ListScope } from "../client/list";
import type { OrderBy } from "../client/list-order";
import { maxPageSize } from "../client/list-page";
import { literal } from "../client/printable";
import { hasPlatformForm } from "../client/uid";
import type { ReadableKind } from "../schema/kind";
import { flag, uid } from "../schema/inputs";
import { comparedSchema } from "../schema/schemas";
import type { Asked, Source } from "./source";

const pageSizeRule = `must be a whole number from 1 to ${maxPageSize}`;

/** Arguments of every List. */
const scope: { [Name in keyof ListScope]-?: z.ZodType<NonNullable<ListScope[Name]>> } = {
  descendantsOf: uid,
  childrenOf: uid,
  ancestorsOf: uid,
  inRoot: flag,
  uids: z.array(uid, { error: "must be a list" }),
  orderBy: z.custom<OrderBy>(
    (value) => typeof value === "string" && /^[A-Za-z_.]+( asc| desc)?$/.test(value),
    'must be a field, alone or followed by "asc" or "desc", such as "created_at desc"',
  ),
  pageSize: z.int({ error: pageSizeRule }).min(1, pageSizeRule).max(maxPageSize, pageSizeRule),
};

/** Arguments that are uids of groups, or of repos. */
const places = ["descendantsOf", "childrenOf"] as const satisfies (keyof ListScope)[];

/** Name of the data source for all objects of a kind: `getRoleBindings`. */
export function callOfAll({ collection: { segment } }: Pick<ReadableKind, "collection">): string {
  return `get${segment.charAt(0).toUpperCase()}${segment.slice(1)}`;
}

/** Every object of a kind that the filters select, in the order of the platform, under the wire's key. */
export function sourceOfAll<Wire extends WireObject>(kind: ReadableKind<Wire>): Source<Record<string, object[]>> {
  const own = Object.entries(kind.filters).map(([name, shape]) => [name, comparedSchema(shape)] as const);
  const taken = z.strictObject({ ...scope, ...Object.fromEntries(own) }).partial();
  const collection = asAsked(kind.collection);
  return {
    call: callOfAll(kind),
    area: collection.area,
    rules: () => taken.shape,
    excludes: Object.fromEntries(kind.atMostOneFilter.flatMap(([first, ...others]) => (first ? [[first, others]] : []))),
    async read(asked, reader, { organization } = {}) {
      rejectNames(asked, organization);
      const rows = await reader.list(collection, taken.parse(asked) as ListScope);
      return { [collection.segment]: rows.map((row) => kind.result(row)) };
    },
  };
}

/**
 * Rejects a name if a List expects the uid of a place, because the platform would answer with an empty list. On some platforms any text can
 * be a uid, so names are rejected only if the organisation has a uid of the usual form.
 *
 * @throws PlatformError `INVALID_INPUT`
 */
function rejectNames(asked: Asked, organization = ""): void {
  if (!hasPlatformForm(organization)) return;
  const wrong = places.filter((name) => name in asked && !hasPlatformForm(String(asked[name])));
  if (wrong.length === 0) return;
  const problems = wrong.map((name) => `${name} ${literal(String(asked[name]))} is not a complete uid of this platform.`);
  throw new PlatformError("INVALID_INPUT", `${problems.join(" ")} Pass a uid, not a name or a path. Nothing was sent.`);
}

/** `collection` without the constant parameters of its List that are filters here, because the program sets these. */
function asAsked<Wire extends WireObject>(collection: Collection<Wire>): Collection<Wire> {
  const parameters = Object.values(collection.filters as Record<string, { parameter: string }>).map(({ parameter }) => parameter);
  const constant = Object.entries(collection.listParameters ?? {}).filter(([parameter]) => !parameters.includes(parameter));
  return { ...collection, listParameters: Object.fromEntries(constant) };
}
