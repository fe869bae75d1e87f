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

/** A resource that gives access, as the program declares it. */
interface Declared {
  readonly token: string;
  readonly name: string;
  /** The uid of the group in which it gives access, as the program passes it. */
  readonly group: unknown;
  /** The resource itself, once it is constructed. */
  readonly resource: () => unknown;
  /** Resources that the engine creates or updates before it checks this one, as far as its options say. */
  readonly needs: readonly unknown[];
}

/**
 * The resources that give access, in the order in which each program declares them. A process may run several programs, one after the
 * other or at once: those of the Automation API. Each has a monitor of its own.
 */
const programs = new WeakMap<object, Declared[]>();

/** The uids of the groups that programs declare, each with the uid of its parent as the program passes it. */
const parents = new WeakMap<object, unknown>();

/** Remembers a group that the program declares, so that {@link companions} can tell it from others. */
export function rememberGroup({ token }: Pick<ServedType, "token">, uid: pulumi.Output<string>, args: Args): void {
  if (token === groups) parents.set(uid, args?.parentUid);
}

/**
 * What a resource that gives access passes to its provider in an update: which other such resources the program declares in the same
 * group, so that a `GroupAccess` removes no member that one of them, maybe of another provider, is about to take over. Nothing
 * without a `GroupAccess`.
 *
 * @param resource the one that is being constructed: not called before it is
 */
export function companions(
  { token }: Pick<ServedType, "token">,
  name: string,
  args: Args,
  { dependsOn, parent }: pulumi.CustomResourceOptions,
  resource: () => unknown,
): pulumi.Inputs {
  if ((token !== complete && token !== single) || pulumi.runtime.isDryRun() || isMocked()) return {};
  const declared = declaredBy(pulumi.runtime.getMonitor() ?? programs);
  const id = declared.push({ token, name, group: args?.parentUid, resource, needs: [parent, dependsOn].flat() }) - 1;
  return { [companionsArgument]: turn().then(() => said(declared, id)) };
}

function declaredBy(program: object): Declared[] {
  const declared = programs.get(program) ?? [];
  programs.set(program, declared);
  return declared;
}

function said(declared: readonly Declared[], id: number): { id: number; others: { id: number; name: string }[] } | undefined {
  if (declared.length === 1 || !declared.some(({ token }) => token === complete)) return undefined;
  const own = declared[id];
  const isAwaited = (each: Declared, other: number) =>
    other !== id &&
    // A resource that depends on this one is checked after it: waiting for it would never end.
    !each.needs.includes(own?.resource()) &&
    // With `--target`, the engine may never check it.
    !areDifferent(each.group, own?.group);
  const nameOf = ({ token, name }: Declared) => `${token === complete ? groupAccess.name : roleBinding.name} ${literal(name)}`;
  const others = declared.flatMap((each, other) => (isAwaited(each, other) ? [{ id: other, name: nameOf(each) }] : []));
  return { id, others: own?.token === complete ? others : [] };
}

/** True if two uids of groups certainly differ, whatever they resolve to. */
function areDifferent(one: unknown, other: unknown): boolean {
  if (typeof one === "string" && typeof other === "string") return one !== other;
  const [above, aboveOther] = [placesAbove(one), placesAbove(other)];
  const areDeclared = above.length > 0 && aboveOther.length > 0;
  return one !== other && (areDeclared || above.includes(other) || aboveOther.includes(one));
}

/** The uids of the groups above one that the program declares, as far as it declares them. */
function placesAbove(uid: unknown): unknown[] {
  if (typeof uid !== "object" || uid === null || !parents.has(uid)) return [];
  const parent = parents.get(uid);
  return [parent, ...placesAbove(parent)];
}

/** Resolves once the program has declared what it declares without waiting for anything. */
function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
