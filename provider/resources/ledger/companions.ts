import { z } from "zod";
import { accessKey, groupAccess, membersIn } from "../../kinds/group-access";
import { type Inputs, isKind, naturalKeyOf, type Kind } from "../../schema/kind";
import { roleBinding } from "../../kinds/role-binding";
import type { Facts } from "./facts";

/** What a resource class passes: the number of its resource in the program and, for a `GroupAccess`, those that it must wait for. */
const companionsSchema = z.object({ id: z.number(), others: z.array(z.object({ id: z.number(), name: z.string() })) });

/**
 * The resources that give access, of any provider, that the program declares beside a `GroupAccess`. It must not remove a role binding
 * that one of them is about to take over.
 */
export class Companions {
  /** By the key of the `GroupAccess`. */
  readonly #beside = new Map<string, z.infer<typeof companionsSchema>["others"]>();

  constructor(private readonly facts: Facts) {}

  /**
   * Records that a resource was checked and, if it gives access, which role bindings it declares.
   *
   * @param passed by its class; undefined in a program without a `GroupAccess`
   */
  checked(kind: Kind, inputs: Inputs, passed: unknown): void {
    const isAccess = isKind(kind, groupAccess);
    if (!isAccess && !isKind(kind, roleBinding)) return;
    const { data } = companionsSchema.safeParse(passed);
    if (data === undefined) return;
    for (const key of isAccess ? keysOf(inputs) : [naturalKeyOf(kind, inputs)])
      if (key !== undefined) this.facts.tell(["declares", key]);
    const key = isAccess ? accessKey(inputs) : undefined;
    if (key !== undefined) this.#beside.set(key, data.others);
    this.facts.tell(["checked", data.id]);
  }

  /** Those beside the `GroupAccess` that were not checked yet, for messages. */
  unchecked(inputs: Inputs): string[] {
    const others = this.#beside.get(accessKey(inputs) ?? "") ?? [];
    return others.filter(({ id }) => !this.facts.isKnown(["checked", id])).map(({ name }) => name);
  }
}

/** The natural keys of the role bindings that `access` declares. A role is written as a name or as a uid. */
function keysOf({ parentUid, parentPath, access }: Inputs): (string | undefined)[] {
  return membersIn(access).flatMap(({ role, identityUid }) =>
    [{ roleName: role }, { roleUid: role }].map((written) =>
      naturalKeyOf(roleBinding, { parentUid, parentPath, identityUid, ...written }),
    ),
  );
}
