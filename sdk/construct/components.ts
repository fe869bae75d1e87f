import * as pulumi from "@pulumi/pulumi";
import { Organization, Team } from "../native";
import { nativeDoor } from "../resources/door";
import { rejectOptions } from "../resources/resource-options";
import { hideFrames } from "../program/stack-trace";
import { literal } from "../../provider/client/printable";

/** A component as an engine constructs it. */
type ComponentClass = new (name: string, args: never, opts: pulumi.ComponentResourceOptions) => pulumi.ComponentResource;

/** A component that was constructed. */
export interface Constructed {
  readonly urn: pulumi.Output<string>;
  /** Its registered outputs. */
  readonly outputs: pulumi.Inputs;
}

const classes: Readonly<Record<string, ComponentClass>> = {
  [Organization.__pulumiType]: Organization,
  [Team.__pulumiType]: Team,
};

/** True for the token of a component. */
export function isComponent(type: string): boolean {
  return Object.hasOwn(classes, type);
}

/**
 * Declares the component `name`.
 *
 * @throws pulumi.RunError that lists all problems, before anything is declared
 */
export function declare(type: string, name: string, args: object, opts: pulumi.ComponentResourceOptions): Constructed {
  const base = classes[type] as ComponentClass;
  let outputs: pulumi.Inputs = {};
  class Recorded extends base {
    protected override registerOutputs(registered: pulumi.Inputs): void {
      outputs = registered;
      super.registerOutputs(registered);
    }
  }
  // In a program, each resource rejects its parents' options. Here, the parents are in another process.
  rejectOptions(`${type.split(":").at(-1) ?? ""} ${literal(name)}`, opts, nativeDoor);
  // The frames would be those of this process.
  const restore = hideFrames();
  try {
    const { urn } = new Recorded(name, args as never, opts);
    return { urn, outputs };
  } finally {
    restore();
  }
}
