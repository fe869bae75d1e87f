import { dynamically, dynamicProvider } from "./host/dynamic";
import { serveRegistryCredentials } from "./host/registry-credentials";
import { composites, type KindKey, kinds } from "./kinds/kinds";
import { groupAccessLife } from "./resources/group-access/life";

const ofKinds = Object.entries(kinds).map(([key, kind]) => [key, dynamicProvider(kind)]);

// The `__provider` text in every state names these members: never rename or remove one, nor a kind (docs/engine.md#provider-text).
export = {
  ...(Object.fromEntries(ofKinds) as Readonly<Record<KindKey, ReturnType<typeof dynamicProvider>>>),
  /** Serves pull tokens of registries to the engine. */
  registryCredentials: dynamically(serveRegistryCredentials),
  /** Serves the complete access of groups to the engine. */
  groupAccess: dynamicProvider(composites.groupAccess, undefined, groupAccessLife),
};
