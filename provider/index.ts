import { type DynamicProvider, dynamically, dynamicProvider } from "./host/dynamic";
import { serveRegistryCredentials } from "./host/registry-credentials";
import { composites, kinds } from "./kinds/kinds";
import { groupAccessLife } from "./resources/group-access/life";

// The `__provider` text in every state names these members: never rename or remove one, nor a kind (docs/engine.md#provider-text).
const served: Readonly<Record<string, DynamicProvider>> = {
  ...Object.fromEntries(Object.entries(kinds).map(([key, kind]) => [key, dynamicProvider(kind)])),
  registryCredentials: dynamically(serveRegistryCredentials),
  groupAccess: dynamicProvider(composites.groupAccess, undefined, groupAccessLife),
};

// Members, not exports by name: those that follow from the list of kinds cannot be imported by name in an ES module.
export = served;
