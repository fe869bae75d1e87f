import * as pulumi from "@pulumi/pulumi";
import { literal } from "../../provider/client/printable";
import { group } from "../../provider/kinds/group";
import { groupAccess } from "../../provider/kinds/group-access";
import { companionsArgument } from "../../provider/schema/inputs";
import { roleBinding } from "../../provider/kinds/role-binding";
import { isMocked } from "../program/mocks";
import { type ServedType, servedType } from "./served-type";

const [complete, single, groups] = [groupAccess, roleBinding, group].map((kind) => servedType(kind).token as string);

/** Arguments as an untyped program may pass them. */
type Args = { readonly parentUid?: unknown } | null | undefined;

/** What a program passes to the constructor of a resource. */
interface Passed {
  readonly name: string;
  readonly args: Args;
  readonly opts: pulumi.CustomResourceOptions | undefined;
}

/** A resource that gives access, as the program declares it. */
interface Declared {
  readonly token: string;
  readonly name: string;
  /** The uid of the group in which it gives access, as the program passes it. */
  readonly group: unknown;
  /** The resource itself, once it is constructed. */
  readonly resource: () => unknown;
  /** Parent and `dependsOn`: the engine creates or updates these before it checks this one. */
  readonly dependencies: readonly unknown[];
}

/**
 * The resources that give access, in the order in which each program declares them. A process may run several programs (Automation API),
 * one after the other or at once. Each has its own monitor.
 */
const programs = new WeakMap<object, Declared[]>();

/** The uids of the groups that programs declare, each with the uid of its parent as the program passes it. */
const parents = new WeakMap<object, unknown>();

/** Remembers a declared group: {@link companions} compares groups whose uids are not known yet by their parents. */
export function rememberGroup({ token }: Pick<ServedType, "token">, uid: pulumi.Output<string>, args: Args): void {
  if (token === groups) parents.set(uid, args?.parentUid);
}

/**
 * In an update, tells a `GroupAccess` which other resources of the program give access in its group. It waits for their checks, so that it
 * removes no binding that one of them, maybe of another provider, is about to take over. They get an id by which it knows them. Empty if
 * the program declares no `GroupAccess`.
 *
 * @param resource returns the resource that is being constructed; called only after its construction
 */
export function companions(
  { token }: Pick<ServedType, "token">,
  { name, args, opts }: Passed,
  resource: () => unknown,
): pulumi.Inputs {
  if ((token !== complete && token !== single) || pulumi.runtime.isDryRun() || isMocked()) return {};
  const declared = declaredBy(pulumi.runtime.getMonitor() ?? programs);
  const dependencies = [opts?.parent, opts?.dependsOn].flat();
  const id = declared.push({ token, name, group: args?.parentUid, resource, dependencies }) - 1;
  return { [companionsArgument]: afterThisTurn().then(() => companionsOf(declared, id)) };
}

function declaredBy(program: object): Declared[] {
  const declared = programs.get(program) ?? [];
  programs.set(program, declared);
  return declared;
}

function companionsOf(
  declared: readonly Declared[],
  id: number,
): { id: number; others: { id: number; name: string }[] } | undefined {
  if (declared.length === 1 || !declared.some(({ token }) => token === complete)) return undefined;
  const own = declared[id];
  const isAwaited = (each: Declared, other: number) =>
    other !== id &&
    // A resource that depends on this one is checked after it: waiting for it would never end.
    !each.dependencies.includes(own?.resource()) &&
    // With `--target`, the engine may never check it.
    !areDifferent(each.group, own?.group);
  const nameOf = ({ token, name }: Declared) => `${token === complete ? groupAccess.name : roleBinding.name} ${literal(name)}`;
  const others = declared.flatMap((each, other) => (isAwaited(each, other) ? [{ id: other, name: nameOf(each) }] : []));
  return { id, others: own?.token === complete ? others : [] };
}

/** True if two uids of groups differ for certain, even if they are not known yet. */
function areDifferent(one: unknown, other: unknown): boolean {
  if (typeof one === "string" && typeof other === "string") return one !== other;
  const [above, aboveOther] = [placesAbove(one), placesAbove(other)];
  const areDeclared = above.length > 0 && aboveOther.length > 0;
  return one !== other && (areDeclared || above.includes(other) || aboveOther.includes(one));
}

/** The uids of the groups above a declared group, up to the first that the program does not declare. */
function placesAbove(uid: unknown): unknown[] {
  if (typeof uid !== "object" || uid === null || !parents.has(uid)) return [];
  const parent = parents.get(uid);
  return [parent, ...placesAbove(parent)];
}

/** Resolves once the program has declared everything that it declares without waiting. */
function afterThisTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
