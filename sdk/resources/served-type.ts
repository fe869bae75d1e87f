import type { ResourceKind } from "../../provider/schema/kind";

/** How the engine identifies and serves the resources of a kind. Loads no SDK: commands use it too. */
export interface ServedType {
  /** Full type, part of every URN. Pulumi's dynamic provider host serves all types that begin with `pulumi-nodejs:dynamic`. */
  readonly token: `pulumi-nodejs:dynamic/platform/${string}`;
  /** Export of `pulumi-platform/provider` that serves the type. */
  readonly served: string;
}

/** The type of the resources of a kind. */
export function servedType({ name, collection }: Pick<ResourceKind, "name" | "collection">): ServedType {
  return {
    token: `pulumi-nodejs:dynamic/platform/${collection.area}:${name}`,
    served: name.charAt(0).toLowerCase() + name.slice(1),
  };
}

/** The text by which the engine's provider host loads the code of a type. */
// See docs/contributing/engine.md#provider-text.
export function providerText({ served }: ServedType): string {
  return `exports.handler = () => require("pulumi-platform/provider").${served}`;
}
