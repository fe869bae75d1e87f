import { z } from "zod";
import { accessKey, groupAccess, membersIn } from "../../kinds/group-access";
import { type Inputs, isKind, naturalKeyOf, type Kind } from "../../schema/kind";
import { roleBinding } from "../../kinds/role-binding";
import type { Marks } from "./claims";

/** A resource that gives access, as its class numbers and names it. */
export interface Companion {
  readonly id: number;
  readonly name: string;
}

/** What a run knows of the resources beside each `GroupAccess`. */
interface Companions extends Marks {
  readonly companions: Map<string, readonly Companion[]>;
}

const [checked, declares] = ["checked", "declares"];

/** What a resource class says about the program: the number of this resource, and others that a `GroupAccess` must wait for. */
const saying = z.object({ id: z.number(), others: z.array(z.object({ id: z.number(), name: z.string() })) });

/**
 * Records, for all processes of the run, that a resource that gives access was checked, and which role bindings it declares: a
 * `GroupAccess`, maybe of another provider, must not remove what this one is about to take over.
 *
 * @param said what the class passed; undefined in a program without a `GroupAccess`
 */
export function markChecked(kind: Kind, inputs: Inputs, said: unknown, run: Companions): void {
  const isAccess = isKind(kind, groupAccess);
  if (!isAccess && !isKind(kind, roleBinding)) return;
  const { data } = saying.safeParse(said);
  if (data === undefined) return;
  for (const key of isAccess ? keysOf(inputs) : [naturalKeyOf(kind, inputs)]) if (key !== undefined) markDeclared(key, run);
  const key = isAccess ? accessKey(inputs) : undefined;
  if (key !== undefined) run.companions.set(key, data.others);
  run.mark(checked, data.id);
}

/** Records that the program declares the role binding of this natural key. */
export function markDeclared(key: string, run: Pick<Marks, "mark">): void {
  run.mark(declares, key);
}

/** True if a process of the run has recorded it, see {@link markDeclared}. */
export function isMarkedDeclared(key: string, run: Pick<Marks, "isMarked">): boolean {
  return run.isMarked(declares, key);
}

/** The resources that give access, that the program has declared beside this `GroupAccess`, and that were not checked yet, for messages. */
export function uncheckedCompanions(inputs: Inputs, run: Companions): string[] {
  const others = run.companions.get(accessKey(inputs) ?? "") ?? [];
  return others.filter(({ id }) => !run.isMarked(checked, id)).map(({ name }) => name);
}

/** The natural keys of the role bindings that `access` declares. A role is written as a name or as a uid. */
function keysOf({ parentUid, parentPath, access }: Inputs): (string | undefined)[] {
  return membersIn(access).flatMap(({ role, identityUid }) =>
    [{ roleName: role }, { roleUid: role }].map((written) =>
      naturalKeyOf(roleBinding, { parentUid, parentPath, identityUid, ...written }),
    ),
  );
}
