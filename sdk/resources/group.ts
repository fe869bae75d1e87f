import { group } from "../../provider/kinds/group";
import { type ArgsOf, type OutputsOf, resourceClass, type ResourceClass } from "./declared";

/** The arguments of a {@link Group}. */
export type GroupArgs = ArgsOf<typeof group>;

/** The outputs of a {@link Group} besides `uid`. */
export interface Group extends OutputsOf<typeof group> {}

// Annotated, so that the emitted types keep the doc comments of the declaration.
const GroupResource: ResourceClass<typeof group> = resourceClass(group);

/**
 * A group: a node of the organisation's tree.
 *
 * @example
 * ```ts
 * import { Group } from "pulumi-platform";
 *
 * const engineering = new Group("engineering", { parentUid: "0123456789abcdef0123456789abcdef01234567" });
 * const storage = new Group("storage", { parentUid: engineering.uid, description: "Keeps the data" });
 * export const storageUid = storage.uid;
 * ```
 */
export class Group extends GroupResource {}
