import type * as pulumi from "@pulumi/pulumi";
import { requireInProgram } from "../program/program";
import { providerText, type ServedType } from "./served-type";

/** The options of resources that a door rejects, each with the reason and the alternative. */
export type RejectedOptions = Partial<Record<keyof pulumi.CustomResourceOptions, string>>;

/** The way from the engine to the code of the resources, through its dynamic provider host or through a plugin. */
export interface Door {
  /** The module with the classes, for messages. */
  readonly module: "pulumi-platform" | "pulumi-platform/native";
  /** The package whose providers serve the resources. */
  readonly package: "pulumi-nodejs" | "platform";
  /** Options that would lose the object or have no effect. docs/resource-options.md lists all options. */
  readonly rejected: RejectedOptions;
  /** The type of a resource, as in its URN. */
  tokenOf(type: ServedType): string;
  /** Inputs of a resource besides the program's arguments. */
  inputsOf(type: ServedType): pulumi.Inputs;
  /** Types that the resource had through another door. */
  aliasesOf(type: ServedType): pulumi.Alias[];
  /** @throws pulumi.RunError if the engine would not find the code of `what` */
  require(what: string): void;
}

const deletedWith =
  "the engine would drop the resource from state without deleting it on the platform, where its access would remain. Remove the option: the provider deletes in the right order.";

/** Through Pulumi's dynamic provider host, which loads the code from the folder of the program. */
export const dynamicDoor: Door = {
  module: "pulumi-platform",
  package: "pulumi-nodejs",
  rejected: {
    deletedWith,
    replaceOnChanges:
      "the engine ignores it for dynamic resources. Set replacementTrigger to the value to watch, and deleteBeforeReplace: true.",
    import:
      "the engine cannot import dynamic resources. Declare the object with adopt: true: the first `pulumi up` takes it over.",
  },
  tokenOf: ({ token }) => token,
  inputsOf: (type) => ({ __provider: providerText(type) }),
  aliasesOf: () => [],
  require: requireInProgram,
};

/** Through the plugin `pulumi-resource-platform`. */
export const nativeDoor: Door = {
  module: "pulumi-platform/native",
  package: "platform",
  rejected: { deletedWith },
  tokenOf: ({ token }) => nativeToken(token),
  inputsOf: () => ({}),
  // Moving state from the dynamic provider host sends no request to the platform.
  aliasesOf: ({ token }) => [{ type: token }],
  require: () => undefined,
};

/** The plugin's type for `token`, a type of the dynamic provider host. */
export function nativeToken(token: string): string {
  return token.replace(/^pulumi-nodejs:dynamic\//, "").replace("/", ":");
}
