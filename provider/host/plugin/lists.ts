import type { Kind } from "../../schema/kind";
import { kinds } from "../../kinds/kinds";
import { sourceOfAll } from "../../sources/source-of-all";
import type { ServedFunction } from "./functions";
import { typeToken } from "./resources";

/** An object as the engine's List answers it. */
export interface Listed {
  readonly id: string;
  /** Empty where objects of the type have no name. */
  readonly name: string;
}

/** What finds all objects of a type of resources, by its token: the data source for all of them. */
export function servedLists(): ReadonlyMap<string, ServedFunction> {
  return new Map(Object.values<Kind>(kinds).map((kind) => [typeToken(kind), sourceOfAll(kind)]));
}

/** The objects in the result of such a data source. */
export function listedIn(result: object): Listed[] {
  const rows = Object.values(result as Record<string, { uid: string; name?: unknown }[]>).flat();
  return rows.map(({ uid, name }) => ({ id: uid, name: typeof name === "string" ? name : "" }));
}
