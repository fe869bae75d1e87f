import type { Values } from "../provider/kinds/canonical";
import { answered } from "../provider/kinds/answers";
import type { WireObject } from "../provider/client/collection";
import type { Kind } from "../provider/kinds/kind";
import { listedKinds } from "./kinds";

/** Another object that an object refers to. */
export interface Reference {
  /** Published name of its kind. */
  readonly kind: string;
  readonly uid: string;
  /** As the answer repeats it; empty if it does not. */
  readonly name: string;
}

const byNoun = new Map([...listedKinds].map(([name, { collection }]) => [collection.noun, name]));

/** What a row refers to by its declared uids: identity and role of a binding. */
export function referencesIn(kind: Kind, row: WireObject): Reference[] {
  return Object.entries(kind.fields).flatMap(([field, declared]): Reference[] => {
    const { by, shape } = declared;
    if (shape.is !== "uid" || (by !== "required" && by !== "optional")) return [];
    const [uid, of] = [answered(field, declared, row as unknown as Values), byNoun.get(shape.of)];
    if (typeof uid !== "string" || uid === "" || of === undefined) return [];
    // The object itself stands beside its uid: `role` beside `roleUid`.
    const expanded = (row as unknown as Values)[field.replace(/Uid$/, "")] as { name?: unknown } | null | undefined;
    return [{ kind: of, uid, name: typeof expanded?.name === "string" ? expanded.name : "" }];
  });
}
