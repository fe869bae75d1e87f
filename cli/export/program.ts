import { compareTexts } from "../../access/compare";
import { objectKey, type PlatformObject } from "../../inventory/objects";
import { kindNamed, kindNames, listedKinds } from "../../inventory/kinds";
import { isAtOrBelow, parentOf } from "../../provider/client/uid";
import { naturalKeyOf } from "../../provider/schema/kind";
import { isBuiltIn } from "../../provider/kinds/role";
import { Arguments } from "./arguments";
import { byAge, logicalNames } from "./names";
import { allowed } from "./resource-state";
import type { Surroundings } from "./surroundings";
import { inTreeOrder } from "./tree-order";
import { plain, type Resource, secretsIn, UidOf, type Value } from "./values";

/** An object that the program does not declare. */
export interface Unmanaged {
  readonly object: PlatformObject;
  /** The reason, as a sentence without a full stop. */
  readonly reason: string;
}

/** A program that declares objects as they are. */
export interface Program {
  /** Parents first, then by path. */
  readonly resources: readonly Resource[];
  readonly unmanaged: readonly Unmanaged[];
  /** Configuration keys of the secrets in the resources. */
  readonly secrets: readonly string[];
}

/** The program that declares `objects`. */
export function programOf(objects: readonly PlatformObject[], around: Surroundings): Program {
  const unmanaged: Unmanaged[] = [];
  const managedKeys = new Set(around.managed.flatMap((object) => keyIn(object) ?? []));
  const declaredKeys = new Set<string>();
  const candidates = [...objects].sort(byAge).filter((object) => {
    const reason = whyNot(object, around) ?? whyNotTwice(object, managedKeys, declaredKeys);
    if (reason !== undefined) unmanaged.push({ object, reason });
    return reason === undefined;
  });
  const logical = logicalNames(candidates, around);
  const secrets = new Map<string, PlatformObject>();
  const declared = new Map(candidates.map((object) => [objectKey(object), object]));
  const resources: Resource[] = [];
  for (const object of candidates) {
    const kind = kindNamed(object.kind);
    const logicalName = logical.get(object) ?? object.uid;
    const written = new Arguments(object, kind, logicalName, declared, around, secrets).all;
    const { args, problem = around.whyNotWritten(plain(written) as object) } = allowed({
      object,
      kind,
      logicalName,
      args: written,
    });
    if (problem === undefined) resources.push({ object, kind, logicalName, args, isProtected: around.isProtected(object) });
    else unmanaged.push({ object, reason: problem });
  }
  const lost = new Set(unmanaged.map(({ object }) => object));
  if (resources.some(({ args }) => usesAny(args, lost))) {
    // Resources that used the uid of an undeclarable object must name it differently.
    const rest = programOf(
      resources.map(({ object }) => object),
      around,
    );
    return { ...rest, unmanaged: [...unmanaged, ...rest.unmanaged].sort(byPath) };
  }
  const inOrder = inTreeOrder(resources, around);
  return { resources: inOrder, unmanaged: unmanaged.sort(byPath), secrets: inOrder.flatMap(({ args }) => secretsIn(args)) };
}

function usesAny(value: Value, targets: ReadonlySet<PlatformObject>): boolean {
  if (value instanceof UidOf) return targets.has(value.target);
  return typeof value === "object" && Object.values(value as object).some((inner) => usesAny(inner as Value, targets));
}

function byPath(one: Unmanaged, other: Unmanaged): number {
  const key = ({ object }: Unmanaged) => `${object.kind} ${object.path ?? ""} ${object.name ?? ""} ${object.uid}`;
  return compareTexts(key(one), key(other));
}

/** Why a program cannot declare the object; undefined if it can. */
function whyNot(object: PlatformObject, { root, removerOf }: Surroundings): string | undefined {
  const { kind, uid, place, value } = object;
  if (!listedKinds.has(kind)) return "this release does not know its kind";
  const remover = kind === kindNames.roleBinding ? removerOf(object) : undefined;
  if (remover !== undefined)
    return `${remover} declares who has roles in this group and would remove it; declare or exempt it there`;
  if (kind === kindNames.group && parentOf(uid) === undefined)
    return "the root of the organisation, which exists before any program";
  if (kind === kindNames.role && isBuiltIn(uid)) return "built in, so that it can only be read";
  if (kind === kindNames.groupInvite)
    return "its code cannot be read again; issue a new one from the program, then delete this one";
  if (place === undefined) return "in no group, so no program can declare it";
  return isAtOrBelow(uid, root) || Object.keys(value).length === 0 ? undefined : `outside of ${root}`;
}

/**
 * A program cannot declare two objects with one natural key, nor an object whose key another program's object has. `adopt` would find two.
 */
function whyNotTwice(object: PlatformObject, managed: ReadonlySet<string>, declared: Set<string>): string | undefined {
  const key = keyIn(object);
  if (key === undefined) return undefined;
  const other = managed.has(key) ? "an object that a stack manages" : declared.has(key) ? "an older object" : undefined;
  declared.add(key);
  return other && `${other} has the same natural key; delete or rename one of the two, then export again`;
}

function keyIn({ kind, value }: PlatformObject): string | undefined {
  return naturalKeyOf(kindNamed(kind), value);
}
