import { type KeyedObject, ObjectIndex } from "../../inventory/objects";
import { readStates, type StateObjects } from "../../inventory/state";
import { PlatformError } from "../../provider/client/errors";
import { organizationOf } from "../../provider/client/uid";

/** The objects that stacks and states manage, by kind and uid, and the role bindings they would remove. */
export interface Managed {
  readonly objects: ObjectIndex<KeyedObject>;
  readonly removerOf: StateObjects["removerOf"];
}

/**
 * The objects managed by all states together.
 *
 * @param texts by the names in messages
 * @throws PlatformError for a state of another organisation than that of `root`
 */
export function managedObjects(texts: ReadonlyMap<string, string>, root: string): Managed {
  const managed = new ObjectIndex<KeyedObject>();
  const removers: StateObjects["removerOf"][] = [];
  for (const [source, text] of texts) {
    const states = readStates(new Map([[source, text]]));
    removers.push(states.removerOf);
    const objects = states.managed.flatMap(({ kind, uid }) => (uid === undefined ? [] : [{ kind, uid }]));
    const isElsewhere = ({ uid }: { uid: string }) => organizationOf(uid) !== organizationOf(root);
    if (objects.length > 0 && objects.every(isElsewhere))
      throw new PlatformError(
        "INVALID_INPUT",
        `${source.replace(/^the/, "The")} manages objects of another organisation (${organizationOf(objects[0]?.uid ?? "")}). Nothing was written.`,
      );
    for (const object of objects) managed.add(object);
  }
  return {
    objects: managed,
    removerOf: (binding) => removers.flatMap((removerOf) => removerOf(binding) ?? [])[0],
  };
}
