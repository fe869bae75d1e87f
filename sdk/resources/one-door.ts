import * as pulumi from "@pulumi/pulumi";
import { type Door, nativeToken } from "./door";
import { parentOf } from "./resource-options";
import { invalid } from "../program/program-failure";

/** The door of each resource of a stack, by the part of its URN after the project: the types of its parents, its own type and name. */
const doors = new WeakMap<pulumi.Resource, Map<string, Door>>();

/** The parts of the URN of a resource within its stack. */
interface Placed {
  readonly token: string;
  readonly name: string;
  readonly parent: pulumi.Resource | undefined;
}

/**
 * Checks that no resource of the program has the type and name of this one through another door. Otherwise one would take over the state
 * of the other before the engine notices.
 *
 * @param what the resource, for the message
 * @throws pulumi.RunError
 */
export function requireOneDoor(what: string, { token, name, parent }: Placed, door: Door): void {
  const stack = pulumi.runtime.getStackResource();
  if (stack === undefined) return;
  const known = doors.get(stack) ?? new Map<string, Door>();
  doors.set(stack, known);
  const key = pathOf({ token, name, parent });
  const other = known.get(key) ?? door;
  known.set(key, other);
  if (other === door) return;
  throw invalid(
    `${what}: this program declares it twice, with the class of pulumi-platform and with that of pulumi-platform/native. Both would ` +
      "have the same state. Use one of the two, or another logical name.",
  );
}

/** The path of a resource: its URN after the project, with the types of the plugin. The provider compares it with the paths of others. */
export function pathOf({ token, name, parent }: Placed): string {
  const types = [...typesFrom(parent, pulumi.runtime.getStackResource()), token];
  return `${types.map(nativeToken).join("$")}::${name}`;
}

/** The types of `resource` and its parents, as they are part of the URNs of its children. */
function typesFrom(resource: pulumi.Resource | undefined, stack: pulumi.Resource | undefined): string[] {
  if (resource === undefined || resource === stack) return [];
  return [...typesFrom(parentOf(resource), stack), Reflect.get(resource, "__pulumiType") as string];
}
