import type { Kind } from "../../schema/kind";
import type { Declarations } from "../ledger/declarations";
import type { ObjectMap, ObjectSet } from "../ledger/object-map";
import type { DeclaredLogins } from "../ledger/declared-logins";
import type { Names } from "../sharing/names";

/** What the search for a group needs of a run. */
export interface PathSearch {
  readonly names: Names;
  readonly declarations: Declarations;
}

/** What the search for an identity needs of a run. */
export interface IdentitySearch extends PathSearch {
  readonly declaredLogins: DeclaredLogins;
}

/** What references need of a run. */
export interface Referring extends IdentitySearch {
  readonly isUpdate: boolean;
  readonly created: ObjectSet;
  readonly parentsByPath: ObjectMap<string>;
  readonly holds: (kind: Pick<Kind, "collection">, uid: string) => boolean;
  readonly notify: (message: string) => void;
  readonly notifyOnce: (message: string) => void;
}
