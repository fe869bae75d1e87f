import { group } from "../../kinds/group";
import { identity } from "../../kinds/identity";
import { role } from "../../kinds/role";
import { unknownValue } from "../../schema/inputs";
import { type Inputs, isKind, type Kind } from "../../schema/kind";
import type { Facts } from "./facts";

/** An object, or its kind. */
type OfKind = Pick<Kind, "collection">;

/** The names that objects get in this run, for kinds to which programs refer by name: a missing name may be one of them. */
export class DeclaredNames {
  constructor(private readonly facts: Facts) {}

  /** Records the name in `news`, if they are those of such an object, and if it is new, renamed or moved. */
  record(kind: Kind, olds: Inputs, news: Inputs): void {
    if (![group, identity, role].some((each) => isKind(kind, each))) return;
    const { name } = news;
    const isSame = ["name", "parentUid", "parentPath"].every((each) => olds[each] === news[each]);
    if (typeof name === "string" && !isSame) this.facts.tell(["gets name", kind.collection.segment, name]);
  }

  /** True if an object of the kind may get `name` in this run, by a resource that was checked before. */
  mayHave({ collection: { segment } }: OfKind, name: string): boolean {
    return [name, unknownValue].some((each) => this.facts.isKnown(["gets name", segment, each]));
  }
}
