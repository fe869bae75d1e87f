import * as pulumi from "@pulumi/pulumi";
import { groupAccess } from "../provider/kinds/group-access";
import { companionsArgument } from "../provider/kinds/inputs";
import { roleBinding } from "../provider/kinds/role-binding";
import { isMocked } from "./functions/mocks";
import { type ServedType, servedType } from "./served-type";

const [complete, single] = [groupAccess, roleBinding].map((kind) => servedType(kind).token as string);

/** A resource that gives access, as the program declares it. */
interface Declared {
  readonly token: string;
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

/**
 * What a resource that gives access passes to its provider in an update: which other such resources the program declares, so that a
 * `GroupAccess` removes no member that one of them, maybe of another provider, is about to take over. Nothing without a
 * `GroupAccess`.
 *
 * @param resource the one that is being constructed: not called before it is
 */
export function companions(
  { token }: Pick<ServedType, "token">,
  { dependsOn, parent }: pulumi.CustomResourceOptions,
  resource: () => unknown,
): pulumi.Inputs {
  if ((token !== complete && token !== single) || pulumi.runtime.isDryRun() || isMocked()) return {};
  const declared = declaredBy(pulumi.runtime.getMonitor() ?? programs);
  const id = declared.push({ token, resource, needs: [parent, dependsOn].flat() }) - 1;
  return { [companionsArgument]: turn().then(() => said(declared, id)) };
}

function declaredBy(program: object): Declared[] {
  const declared = programs.get(program) ?? [];
  programs.set(program, declared);
  return declared;
}

function said(declared: readonly Declared[], id: number): { id: number; others: number[] } | undefined {
  if (declared.length === 1 || !declared.some(({ token }) => token === complete)) return undefined;
  const own = declared[id];
  // A resource that depends on this one is checked after it: waiting for it would never end.
  const isAwaited = ({ needs }: Declared, other: number) => other !== id && !needs.includes(own?.resource());
  const others = declared.flatMap((each, other) => (isAwaited(each, other) ? [other] : []));
  return { id, others: own?.token === complete ? others : [] };
}

/** Resolves once the program has declared what it declares without waiting for anything. */
function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
