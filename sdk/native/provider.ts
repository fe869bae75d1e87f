import * as dynamic from "../resources/provider";
import { nativeDoor } from "../resources/door";

/** See `Provider` of `pulumi-platform`: the same for resources that the plugin serves. */
export class Provider extends dynamic.Provider {
  static override readonly __pulumiType: string = dynamic.typeOf(nativeDoor);

  protected static override readonly door = nativeDoor;

  /** Returns true for a provider of this class, also one that another copy of the package made. */
  static override isInstance(obj: unknown): obj is Provider {
    return dynamic.isOfDoor(obj, nativeDoor);
  }
}
