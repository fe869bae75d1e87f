import { nativeDoor, nativeToken } from "../resources/door";
import { hasType } from "../resources/resource";

/** A class of the package that the dynamic provider host serves. */
type DynamicClass = (abstract new (...args: never) => object) & { readonly __pulumiType: string };

/** `dynamic`, served by the plugin: the same arguments, outputs and state. */
export function nativeClass<Class extends DynamicClass>(dynamic: Class): Class {
  const token = nativeToken(dynamic.__pulumiType);
  const base = dynamic as unknown as new (...args: unknown[]) => object;
  class Native extends base {
    static readonly door = nativeDoor;
    static readonly __pulumiType: string = token;

    static isInstance(obj: unknown): boolean {
      return hasType(obj, token);
    }
  }
  return Native as unknown as Class;
}
